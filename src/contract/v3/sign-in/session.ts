import { Type } from 'typebox';
import { route } from '../../route.ts';
import { optionalIdentifier } from '../schemas/identifier.ts';
import { answeredCredential } from '../schemas/passkey.ts';

const tag = 'Session';
const time = (description: string) =>
  Type.String({ description: `${description} RFC 3339 timestamp with offset.` });
const nothing = (description: string) => ({ 204: { description, schema: null } });

/** Browsers send these; they show which page a request comes from. */
const pageHeaders = Type.Object({
  origin: Type.Optional(Type.String({ description: 'Sent by browsers.' })),
  host: Type.Optional(Type.String({ description: 'Sent by every client.' })),
  'sec-fetch-site': Type.Optional(Type.String({ description: 'Sent by browsers.' })),
});

const createSession = route({
  name: 'v3CreateSession',
  method: 'POST',
  path: '/v3/session',
  access: 'public',
  summary: 'Sign in a browser',
  description:
    'Sets a cookie with an access token: `__Host-alm` over https, `alm` over plain http. The cookie counts on the routes of users, for requests ' +
    'of a page of this service only. Over plain http, only an address of the same machine is accepted, unless the operator has set `ALM_CONSOLE_HTTP`. Programs use `/v3/access_token`.',
  tag,
  headers: pageHeaders,
  bodyKind: 'fields',
  body: Type.Object({
    username: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    password: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
    otp: Type.Optional(
      Type.String({
        maxLength: 64,
        description:
          'One-time code or recovery code. Required if the user has a second factor; the error is then `mfa_required`.',
      }),
    ),
    code: Type.Optional(
      Type.String({
        maxLength: 128,
        description:
          'Instead of name and password: the code of `/v3/sign_in/oidc`, started with `client_id=console`.',
      }),
    ),
    code_verifier: Type.Optional(
      Type.String({ maxLength: 128, description: 'Goes with `code` (RFC 7636).' }),
    ),
    passkey: Type.Optional(answeredCredential),
  }),
  replies: {
    ...nothing('The user is signed in. The cookie is in `Set-Cookie`.'),
    401: {
      description: 'The user name or the password is wrong, or the passkey was not accepted.',
      schema: null,
    },
    403: { description: 'Another site sent the request, or the account is suspended.', schema: null },
  },
  examples: { body: { username: 'root', password: '<PASSWORD>' } },
});

const user = Type.Object({
  name: Type.String(),
  master: Type.Boolean({ description: 'Whether the token has the rights of the master.' }),
  account_id: Type.String(),
  namespace: Type.Union([Type.String(), Type.Null()], {
    description:
      "First part of the names of the user's repositories in the container registry. `null`: the user name is not possible there.",
  }),
});

const registry = Type.Object({
  url: Type.Union([Type.String(), Type.Null()], {
    description: 'Address of the container registry, for container tools. `null`: this service has none.',
  }),
  service: Type.String({ description: 'Service name that registry tokens are for.' }),
});

const session = Type.Object(
  {
    user: Type.Union([user, Type.Null()], { description: '`null`: nobody is signed in.' }),
    expires_at: Type.Optional(time('When the token ends.')),
    renewable_until: Type.Optional(
      Type.Union([time('When the session ends at the latest.'), Type.Null()], {
        description: '`null`: the token is not one of a session, and cannot be renewed.',
      }),
    ),
    actions: Type.Optional(
      Type.Record(Type.String(), Type.Boolean(), {
        description: 'For each action, whether it may be allowed for at least one stack or resource.',
      }),
    ),
    sign_in: Type.Object({
      password: Type.Boolean({ description: 'Whether users can sign in with a password.' }),
      openid: Type.Union([Type.String(), Type.Null()], {
        description:
          'Path at which a browser starts to sign in with the OpenID provider. `null`: there is none.',
      }),
      passkeys_off: Type.Union([Type.String(), Type.Null()], {
        description: 'Why nobody can use passkeys here. `null`: they can be used.',
      }),
    }),
    registry,
    version: Type.String({ description: 'Version of the service.' }),
  },
  { $id: 'Session' },
);

const signIn = { password: true, openid: null, passkeys_off: null };

export const describeSession = route({
  name: 'v3DescribeSession',
  method: 'GET',
  path: '/v3/session',
  access: 'public',
  takesToken: true,
  summary: 'Describe who is signed in',
  description: 'For a cookie or a token of a user. Without a valid one, `user` is `null`.',
  tag,
  bodyKind: 'none',
  replies: { 200: { description: 'The session.', schema: session } },
  examples: {
    reply: {
      user: { name: 'ann', master: false, account_id: '5f2b9c01d7e4a', namespace: 'ann' },
      expires_at: '2030-01-01T12:00:00+00:00',
      renewable_until: '2030-01-08T00:00:00+00:00',
      actions: { 'stack:describeStack': true, 'stack:deleteStack': false },
      sign_in: signIn,
      registry: { url: 'https://registry.example.com', service: 'almanac-registry' },
      version: '0.1.0',
    },
  },
});

const endSession = route({
  name: 'v3EndSession',
  method: 'DELETE',
  path: '/v3/session',
  access: 'public',
  takesToken: true,
  summary: 'Sign out',
  description:
    'Ends the token of the request, and deletes the cookie. Without a valid token, it only deletes the cookie.',
  tag,
  headers: pageHeaders,
  bodyKind: 'none',
  replies: {
    ...nothing('The user is signed out.'),
    401: { description: 'Another site sent the request.', schema: null },
    403: { description: 'The token is not that of a sign-in of a user.', schema: null },
  },
});

export const renewSession = route({
  name: 'v3RenewSession',
  method: 'POST',
  path: '/v3/session/renew',
  access: 'self',
  summary: 'Renew a session',
  description:
    'Replaces the token of a session in the cookie, if it is older than one hour. The old token ends a minute later. A session can be renewed for 7 days.',
  tag,
  headers: pageHeaders,
  bodyKind: 'none',
  replies: {
    200: {
      description: 'The session.',
      schema: Type.Object(
        {
          expires_at: time('When the token ends.'),
          renewable_until: time('When the session ends at the latest.'),
        },
        { $id: 'RenewedSession' },
      ),
    },
    409: { description: 'The token is not one of a session.', schema: null },
  },
  examples: {
    reply: { expires_at: '2030-01-01T13:00:00+00:00', renewable_until: '2030-01-08T00:00:00+00:00' },
  },
});

export const describePermissions = route({
  name: 'v3DescribePermissions',
  compressed: true,
  method: 'GET',
  path: '/v3/session/permissions',
  access: 'self',
  summary: 'List what you may do, and why not',
  description:
    'For one stack, or without `stack_id` on any resource. The reason names the statement of the role that decides.',
  tag,
  query: Type.Object({ stack_id: optionalIdentifier('Stack id.') }),
  bodyKind: 'none',
  replies: {
    200: {
      description: 'Every action.',
      schema: Type.Object(
        {
          roles: Type.Array(Type.Object({ role_id: Type.String(), name: Type.String() }), {
            description: 'Your roles. Empty for the master, and where the default rights of users apply.',
          }),
          actions: Type.Record(
            Type.String(),
            Type.Object({ allowed: Type.Boolean(), reason: Type.String() }),
          ),
        },
        { $id: 'OwnPermissions' },
      ),
    },
  },
  examples: {
    reply: {
      roles: [{ role_id: 'morole-5f2b9c01d7e4a-A1bC2dE3f-tk', name: 'developer' }],
      actions: {
        'stack:deleteStack': {
          allowed: false,
          reason:
            'You do not have permission for stack:deleteStack. Statement 2 of role "developer" denies it. Ask the master to change your roles.',
        },
      },
    },
  },
});

export const sessionRoutes = [
  createSession,
  describeSession,
  endSession,
  renewSession,
  describePermissions,
] as const;
