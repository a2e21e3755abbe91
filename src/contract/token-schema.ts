import { Type } from 'typebox';

/** All members are optional here: the token operation reports a missing one as an RFC 6749 error. */
export const tokenRequest = Type.Object({
  grant_type: Type.Optional(
    Type.String({
      maxLength: 1024,
      description: '`password` or `authorization_code` (v3 only), or `client_credentials`.',
    }),
  ),
  client_id: Type.Optional(
    Type.String({
      maxLength: 1024,
      description: 'API client id. Alternatively, send it as the HTTP Basic user.',
    }),
  ),
  client_secret: Type.Optional(
    Type.String({
      maxLength: 1024,
      description: 'API client secret. Alternatively, send it as the HTTP Basic password.',
    }),
  ),
  username: Type.Optional(
    Type.String({ maxLength: 1024, description: 'Required for the `password` grant.' }),
  ),
  password: Type.Optional(
    Type.String({ maxLength: 1024, description: 'Required for the `password` grant.' }),
  ),
  code: Type.Optional(
    Type.String({
      maxLength: 1024,
      description: 'Required for `authorization_code`: the code from the redirect of `/v3/sign_in/oidc`.',
    }),
  ),
  code_verifier: Type.Optional(
    Type.String({
      maxLength: 128,
      description: 'Required for `authorization_code`: the text whose SHA-256 is `code_challenge`.',
    }),
  ),
  redirect_uri: Type.Optional(Type.String({ maxLength: 1024, description: 'Ignored.' })),
  otp: Type.Optional(
    Type.String({
      maxLength: 64,
      description:
        'One-time code or recovery code. Required for the `password` grant if the user has a second factor; the error is then `mfa_required`.',
    }),
  ),
  scope: Type.Optional(Type.String({ maxLength: 1024, description: 'Ignored.' })),
});

export const accessToken = Type.Object(
  {
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'Lifetime in seconds.' }),
    access_token: Type.String(),
  },
  { $id: 'AccessToken' },
);

export const tokenExample = { token_type: 'Bearer', expires_in: 43200, access_token: '<ACCESS_TOKEN>' };

/** Token endpoint, shared by both API versions. */
export const tokenEndpoint = {
  method: 'POST',
  access: 'public',
  summary: 'Get an access token',
  tag: 'Access',
  bodyKind: 'fields',
  body: tokenRequest,
  errorStyle: 'oauth',
  replies: { 200: { description: 'The access token.', schema: accessToken } },
} as const;
