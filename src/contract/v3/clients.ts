import { Type } from 'typebox';
import { type ClientKind, defaultClientKind, publicClientId } from '../../model/client-kinds.ts';
import { route } from '../route.ts';
import { clientKind, clientRightsRoutes } from './client-rights.ts';
import { identifier } from './schemas/identifier.ts';
import { roleIdExample } from './schemas/role.ts';

const client = Type.Object(
  {
    client_id: Type.String(),
    label: Type.String(),
    create_time: Type.String({ description: 'RFC 3339 timestamp with offset.' }),
    kind: clientKind,
    roles: Type.Array(Type.String(), { description: 'Role ids. Only a client of kind `service` has roles.' }),
    users: Type.Array(Type.String(), { description: 'Users who signed in through it.' }),
    warning: Type.Optional(
      Type.String({ description: 'Set if users other than the master know the secret of an owner client.' }),
    ),
  },
  { $id: 'ApiClient' },
);

const withSecret = Type.Object(
  {
    status: Type.String(),
    client_id: Type.String(),
    kind: clientKind,
    client_secret: Type.String({ description: 'Returned only once; the server stores only a digest.' }),
  },
  { $id: 'ApiClientWithSecret' },
);

const params = Type.Object({ client_id: identifier('API client id.') });
const secretExample = {
  status: 'success',
  client_id: '<CLIENT_ID>',
  kind: 'service',
  client_secret: '<CLIENT_SECRET>',
};

export const createClient = route({
  name: 'v3CreateClient',
  method: 'POST',
  path: '/v3/client',
  access: 'master',
  proof: 'always',
  summary: 'Create an API client',
  description:
    'Create one API client per program, so that each can be revoked separately. Users need none: they sign in through ' +
    `the public client \`${publicClientId}\`, without a secret.`,
  tag: 'API clients',
  bodyKind: 'fields',
  body: Type.Object({
    label: identifier('Display name.'),
    kind: Type.Optional(Type.Unsafe<ClientKind>({ ...clientKind, default: defaultClientKind })),
  }),
  replies: { 200: { description: 'The API client and its secret.', schema: withSecret } },
  examples: { body: { label: 'build server', kind: 'service' }, reply: secretExample },
});

export const listClients = route({
  name: 'v3ListClients',
  method: 'GET',
  path: '/v3/client',
  access: 'master',
  summary: 'List API clients',
  tag: 'API clients',
  bodyKind: 'none',
  replies: { 200: { description: 'The API clients, oldest first.', schema: Type.Array(client) } },
  examples: {
    reply: [
      {
        client_id: '<CLIENT_ID>',
        label: 'build server',
        create_time: '2030-01-01T00:00:00+00:00',
        kind: 'service',
        roles: [roleIdExample],
        users: [],
      },
    ],
  },
});

export const deleteClient = route({
  name: 'v3DeleteClient',
  method: 'DELETE',
  path: '/v3/client/{client_id}',
  access: 'master',
  summary: 'Delete an API client',
  description: 'Revokes all tokens issued to the client, including user tokens.',
  tag: 'API clients',
  params,
  bodyKind: 'none',
  replies: {
    200: {
      description: 'The API client is deleted.',
      schema: Type.Object({ status: Type.String(), client_id: Type.String() }),
    },
    404: { description: 'The API client does not exist.', schema: null },
  },
  examples: { reply: { status: 'success', client_id: '<CLIENT_ID>' } },
});

export const rotateClient = route({
  name: 'v3RotateClient',
  method: 'POST',
  path: '/v3/client/{client_id}/rotate',
  access: 'master',
  proof: 'always',
  summary: 'Rotate the secret of an API client',
  description:
    'Revokes the old secret and the tokens of the client itself. Users who signed in through the client stay signed in.',
  tag: 'API clients',
  params,
  bodyKind: 'none',
  replies: {
    200: { description: 'The API client and its new secret.', schema: withSecret },
    404: { description: 'The API client does not exist.', schema: null },
  },
  examples: { reply: secretExample },
});

export const clientRoutes = [
  createClient,
  listClients,
  deleteClient,
  rotateClient,
  ...clientRightsRoutes,
] as const;
