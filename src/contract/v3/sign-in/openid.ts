import { Type } from 'typebox';
import { route } from '../../route.ts';
import { identifier } from '../schemas/identifier.ts';

const redirect = {
  302: { description: 'Redirect.', schema: null },
  404: { description: 'This server has no OpenID provider.', schema: null },
};
const parameter = (description: string, maxLength = 4096) =>
  Type.Optional(Type.String({ maxLength, description }));

const startOpenIdSignIn = route({
  name: 'v3StartOpenIdSignIn',
  method: 'GET',
  path: '/v3/sign_in/oidc',
  access: 'public',
  summary: 'Start a sign-in with the OpenID provider, in a browser',
  description:
    'Redirects to the OpenID provider, and from there back to `redirect_uri` with `code` and `state`, or with `error` and ' +
    '`error_description`. Exchange the code at `/v3/access_token` with `grant_type=authorization_code` within 60 seconds. ' +
    'Follows RFC 7636 and RFC 8252.',
  tag: 'Access',
  query: Type.Object({
    response_type: Type.Literal('code'),
    client_id: Type.String({
      maxLength: 128,
      description: '`alm`, or `console` for a page that then calls `POST /v3/session`.',
    }),
    redirect_uri: Type.String({
      maxLength: 500,
      description: '`http://127.0.0.1:<port>/…`, `http://[::1]:<port>/…`, or a page of this service.',
    }),
    state: parameter('Returned unchanged. Compare it, to be sure that the reply is to your request.', 500),
    code_challenge: Type.String({
      pattern: '^[A-Za-z0-9_-]{43}$',
      description: 'SHA-256 of `code_verifier`, in base64url without padding.',
    }),
    code_challenge_method: Type.Literal('S256'),
  }),
  bodyKind: 'none',
  replies: redirect,
});

export const finishOpenIdSignIn = route({
  name: 'v3FinishOpenIdSignIn',
  method: 'GET',
  path: '/v3/sign_in/oidc/callback',
  access: 'public',
  summary: 'Return from the OpenID provider',
  description: 'Register this URL at the provider as the redirect URI. Only browsers call it.',
  tag: 'Access',
  query: Type.Object({
    code: parameter('Code of the provider.'),
    state: parameter('State of the request.'),
    iss: parameter('Issuer.'),
    error: parameter('Error of the provider.'),
    error_description: parameter('Error of the provider.'),
  }),
  headers: Type.Object({ cookie: Type.Optional(Type.String({ description: 'Set by the start.' })) }),
  bodyKind: 'none',
  replies: redirect,
});

const params = Type.Object({ username: identifier('User name.') });
const identity = Type.Object(
  {
    issuer: Type.String({ description: 'URL of the OpenID provider.' }),
    subject: Type.String({ description: "The provider's id of the person: the claim `sub`." }),
  },
  { $id: 'OpenIdIdentity' },
);
const identityExample = { issuer: 'https://login.example.com', subject: '248289761001' };
const noIdentity = { 404: { description: 'The user does not exist or is not linked.', schema: null } };

export const linkOpenId = route({
  name: 'v3LinkOpenId',
  method: 'PUT',
  path: '/v3/user/{username}/openid',
  access: 'master',
  proof: 'always',
  summary: 'Link a user with an identity of the OpenID provider',
  description:
    'The person with this identity can then sign in as the user. Replaces the identity that was linked before. The master user ' +
    'cannot be linked.',
  tag: 'Users',
  params,
  bodyKind: 'fields',
  body: Type.Object({
    subject: Type.String({ minLength: 1, maxLength: 255, description: 'The claim `sub`.' }),
    issuer: Type.Optional(
      Type.String({ minLength: 1, maxLength: 500, description: 'Default: the provider of this server.' }),
    ),
  }),
  replies: {
    200: { description: 'The user is linked.', schema: identity },
    404: { description: 'The user does not exist.', schema: null },
    409: {
      description: 'The identity is linked with another user, or the user is the master.',
      schema: null,
    },
  },
  examples: { body: { subject: '248289761001' }, reply: identityExample },
});

const describeOpenId = route({
  name: 'v3DescribeOpenId',
  method: 'GET',
  path: '/v3/user/{username}/openid',
  access: 'master',
  summary: 'Describe the identity that a user is linked with',
  tag: 'Users',
  params,
  bodyKind: 'none',
  replies: { 200: { description: 'The identity.', schema: identity }, ...noIdentity },
  examples: { reply: identityExample },
});

export const unlinkOpenId = route({
  name: 'v3UnlinkOpenId',
  method: 'DELETE',
  path: '/v3/user/{username}/openid',
  access: 'master',
  summary: 'Unlink a user from the OpenID provider',
  description: 'The user keeps its password, roles and tokens.',
  tag: 'Users',
  params,
  bodyKind: 'none',
  replies: {
    200: { description: 'The user is unlinked.', schema: Type.Object({ status: Type.String() }) },
    ...noIdentity,
  },
  examples: { reply: { status: 'success' } },
});

export const openIdRoutes = [
  startOpenIdSignIn,
  finishOpenIdSignIn,
  linkOpenId,
  describeOpenId,
  unlinkOpenId,
] as const;
