import { Type } from 'typebox';
import { type Route, route } from './route.ts';
import { identifier, identifierOrNothing } from './v3/schemas/identifier.ts';
import { sshUser, ticketInQuery } from './v3/ssh.ts';

/** What existing clients call the ssh gateway, and the page with a terminal: neither belongs to a version. */
const tag = 'ssh gateway';

const text = (path: `/${string}`, name: string, summary: string) =>
  ({ name, method: 'GET', path, access: 'public', summary, tag, bodyKind: 'none' }) as const;

export const greet = route({
  ...text('/', 'gatewayGreet', 'What this is'),
  replies: { 200: { description: 'A line of text.', schema: null, contentType: 'text/plain' } },
});

export const greetPost = route({
  ...text('/', 'gatewayGreetPost', 'Is there a gateway'),
  method: 'POST',
  replies: { 200: { description: 'There is.', schema: null } },
});

export const gatewayToken = route({
  name: 'gatewayToken',
  method: 'POST',
  path: '/token',
  access: 'public',
  summary: 'Sign in at the gateway',
  description:
    'The key is an access token of the user. New clients use `/v3/access_token`, which asks for an API client as well.',
  tag,
  bodyKind: 'fields',
  body: Type.Object({
    username: Type.String({ minLength: 1, maxLength: 255 }),
    passwd: Type.String({ minLength: 1, maxLength: 1024 }),
    grant_type: Type.Optional(
      Type.String({ description: 'Only the password itself is taken, not a hash of it.' }),
    ),
  }),
  replies: {
    200: { description: 'The key.', schema: Type.Object({ key: Type.String() }, { $id: 'GatewayKey' }) },
  },
});

const keyLink = Type.Optional(
  Type.String({ maxLength: 2048, description: 'Not needed; when sent, it must be a link of this service.' }),
);

export const ttyUrl = route({
  name: 'gatewayTtyUrl',
  method: 'POST',
  path: '/ttyurl',
  access: { action: 'stack:describePem' },
  summary: 'Get the address of a terminal',
  description: 'It is good for one terminal, within a minute. Its end is a slash.',
  tag,
  bodyKind: 'fields',
  body: Type.Object({
    stackid: identifier('The stack.'),
    flag: identifierOrNothing('The layer.'),
    ip: identifierOrNothing('An address of one of its instances.'),
    user: sshUser,
    pem: keyLink,
    timeout: Type.Optional(Type.Unknown({ description: 'Not looked at: the server has its own limits.' })),
  }),
  replies: {
    200: { description: 'The address.', schema: Type.Object({ tty_url: Type.String() }, { $id: 'TtyUrl' }) },
  },
});

export const gatewayExec = route({
  name: 'gatewayExec',
  method: 'POST',
  path: '/exec',
  access: { action: 'stack:describePem' },
  summary: 'Run a script through the gateway',
  description: 'The exit code is not told; new clients use `/v3/alm/stack/{stack_id}/exec`.',
  tag,
  bodyKind: 'fields',
  body: Type.Object({
    target: Type.Object({
      stack_id: identifier('The stack.'),
      ip: identifierOrNothing('An address of one of its instances.'),
      vm_user: sshUser,
      flag: identifierOrNothing('The layer.'),
      pem_url: keyLink,
    }),
    script: Type.String({ minLength: 1, maxLength: 1024 * 1024, description: 'In base64.' }),
  }),
  replies: {
    200: {
      description: 'What it wrote, first on its output, then on its error output.',
      schema: Type.Object(
        {
          stack_id: Type.String(),
          outputs: Type.Array(
            Type.Object({
              ip: Type.String(),
              out: Type.String({ description: 'In base64.' }),
              err: Type.Null(),
            }),
          ),
        },
        { $id: 'GatewayOutputs' },
      ),
    },
  },
});

const ticketInPath = Type.Object({ ticket: Type.String({ minLength: 1, maxLength: 128 }) });

export const ttyPage = route({
  ...text('/tty/{ticket}', 'gatewayTtyPage', 'Open the terminal in a browser'),
  params: ticketInPath,
  replies: { 200: { description: 'The page.', schema: null, contentType: 'text/html' } },
});

export const ttyToken = route({
  ...text('/tty/{ticket}/auth_token.js', 'gatewayTtyToken', 'What the terminal is opened with'),
  params: ticketInPath,
  replies: { 200: { description: 'A line of script.', schema: null, contentType: 'application/javascript' } },
});

export const ttySocket = route({
  ...text('/tty/{ticket}/ws', 'gatewayTtySocket', 'The terminal (WebSocket)'),
  description: 'In the frames that existing clients send and read.',
  params: ticketInPath,
  replies: { 200: { description: 'Never; 101 and the terminal.', schema: null } },
});

export const terminalPage = route({
  ...text('/terminal', 'terminalPage', 'A terminal in the browser'),
  query: Type.Partial(ticketInQuery),
  replies: { 200: { description: 'The page.', schema: null, contentType: 'text/html' } },
});

export const terminalFile = route({
  ...text('/terminal/{file}', 'terminalFile', 'What the page of the terminal consists of'),
  params: Type.Object({ file: Type.String({ maxLength: 64 }) }),
  replies: { 200: { description: 'The file.', schema: null, contentType: 'application/javascript' } },
});

export const gatewayRoutes: readonly Route[] = [
  greet,
  greetPost,
  gatewayToken,
  ttyUrl,
  gatewayExec,
  ttyPage,
  ttyToken,
  ttySocket,
  terminalPage,
  terminalFile,
];
