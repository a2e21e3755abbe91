import { Type } from 'typebox';
import { route } from '../../route.ts';
import { identifier } from '../schemas/identifier.ts';

const token = Type.Object(
  {
    token_id: Type.String({ description: 'Identifier of the token. Not the token itself.' }),
    kind: Type.Literal('user'),
    client_id: Type.String({ description: 'API client the token was issued to.' }),
    issued: Type.String({ description: 'RFC 3339 timestamp with offset.' }),
    expires: Type.String({ description: 'RFC 3339 timestamp with offset.' }),
  },
  { $id: 'OwnToken' },
);

const listOwnTokens = route({
  name: 'v3ListOwnTokens',
  method: 'GET',
  path: '/v3/token',
  access: 'self',
  summary: 'List your own access tokens',
  description: 'Returns your valid tokens, newest first. Token values are not stored and cannot be returned.',
  tag: 'Access',
  bodyKind: 'none',
  replies: { 200: { description: 'The tokens.', schema: Type.Array(token) } },
  examples: {
    reply: [
      {
        token_id: '4hT0aZp3Qx9b',
        kind: 'user',
        client_id: '<CLIENT_ID>',
        issued: '2030-01-01T00:00:00+00:00',
        expires: '2030-01-01T12:00:00+00:00',
      },
    ],
  },
});

const endOwnToken = route({
  name: 'v3EndOwnToken',
  method: 'DELETE',
  path: '/v3/token/{token_id}',
  access: 'self',
  summary: 'Revoke one of your own access tokens',
  tag: 'Access',
  params: Type.Object({ token_id: identifier('Token id from the list.') }),
  bodyKind: 'none',
  replies: {
    200: {
      description: 'The token is revoked.',
      schema: Type.Object({ status: Type.String(), token_id: Type.String() }),
    },
    404: { description: 'The token does not exist.', schema: null },
  },
  examples: { reply: { status: 'success', token_id: '4hT0aZp3Qx9b' } },
});

export const ownTokenRoutes = [listOwnTokens, endOwnToken] as const;
