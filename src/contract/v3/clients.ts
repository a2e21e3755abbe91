import { Type } from 'typebox';
import { route } from '../route.ts';
import { identifier } from './schemas/identifier.ts';

const client = Type.Object(
  {
    client_id: Type.String(),
    label: Type.String(),
    create_time: Type.String({ description: 'RFC 3339 with offset.' }),
  },
  { $id: 'ApiClient' },
);

const withSecret = Type.Object(
  {
    status: Type.String(),
    client_id: Type.String(),
    client_secret: Type.String({ description: 'Shown this once: only its digest is kept.' }),
  },
  { $id: 'ApiClientWithSecret' },
);

const params = Type.Object({ client_id: identifier('Of the API client.') });
const secretExample = { status: 'success', client_id: '<CLIENT_ID>', client_secret: '<CLIENT_SECRET>' };

export const createClient = route({
  name: 'v3CreateClient',
  method: 'POST',
  path: '/v3/client',
  access: 'master',
  summary: 'Create an API client',
  description: 'Give each program its own: then each can be ended alone.',
  tag: 'API clients',
  bodyKind: 'fields',
  body: Type.Object({ label: identifier('What people call it.') }),
  replies: { 200: { description: 'The client and its secret.', schema: withSecret } },
  examples: { body: { label: 'build server' }, reply: secretExample },
});

export const listClients = route({
  name: 'v3ListClients',
  method: 'GET',
  path: '/v3/client',
  access: 'master',
  summary: 'List API clients',
  tag: 'API clients',
  bodyKind: 'none',
  replies: { 200: { description: 'The clients, oldest first.', schema: Type.Array(client) } },
  examples: {
    reply: [{ client_id: '<CLIENT_ID>', label: 'build server', create_time: '2030-01-01T00:00:00+00:00' }],
  },
});

export const deleteClient = route({
  name: 'v3DeleteClient',
  method: 'DELETE',
  path: '/v3/client/{client_id}',
  access: 'master',
  summary: 'Delete an API client',
  description: 'Every token got through it ends at once, those of users too.',
  tag: 'API clients',
  params,
  bodyKind: 'none',
  replies: {
    200: {
      description: 'The client is gone.',
      schema: Type.Object({ status: Type.String(), client_id: Type.String() }),
    },
    404: { description: 'There is none.', schema: null },
    409: { description: "It is the account's last one.", schema: null },
  },
  examples: { reply: { status: 'success', client_id: '<CLIENT_ID>' } },
});

export const rotateClient = route({
  name: 'v3RotateClient',
  method: 'POST',
  path: '/v3/client/{client_id}/rotate',
  access: 'master',
  summary: 'Give an API client a new secret',
  description:
    "The old secret and the client's own tokens end at once. Users who signed in through it stay signed in.",
  tag: 'API clients',
  params,
  bodyKind: 'none',
  replies: {
    200: { description: 'The client and its new secret.', schema: withSecret },
    404: { description: 'There is none.', schema: null },
  },
  examples: { reply: secretExample },
});

export const clientRoutes = [createClient, listClients, deleteClient, rotateClient];
