import { Type } from 'typebox';
import { route } from '../route.ts';
import { identifier, optionalIdentifier } from './schemas/identifier.ts';
import { stackParams } from './schemas/stack.ts';

/** Unix account name. Never a string that a shell or a program could parse as an option. */
export const sshUser = Type.Optional(
  Type.String({
    pattern: '^([A-Za-z_][A-Za-z0-9_.-]{0,31})?$',
    description: 'User to sign in as. Default: the default user of the vendor.',
  }),
);

const target = {
  instance_id: optionalIdentifier('Instance id. Not required if there is only one instance.'),
  ip: optionalIdentifier('Private or public address of the instance. Other addresses are rejected.'),
  flag: optionalIdentifier('Flag of a layer that has exactly one instance.'),
  user: sshUser,
};

const execReply = Type.Object(
  {
    instance_id: Type.String(),
    ip: Type.String(),
    user: Type.String(),
    exit_code: Type.Integer({ description: '124: timed out. 128 or greater: terminated by a signal.' }),
    stdout: Type.String(),
    stderr: Type.String(),
    truncated: Type.Boolean({
      description: 'stdout or stderr exceeded 1 MiB; only the beginning is included.',
    }),
    timed_out: Type.Boolean(),
    duration_ms: Type.Integer(),
  },
  { $id: 'ScriptOutcome' },
);

export const runScript = route({
  name: 'v3RunScript',
  asksVendor: true,
  method: 'POST',
  path: '/v3/alm/stack/{stack_id}/exec',
  access: { action: 'stack:describePem' },
  summary: 'Run a script on an instance',
  description:
    'Runs a script over SSH, with the key of the layer, and responds when the script ends. The request also succeeds if ' +
    'the script fails: check `exit_code`. The script is recorded in the audit log. See docs/ssh.md.',
  tag: 'SSH',
  params: stackParams,
  bodyKind: 'fields',
  body: Type.Object({
    ...target,
    script: Type.String({
      minLength: 1,
      maxLength: 1024 * 1024,
      description:
        'One or more lines for the shell of the user, or for the interpreter named by `#!`. stdin is empty.',
    }),
    timeout_seconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 600,
        description: 'Time limit, after which the script is terminated. Default: 60.',
      }),
    ),
  }),
  replies: { 200: { description: 'The result of the script.', schema: execReply } },
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

const cells = (maximum: number, description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum, description }));

export const createTerminal = route({
  name: 'v3CreateTerminal',
  asksVendor: true,
  method: 'POST',
  path: '/v3/alm/stack/{stack_id}/terminal',
  access: { action: 'stack:describePem' },
  summary: 'Create a terminal ticket',
  description:
    'Open `url` as a WebSocket, or `page` in a browser, within one minute. The ticket can be used once.',
  tag: 'SSH',
  params: stackParams,
  bodyKind: 'fields',
  body: Type.Object({
    ...target,
    cols: cells(1000, 'Width in characters. Default: 80.'),
    rows: cells(1000, 'Height in lines. Default: 24.'),
  }),
  replies: {
    200: {
      description: 'The ticket.',
      schema: Type.Object(
        {
          ticket: Type.String(),
          url: Type.String({ description: 'Path of the WebSocket.' }),
          page: Type.String({ description: 'Path of the terminal page.' }),
          expires_in: Type.Integer({ description: 'Lifetime in seconds.' }),
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

const openTerminal = route({
  name: 'v3OpenTerminal',
  asksVendor: true,
  method: 'GET',
  path: '/v3/alm/terminal',
  access: 'public',
  summary: 'Open a terminal (WebSocket)',
  description:
    'The ticket grants access; an invalid or expired one is rejected with 401 before the upgrade. Binary frames carry ' +
    'terminal input and output. Text frames are JSON: the client sends `{"resize":[cols,rows]}`; the server sends ' +
    '`{"ready":{"title":"…"}}` and, at the end, `{"exit":0}` or `{"error":"…"}`.',
  tag: 'SSH',
  query: ticketInQuery,
  bodyKind: 'none',
  webSocket: true,
  replies: {
    200: { description: 'Not used. The server responds with 101 and upgrades the connection.', schema: null },
  },
});

export const forgetHostKey = route({
  name: 'v3ForgetHostKey',
  method: 'DELETE',
  path: '/v3/alm/stack/{stack_id}/host_key/{instance_id}',
  access: { action: 'stack:describePem' },
  summary: 'Delete the host key of an instance',
  description:
    'SSH connections fail if the host key of an instance differs from the one recorded at the first connection. Delete ' +
    'the recorded key if the change is expected; the next connection records the new key.',
  tag: 'SSH',
  params: Type.Object({ ...stackParams.properties, instance_id: identifier('Instance id.') }),
  bodyKind: 'none',
  replies: {
    200: { description: 'The host key is deleted.', schema: Type.Object({ status: Type.String() }) },
  },
});

export const sshRoutes = [runScript, createTerminal, openTerminal, forgetHostKey] as const;
