import { Type } from 'typebox';
import { route } from '../../route.ts';
import { identifier } from '../schemas/identifier.ts';

const token = Type.Object(
  {
    token_id: Type.String({ description: 'Identifier of the token. Not the token itself.' }),
    kind: Type.Literal('user'),
    client_id: Type.String({ description: 'API client the token was issued to.' }),
    client_kind: Type.String({ description: 'Kind of that client, such as `sign-in`.' }),
    grant_type: Type.String({ description: 'How the user signed in. Empty for tokens of older versions.' }),
    address: Type.String({ description: 'IP address of the sign-in.' }),
    user_agent: Type.String({ description: 'Program of the sign-in, as it names itself; shortened.' }),
    issued: Type.String({ description: 'RFC 3339 timestamp with offset.' }),
    expires: Type.String({ description: 'RFC 3339 timestamp with offset.' }),
    last_used: Type.String({
      description: 'RFC 3339 timestamp with offset, to the minute. Empty if the token was not used yet.',
    }),
    current: Type.Boolean({ description: 'Whether this request was sent with the token.' }),
  },
  { $id: 'OwnToken' },
);

const tokensExample = [
  {
    token_id: '4hT0aZp3Qx9b',
    kind: 'user',
    client_id: '<CLIENT_ID>',
    client_kind: 'sign-in',
    grant_type: 'password',
    address: '192.0.2.7',
    user_agent: 'alm',
    issued: '2030-01-01T00:00:00+00:00',
    expires: '2030-01-01T12:00:00+00:00',
    last_used: '2030-01-01T03:04:00+00:00',
    current: true,
  },
];

const listed = { 200: { description: 'The tokens.', schema: Type.Array(token) } };
const revokedOne = {
  200: {
    description: 'The token is revoked.',
    schema: Type.Object({ status: Type.String(), token_id: Type.String() }),
  },
  404: { description: 'The token does not exist.', schema: null },
};
const revokedOneExample = { status: 'success', token_id: '4hT0aZp3Qx9b' };
const revokedMany = {
  200: {
    description: 'The tokens are revoked.',
    schema: Type.Object({
      status: Type.String(),
      revoked: Type.Integer({ description: 'Number of tokens.' }),
    }),
  },
};
const revokedManyExample = { status: 'success', revoked: 2 };
const tokenId = identifier('Token id from the list.');
const username = identifier('User name.');

export const listOwnTokens = route({
  name: 'v3ListOwnTokens',
  method: 'GET',
  path: '/v3/token',
  access: 'self',
  summary: 'List your own access tokens',
  description: 'Returns your valid tokens, newest first. Token values are not stored and cannot be returned.',
  tag: 'Access',
  bodyKind: 'none',
  replies: listed,
  examples: { reply: tokensExample },
});

export const endOwnToken = route({
  name: 'v3EndOwnToken',
  method: 'DELETE',
  path: '/v3/token/{token_id}',
  access: 'self',
  summary: 'Revoke one of your own access tokens',
  tag: 'Access',
  params: Type.Object({ token_id: tokenId }),
  bodyKind: 'none',
  replies: revokedOne,
  examples: { reply: revokedOneExample },
});

export const endOtherTokens = route({
  name: 'v3EndOtherTokens',
  method: 'DELETE',
  path: '/v3/token',
  access: 'self',
  summary: 'Revoke all of your access tokens except the one of this request',
  tag: 'Access',
  bodyKind: 'none',
  replies: revokedMany,
  examples: { reply: revokedManyExample },
});

export const listTokensOfUser = route({
  name: 'v3ListTokensOfUser',
  method: 'GET',
  path: '/v3/user/{username}/token',
  access: 'master',
  summary: 'List the access tokens of a user',
  description: 'Returns the valid tokens, newest first. Token values are not stored and cannot be returned.',
  tag: 'Access',
  params: Type.Object({ username }),
  bodyKind: 'none',
  replies: listed,
  examples: { reply: tokensExample },
});

export const endTokenOfUser = route({
  name: 'v3EndTokenOfUser',
  method: 'DELETE',
  path: '/v3/user/{username}/token/{token_id}',
  access: 'master',
  summary: 'Revoke one access token of a user',
  tag: 'Access',
  params: Type.Object({ username, token_id: tokenId }),
  bodyKind: 'none',
  replies: revokedOne,
  examples: { reply: revokedOneExample },
});

export const endTokensOfUser = route({
  name: 'v3EndTokensOfUser',
  method: 'DELETE',
  path: '/v3/user/{username}/token',
  access: 'master',
  summary: 'Revoke all access tokens of a user',
  description: 'Also revokes the personal access tokens of the user.',
  tag: 'Access',
  params: Type.Object({ username }),
  bodyKind: 'none',
  replies: revokedMany,
  examples: { reply: revokedManyExample },
});

export const ownTokenRoutes = [
  listOwnTokens,
  endOwnToken,
  endOtherTokens,
  listTokensOfUser,
  endTokenOfUser,
  endTokensOfUser,
] as const;
