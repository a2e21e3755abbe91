import { Type } from 'typebox';
import { route } from './route.ts';
import { identifier, optionalIdentifier } from './v3/schemas/identifier.ts';
import { sshUser, ticketInQuery } from './v3/ssh.ts';

/** Unversioned routes: the SSH gateway of existing clients, and the browser terminal. */
const tag = 'SSH gateway';

const publicGet = <Name extends string>(path: `/${string}`, name: Name, summary: string) =>
  ({ name, method: 'GET', path, access: 'public', summary, tag, bodyKind: 'none' }) as const;

const greet = route({
  ...publicGet('/', 'gatewayGreet', 'Identify the service'),
  headers: Type.Object({
    accept: Type.Optional(
      Type.String({ description: 'With `text/html`, as browsers send it: the web console.' }),
    ),
  }),
  replies: {
    200: { description: 'One line of plain text.', schema: null, contentType: 'text/plain' },
    303: { description: 'The web console.', schema: null },
  },
});

const greetPost = route({
  ...publicGet('/', 'gatewayGreetPost', 'Probe the gateway'),
  method: 'POST',
  replies: { 200: { description: 'The gateway is available. No body.', schema: null } },
});

const gatewayToken = route({
  name: 'gatewayToken',
  method: 'POST',
  path: '/token',
  access: 'public',
  summary: 'Sign in to the gateway',
  description:
    'Returns an access token of the user. New clients should use `/v3/access_token`, which also requires an API client.',
  tag,
  bodyKind: 'fields',
  body: Type.Object({
    username: Type.String({ minLength: 1, maxLength: 255 }),
    passwd: Type.String({
      minLength: 1,
      maxLength: 1024,
      description:
        'With a second factor, the six digits of the one-time code may follow the password directly.',
    }),
    otp: Type.Optional(Type.String({ maxLength: 64, description: 'One-time code or recovery code.' })),
    grant_type: Type.Optional(
      Type.String({ description: 'Only plain passwords are supported; password hashes are rejected.' }),
    ),
  }),
  replies: {
    200: {
      description: 'The access token.',
      schema: Type.Object({ key: Type.String() }, { $id: 'GatewayKey' }),
    },
    401: { description: 'The user name or the password is wrong.', schema: null },
    403: { description: 'The account is suspended.', schema: null },
  },
});

const keyLink = Type.Optional(
  Type.String({
    maxLength: 2048,
    description: 'Not required. If set, it must be a key link issued by this service.',
  }),
);

const ttyUrl = route({
  name: 'gatewayTtyUrl',
  asksVendor: true,
  method: 'POST',
  path: '/ttyurl',
  access: { action: 'stack:describePem' },
  summary: 'Create a terminal URL',
  description: 'The URL opens one terminal and expires after one minute. It ends with a slash.',
  tag,
  bodyKind: 'fields',
  body: Type.Object({
    stackid: identifier('Stack id.'),
    flag: optionalIdentifier('Flag of the layer.'),
    ip: optionalIdentifier('Address of an instance of the stack.'),
    user: sshUser,
    pem: keyLink,
    timeout: Type.Optional(Type.Unknown({ description: 'Ignored; the server applies its own timeout.' })),
  }),
  replies: {
    200: {
      description: 'The terminal URL.',
      schema: Type.Object({ tty_url: Type.String() }, { $id: 'TtyUrl' }),
    },
  },
});

export const gatewayExec = route({
  name: 'gatewayExec',
  asksVendor: true,
  method: 'POST',
  path: '/exec',
  access: { action: 'stack:describePem' },
  summary: 'Run a script on an instance',
  description:
    'The response does not include the exit code. A target that fails, such as an instance that does not exist or cannot be ' +
    'reached, is a success whose output is the error, so that clients with several targets continue with the others. New clients ' +
    'should use `/v3/alm/stack/{stack_id}/exec`.',
  tag,
  bodyKind: 'fields',
  body: Type.Object({
    target: Type.Object({
      stack_id: identifier('Stack id.'),
      ip: optionalIdentifier('Address of an instance of the stack.'),
      vm_user: sshUser,
      flag: optionalIdentifier('Flag of the layer.'),
      pem_url: keyLink,
    }),
    script: Type.String({ minLength: 1, maxLength: 1024 * 1024, description: 'The script, base64-encoded.' }),
  }),
  replies: {
    200: {
      description: 'The output of the script: stdout followed by stderr. Or the error of the target.',
      schema: Type.Object(
        {
          stack_id: Type.String(),
          outputs: Type.Array(
            Type.Object({
              ip: Type.String(),
              out: Type.String({ description: 'Base64-encoded.' }),
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

const ttyPage = route({
  ...publicGet('/tty/{ticket}', 'gatewayTtyPage', 'Open a terminal by URL'),
  params: ticketInPath,
  replies: { 200: { description: 'The page.', schema: null, contentType: 'text/html' } },
});

const ttyToken = route({
  ...publicGet('/tty/{ticket}/auth_token.js', 'gatewayTtyToken', 'Get the terminal authentication script'),
  params: ticketInPath,
  replies: {
    200: {
      description: 'A script that sets the authentication token.',
      schema: null,
      contentType: 'text/javascript',
    },
  },
});

const ttySocket = route({
  ...publicGet('/tty/{ticket}/ws', 'gatewayTtySocket', 'Connect to a terminal (WebSocket)'),
  description: 'Uses the GoTTY frame format of existing clients.',
  webSocket: true,
  params: ticketInPath,
  replies: {
    200: { description: 'Not used. The server responds with 101 and upgrades the connection.', schema: null },
  },
});

const terminalPage = route({
  ...publicGet('/terminal', 'terminalPage', 'Open a terminal in a browser'),
  query: Type.Partial(ticketInQuery),
  replies: { 200: { description: 'The page.', schema: null, contentType: 'text/html' } },
});

const terminalFile = route({
  ...publicGet('/terminal/{file}', 'terminalFile', 'Get a static file of the terminal page'),
  params: Type.Object({ file: Type.String({ maxLength: 64 }) }),
  replies: { 200: { description: 'The file.', schema: null, contentType: ['text/javascript', 'text/css'] } },
});

export const gatewayRoutes = [
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
] as const;
