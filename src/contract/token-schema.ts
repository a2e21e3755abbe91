import { Type } from 'typebox';

/** All optional: a missing one is an RFC 6749 error, which is the token operation's to word. */
export const tokenRequest = Type.Object({
  grant_type: Type.Optional(
    Type.String({ maxLength: 1024, description: '`password` (v3) or `client_credentials`.' }),
  ),
  client_id: Type.Optional(
    Type.String({ maxLength: 1024, description: 'May come as HTTP Basic user instead.' }),
  ),
  client_secret: Type.Optional(
    Type.String({ maxLength: 1024, description: 'May come as HTTP Basic password instead.' }),
  ),
  username: Type.Optional(Type.String({ maxLength: 1024, description: 'Only with grant `password`.' })),
  password: Type.Optional(Type.String({ maxLength: 1024, description: 'Only with grant `password`.' })),
  scope: Type.Optional(Type.String({ maxLength: 1024, description: 'Accepted and ignored.' })),
});

export const accessToken = Type.Object(
  {
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'Seconds.' }),
    access_token: Type.String(),
  },
  { $id: 'AccessToken' },
);

export const tokenExample = { token_type: 'Bearer', expires_in: 43200, access_token: '<ACCESS_TOKEN>' };
