import { Type } from 'typebox';
import { route } from '../../route.ts';
import { identifier, optionalIdentifier } from '../schemas/identifier.ts';
import { roleIdExample } from '../schemas/role.ts';
import { otp } from './second-factor.ts';

const tag = 'Access';
const time = Type.String({ description: 'RFC 3339 timestamp with offset.' });
const token_id = Type.String({ description: 'Identifier of the token. Not the token itself.' });

const personalToken = Type.Object(
  {
    token_id,
    name: Type.String(),
    roles: Type.Array(Type.String(), { description: 'Role ids. Empty if `scope` limits the token.' }),
    scope: Type.String({ description: 'The scope as submitted. Empty if `roles` limit the token.' }),
    created: time,
    expires: time,
    last_used: Type.String({
      description: 'RFC 3339 timestamp with offset, accurate to one hour. Empty if never used.',
    }),
  },
  { $id: 'PersonalToken' },
);

const scope = Type.Union([Type.String({ minLength: 1 }), Type.Record(Type.String(), Type.Unknown())], {
  description: 'Statements as in a role: a JSON string or, in a JSON body, an object.',
});

export const createPersonalToken = route({
  name: 'v3CreatePersonalToken',
  method: 'POST',
  path: '/v3/personal_token',
  access: 'self',
  summary: 'Create a personal access token',
  description:
    'Creates a token for a program that acts as you. Set either `roles` or `scope`: the token may do what you may do at ' +
    'the time of the call, and what these allow. It cannot change users, API clients, roles, passwords, second factors or ' +
    'tokens, not even if you are the master. The response is the only time the token is shown.',
  tag,
  bodyKind: 'fields',
  body: Type.Object({
    name: identifier('What the token is for. Shown in lists and in the audit log.'),
    roles: Type.Optional(
      Type.Array(identifier('Role id.'), {
        minItems: 1,
        maxItems: 100,
        description: 'Some of your own roles. The master may name any role of the account.',
      }),
    ),
    scope: Type.Optional(scope),
    expires_in_days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 3660,
        description: 'Default: 30. The server limits it, by default to 366.',
      }),
    ),
    current_password: Type.Optional(
      Type.String({
        maxLength: 1024,
        description: 'Your password. Required: a stolen token must not create others.',
      }),
    ),
    otp,
  }),
  replies: {
    200: {
      description: 'The token.',
      schema: Type.Object({
        status: Type.String(),
        token_id,
        token: Type.String({ description: 'Starts with `almp_`.' }),
        expires: time,
      }),
    },
    409: {
      description: 'You have too many tokens, or your password was changed at the same time.',
      schema: null,
    },
  },
  examples: {
    body: { name: 'deploy', roles: [roleIdExample], expires_in_days: 90, current_password: '<PASSWORD>' },
    reply: {
      status: 'success',
      token_id: '4hT0aZp3Qx9b',
      token: 'almp_<TOKEN>',
      expires: '2030-04-01T00:00:00+00:00',
    },
  },
});

export const listPersonalTokens = route({
  name: 'v3ListPersonalTokens',
  method: 'GET',
  path: '/v3/personal_token',
  access: 'self',
  summary: 'List personal access tokens',
  description:
    'Returns your valid tokens, newest first. With `username`, the master gets those of another user.',
  tag,
  query: Type.Object({ username: optionalIdentifier('User whose tokens to list. Default: you.') }),
  bodyKind: 'none',
  replies: { 200: { description: 'The tokens.', schema: Type.Array(personalToken) } },
  examples: {
    reply: [
      {
        token_id: '4hT0aZp3Qx9b',
        name: 'deploy',
        roles: [roleIdExample],
        scope: '',
        created: '2030-01-01T00:00:00+00:00',
        expires: '2030-04-01T00:00:00+00:00',
        last_used: '',
      },
    ],
  },
});

export const revokePersonalToken = route({
  name: 'v3RevokePersonalToken',
  method: 'DELETE',
  path: '/v3/personal_token/{token_id}',
  access: 'self',
  summary: 'Revoke a personal access token',
  description: 'Takes effect immediately. The master can revoke the tokens of every user of the account.',
  tag,
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

export const personalTokenRoutes = [createPersonalToken, listPersonalTokens, revokePersonalToken] as const;
