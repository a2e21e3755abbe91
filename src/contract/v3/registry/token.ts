import { Type } from 'typebox';
import { route } from '../../route.ts';

const text = (description: string, maxLength = 1024) =>
  Type.Optional(Type.String({ maxLength, description }));

const scope = Type.Optional(
  Type.Array(Type.String({ maxLength: 8192 }), {
    maxItems: 100,
    description:
      '`repository:<name>:<actions>` with `pull`, `push`, `delete` or `*`, or `registry:catalog:*`. Repeat the parameter, or separate several with spaces. None: only the sign-in is checked.',
  }),
);

const registryToken = Type.Object(
  {
    token: Type.String({ description: 'Send it to the registry: `Authorization: Bearer <token>`.' }),
    access_token: Type.String({ description: 'The same as `token`.' }),
    expires_in: Type.Integer({ description: 'Lifetime in seconds.' }),
    issued_at: Type.String({ description: 'RFC 3339 timestamp in UTC.' }),
    scope: Type.String({ description: 'What the token allows.' }),
    refresh_token: Type.Optional(
      Type.String({
        description: 'Gets new registry tokens; not valid for anything else. If it was asked for.',
      }),
    ),
  },
  { $id: 'RegistryToken' },
);

const reply = {
  token: '<REGISTRY_TOKEN>',
  access_token: '<REGISTRY_TOKEN>',
  expires_in: 300,
  issued_at: '2030-01-01T00:00:00Z',
  scope: 'repository:ann/shop:pull,push',
};

const replies = {
  200: {
    description: 'The token, with as much of the requested access as the caller has.',
    schema: registryToken,
  },
};

/** Shared by both API versions. Anybody may ask: the token then has access to public repositories only. */
const tokenEndpoint = {
  access: 'public',
  tag: 'Registry',
  errorStyle: 'registry',
  takesToken: true,
  countedAfterSignIn: true,
  replies,
} as const;

export const getRegistryToken = {
  ...tokenEndpoint,
  method: 'GET',
  summary: 'Get a token for the container registry',
  description:
    'The `realm` of the registry: clients such as docker call it. Sign in with HTTP Basic (username and password, a personal access token as the ' +
    'password, or id and secret of an API client of kind `service` or `owner`), with an access token (Bearer), or not at all. Access that the caller does not have is left ' +
    'out of the token.',
  query: Type.Object({
    service: text('Name of the registry; must be the one of this server.'),
    scope,
    account: text('Ignored.'),
    client_id: text('Ignored.'),
    offline_token: text('`true`: also return a refresh token, if the caller is a user.'),
  }),
  bodyKind: 'none',
  examples: { reply },
} as const;

export const postRegistryToken = {
  ...tokenEndpoint,
  method: 'POST',
  summary: 'Get a token for the container registry, as in OAuth 2.0',
  description: 'What clients call that have stored a refresh token, for example after `docker login`.',
  bodyKind: 'fields',
  body: Type.Object({
    grant_type: text('`password` or `refresh_token`.'),
    service: text('Name of the registry; must be the one of this server.'),
    client_id: text('Ignored.'),
    scope,
    access_type: text('`offline`: with `password`, also return a refresh token.'),
    username: text('With `password`.'),
    password: text('With `password`: as in HTTP Basic.', 4096),
    refresh_token: text('With `refresh_token`.', 4096),
  }),
  examples: {
    body: {
      grant_type: 'refresh_token',
      service: 'almanac-registry',
      client_id: 'docker',
      scope: ['repository:ann/shop:pull,push'],
      refresh_token: '<REFRESH_TOKEN>',
    },
    reply,
  },
} as const;

export const registryTokenRoutes = [
  route({ ...getRegistryToken, name: 'v3GetRegistryToken', path: '/v3/docker/token' }),
  route({ ...postRegistryToken, name: 'v3ExchangeRegistryToken', path: '/v3/docker/token' }),
] as const;
