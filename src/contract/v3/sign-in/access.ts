import { Type } from 'typebox';
import { route } from '../../route.ts';
import { tokenEndpoint, tokenExample } from '../../token-schema.ts';

export const issueToken = route({
  ...tokenEndpoint,
  name: 'v3IssueToken',
  path: '/v3/access_token',
  description:
    'The `password` grant signs in a user. The `authorization_code` grant finishes a sign-in with an OpenID provider. The `client_credentials` grant authenticates an API client, or a stack ' +
    '(`client_id`: the stack id, `client_secret`: its `auth_token`).',
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

const revokeToken = route({
  name: 'v3RevokeToken',
  method: 'POST',
  path: '/v3/revoke',
  access: 'public',
  summary: 'Revoke an access token',
  description:
    'Follows RFC 7009. The client authenticates in the body or with HTTP Basic. Returns 200 even if the token is unknown.',
  tag: 'Access',
  bodyKind: 'fields',
  body: Type.Object({
    token: Type.Optional(Type.String()),
    token_type_hint: Type.Optional(Type.String({ description: 'Ignored.' })),
    client_id: Type.Optional(Type.String()),
    client_secret: Type.Optional(Type.String()),
  }),
  errorStyle: 'oauth',
  replies: { 200: { description: 'The token is revoked. No body.', schema: null } },
});

export const accessRoutes = [issueToken, revokeToken] as const;
