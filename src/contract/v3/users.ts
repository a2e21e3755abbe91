import { Type } from 'typebox';
import { route } from '../route.ts';
import { identifier, identifierOrNothing } from './schemas/identifier.ts';

const user = Type.Object(
  {
    user_id: Type.String(),
    username: Type.String(),
    email: Type.String({ description: 'May be empty.' }),
    master: Type.Boolean({ description: "Whether it is the account's master user." }),
    create_time: Type.String({ description: 'RFC 3339 with offset.' }),
    last_login: Type.String({ description: 'RFC 3339 with offset; empty when the user never signed in.' }),
  },
  { $id: 'User' },
);

/** The form existing clients decode: all texts, and always an `api_token`, which does not exist here. */
const oneUser = Type.Object(
  { user_id: Type.String(), username: Type.String(), email: Type.String(), api_token: Type.String() },
  { $id: 'OneUser' },
);

const done = Type.Object({ status: Type.String() });
const doneExample = { status: 'success' };
const params = Type.Object({ username: identifier('Of the user.') });
const password = Type.String({ minLength: 8, maxLength: 1024, description: 'At least 8 characters.' });

const noControls = '[^\\s@\\u0000-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069]';
const email = Type.String({
  maxLength: 254,
  pattern: `^(${noControls}+@${noControls}+)?$`,
  description: 'Only kept and shown.',
});

export const createUser = route({
  name: 'v3CreateUser',
  method: 'POST',
  path: '/v3/user',
  access: 'master',
  summary: 'Create a user',
  description:
    'A user of the same account. Signs in with the password grant through any of its API clients, and may do what ' +
    'the roles attached to it allow.',
  tag: 'Users',
  bodyKind: 'fields',
  body: Type.Object({
    username: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'Letters, digits, `.`, `_`, `@` and `-`; not `root` or `role`.',
    }),
    password,
    email: Type.Optional(email),
  }),
  replies: {
    200: {
      description: 'The user exists.',
      schema: Type.Object({ status: Type.String(), user_id: Type.String() }),
    },
    409: { description: 'Another user signs in by this name.', schema: null },
  },
  examples: {
    body: { username: 'ann', password: '<PASSWORD>', email: 'ann@example.com' },
    reply: { status: 'success', user_id: '5f2b9c01d7e4a' },
  },
});

export const describeUsers = route({
  name: 'v3DescribeUsers',
  method: 'GET',
  path: '/v3/user',
  access: 'self',
  summary: 'List users, or describe one',
  description:
    'Without `username`: all users of the account, for the master account only. With it: that user, for the user ' +
    'itself and the master account.',
  tag: 'Users',
  query: Type.Object({ username: identifierOrNothing('Whom to describe.') }),
  bodyKind: 'none',
  replies: {
    200: {
      description: 'The users, or with `username` the one. `api_token` is always empty.',
      schema: Type.Union([Type.Array(user), oneUser]),
    },
  },
  examples: {
    reply: { user_id: '5f2b9c01d7e4a', username: 'ann', email: 'ann@example.com', api_token: '' },
  },
});

export const deleteUser = route({
  name: 'v3DeleteUser',
  method: 'DELETE',
  path: '/v3/user/{username}',
  access: 'master',
  summary: 'Delete a user',
  description: 'Its tokens end at once and its roles are detached. The stacks it made stay.',
  tag: 'Users',
  params,
  bodyKind: 'none',
  replies: {
    200: { description: 'The user is gone.', schema: done },
    404: { description: 'There is none.', schema: null },
    409: { description: 'The master user cannot be deleted.', schema: null },
  },
  examples: { reply: doneExample },
});

export const changePassword = route({
  name: 'v3ChangePassword',
  method: 'PUT',
  path: '/v3/user/{username}/password',
  access: 'self',
  summary: "Change a user's password",
  description:
    "One's own with `current_password`; the master account may change others' without. Every token of the user " +
    'ends, also the one this is called with.',
  tag: 'Users',
  params,
  bodyKind: 'fields',
  body: Type.Object({
    password,
    current_password: Type.Optional(
      Type.String({ maxLength: 1024, description: "Required to change one's own." }),
    ),
  }),
  replies: { 200: { description: 'The new password counts.', schema: done } },
  examples: {
    body: { password: '<NEW_PASSWORD>', current_password: '<PASSWORD>' },
    reply: doneExample,
  },
});

export const userRoutes = [createUser, describeUsers, deleteUser, changePassword];
