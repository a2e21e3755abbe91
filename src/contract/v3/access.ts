import { Type } from 'typebox';
import { route } from '../route.ts';
import { accessToken, tokenExample, tokenRequest } from '../token-schema.ts';

export const issueToken = route({
  name: 'v3IssueToken',
  method: 'POST',
  path: '/v3/access_token',
  access: 'public',
  summary: 'Get an access token',
  description:
    'Grant `password` signs in a user. Grant `client_credentials` acts as an API client, or as a stack ' +
    '(`client_id` = stack id, `client_secret` = its auth_token).',
  tag: 'Access',
  bodyKind: 'fields',
  body: tokenRequest,
  errorStyle: 'oauth',
  replies: { 200: { description: 'The token.', schema: accessToken } },
  examples: {
    body: {
      grant_type: 'password',
      client_id: '<CLIENT_ID>',
      client_secret: '<CLIENT_SECRET>',
      username: 'root',
      password: '<PASSWORD>',
    },
    reply: tokenExample,
  },
});

export const revokeToken = route({
  name: 'v3RevokeToken',
  method: 'POST',
  path: '/v3/revoke',
  access: 'public',
  summary: 'Revoke an access token',
  description:
    'RFC 7009. The client names itself in the body or with HTTP Basic. Answers 200 whether or not the token was known.',
  tag: 'Access',
  bodyKind: 'fields',
  body: Type.Object({
    token: Type.Optional(Type.String()),
    token_type_hint: Type.Optional(Type.String({ description: 'Accepted and ignored.' })),
    client_id: Type.Optional(Type.String()),
    client_secret: Type.Optional(Type.String()),
  }),
  errorStyle: 'oauth',
  replies: { 200: { description: 'The token is no longer valid. No body.', schema: null } },
});

export const accessRoutes = [issueToken, revokeToken];
