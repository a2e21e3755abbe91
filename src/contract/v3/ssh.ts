import { Type } from 'typebox';
import { route } from '../route.ts';
import { identifier, identifierOrNothing } from './schemas/identifier.ts';
import { stackParams } from './schemas/stack.ts';

/** Account names as systems have them; never anything a shell or a program could take for an option. */
export const sshUser = Type.Optional(
  Type.String({
    pattern: '^([A-Za-z_][A-Za-z0-9_.-]{0,31})?$',
    description: "Who to sign in as; default: the vendor's usual user.",
  }),
);

const target = {
  instance_id: identifierOrNothing('Which instance; may be left out where there is only one.'),
  ip: identifierOrNothing('Or by its private or public address. Any other address is refused.'),
  flag: identifierOrNothing('Or the only one of this layer.'),
  user: sshUser,
};

const execReply = Type.Object(
  {
    instance_id: Type.String(),
    ip: Type.String(),
    user: Type.String(),
    exit_code: Type.Integer({ description: '128 and more: ended by a signal; 124: its time was up.' }),
    stdout: Type.String(),
    stderr: Type.String(),
    truncated: Type.Boolean({
      description: 'More than 1 MiB came on one of the two; the beginning is here.',
    }),
    timed_out: Type.Boolean(),
    duration_ms: Type.Integer(),
  },
  { $id: 'ScriptOutcome' },
);

export const runScript = route({
  name: 'v3RunScript',
  method: 'POST',
  path: '/v3/alm/stack/{stack_id}/exec',
  access: { action: 'stack:describePem' },
  summary: 'Run a script on an instance',
  description:
    'By ssh, with the key of its layer. The answer comes when the script has ended; a script that fails is a success of ' +
    'this call: look at `exit_code`. The script is recorded in the audit log. See docs/ssh.md.',
  tag: 'ssh',
  params: stackParams,
  bodyKind: 'fields',
  body: Type.Object({
    ...target,
    script: Type.String({
      minLength: 1,
      maxLength: 1024 * 1024,
      description: "One command or many lines, for the user's shell or for what `#!` names. It has no input.",
    }),
    timeout_seconds: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 600, description: 'Default: 60. Then it is ended.' }),
    ),
  }),
  replies: { 200: { description: 'The script has ended.', schema: execReply } },
  examples: {
    body: { flag: 'web0', script: 'uptime' },
    reply: {
      instance_id: 'i-0a1b2c3d4e5f60718',
      ip: '10.0.0.4',
      user: 'ec2-user',
      exit_code: 0,
      stdout: ' 12:00:00 up 3 days\n',
      stderr: '',
      truncated: false,
      timed_out: false,
      duration_ms: 312,
    },
  },
});

const cells = (most: number, description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: most, description }));

export const createTerminal = route({
  name: 'v3CreateTerminal',
  method: 'POST',
  path: '/v3/alm/stack/{stack_id}/terminal',
  access: { action: 'stack:describePem' },
  summary: 'Get a ticket for a terminal on an instance',
  description:
    'Open `url` as a WebSocket, or `page` in a browser, within a minute. The ticket opens one terminal, once.',
  tag: 'ssh',
  params: stackParams,
  bodyKind: 'fields',
  body: Type.Object({
    ...target,
    cols: cells(1000, 'Width in characters; default: 80.'),
    rows: cells(1000, 'Height in lines; default: 24.'),
  }),
  replies: {
    200: {
      description: 'The ticket.',
      schema: Type.Object(
        {
          ticket: Type.String(),
          url: Type.String({ description: 'Path of the WebSocket.' }),
          page: Type.String({ description: 'Path of the page with a terminal.' }),
          expires_in: Type.Integer({ description: 'Seconds.' }),
        },
        { $id: 'TerminalTicket' },
      ),
    },
  },
  examples: {
    body: { flag: 'web0', cols: 120, rows: 40 },
    reply: {
      ticket: '<TICKET>',
      url: '/v3/alm/terminal?ticket=<TICKET>',
      page: '/terminal?ticket=<TICKET>',
      expires_in: 60,
    },
  },
});

export const ticketInQuery = Type.Object({ ticket: Type.String({ minLength: 1, maxLength: 128 }) });

export const openTerminal = route({
  name: 'v3OpenTerminal',
  method: 'GET',
  path: '/v3/alm/terminal',
  access: 'public',
  summary: 'Open a terminal (WebSocket)',
  description:
    'Whoever has the ticket gets the terminal; 401 before the upgrade when it is not good. Binary frames are bytes, both ' +
    'ways. Text frames are JSON: you send `{"resize":[cols,rows]}`, you get `{"ready":{"title":"…"}}`, and at the end ' +
    '`{"exit":0}` or `{"error":"…"}`.',
  tag: 'ssh',
  query: ticketInQuery,
  bodyKind: 'none',
  replies: { 200: { description: 'Never; 101 and the terminal.', schema: null } },
});

export const forgetHostKey = route({
  name: 'v3ForgetHostKey',
  method: 'DELETE',
  path: '/v3/alm/stack/{stack_id}/host_key/{instance_id}',
  access: { action: 'stack:describePem' },
  summary: 'Forget the host key of an instance',
  description:
    'An instance must show the host key it showed when it was first reached by ssh. When there is a good reason that it ' +
    'changed, forget it: the next connection notes the new one.',
  tag: 'ssh',
  params: Type.Object({ ...stackParams.properties, instance_id: identifier('The instance.') }),
  bodyKind: 'none',
  replies: {
    200: { description: 'Forgotten.', schema: Type.Object({ status: Type.String() }) },
  },
});

export const sshRoutes = [runScript, createTerminal, openTerminal, forgetHostKey];
