import { Type } from 'typebox';
import { route } from '../route.ts';
import { identifier, optionalIdentifier } from './schemas/identifier.ts';
import { otp } from './sign-in/second-factor.ts';

const user = Type.Object(
  {
    user_id: Type.String(),
    username: Type.String(),
    email: Type.String({ description: 'Email address. May be empty.' }),
    master: Type.Boolean({ description: 'Whether this is the master user of the account.' }),
    create_time: Type.String({ description: 'RFC 3339 timestamp with offset.' }),
    last_login: Type.String({
      description: 'RFC 3339 timestamp with offset. Empty if the user has never signed in.',
    }),
  },
  { $id: 'User' },
);

/** Format existing clients decode: strings only, with an `api_token` that is always empty. */
export const oneUser = Type.Object(
  { user_id: Type.String(), username: Type.String(), email: Type.String(), api_token: Type.String() },
  { $id: 'OneUser' },
);

const done = Type.Object({ status: Type.String() });
const doneExample = { status: 'success' };
const params = Type.Object({ username: identifier('User name.') });
const password = Type.String({
  minLength: 8,
  maxLength: 1024,
  description: 'At least 8 characters, and not easy to guess.',
});

const noControls = '[^\\s@\\u0000-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069]';
const email = Type.String({
  maxLength: 254,
  pattern: `^(${noControls}+@${noControls}+)?$`,
  description: 'Stored and shown only.',
});

export const createUser = route({
  name: 'v3CreateUser',
  method: 'POST',
  path: '/v3/user',
  access: 'master',
  proof: 'always',
  summary: 'Create a user',
  description:
    'Creates a user in the account. The user signs in with the `password` grant through any API client of the account. ' +
    'The attached roles determine what the user may do.',
  tag: 'Users',
  query: Type.Object({
    take_repositories: Type.Optional(
      Type.Boolean({
        description:
          'Give the user the images that the registry already has in its namespace. Default: false.',
      }),
    ),
  }),
  bodyKind: 'fields',
  body: Type.Object({
    username: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'Letters, digits, `.`, `_`, `@` and `-`. `root`, `role`, `lg-…` and `mo-…` are reserved.',
    }),
    password,
    email: Type.Optional(email),
  }),
  replies: {
    200: {
      description: 'The user is created.',
      schema: Type.Object({ status: Type.String(), user_id: Type.String() }),
    },
    409: {
      description:
        'The user name is already in use, or the registry has images in its namespace; `take_repositories=true` gives them to the user.',
      schema: null,
    },
  },
  examples: {
    body: { username: 'ann', password: '<PASSWORD>', email: 'ann@example.com' },
    reply: { status: 'success', user_id: '5f2b9c01d7e4a' },
  },
});

export const describeUsers = route({
  name: 'v3DescribeUsers',
  compressed: true,
  method: 'GET',
  path: '/v3/user',
  access: 'self',
  summary: 'List users, or describe one',
  description:
    'Without `username`, returns all users of the account (master only). With `username`, returns that user ' +
    '(the user itself or the master).',
  tag: 'Users',
  query: Type.Object({ username: optionalIdentifier('User to describe.') }),
  bodyKind: 'none',
  replies: {
    200: {
      description: 'The users, or a single user if `username` is set. `api_token` is always empty.',
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
  description: 'Revokes all tokens of the user and detaches its roles. Stacks created by the user are kept.',
  tag: 'Users',
  params,
  bodyKind: 'none',
  replies: {
    200: { description: 'The user is deleted.', schema: done },
    404: { description: 'The user does not exist.', schema: null },
    409: { description: 'The master user cannot be deleted.', schema: null },
  },
  examples: { reply: doneExample },
});

export const changePassword = route({
  name: 'v3ChangePassword',
  method: 'PUT',
  path: '/v3/user/{username}/password',
  access: 'self',
  proof: 'others',
  summary: "Change a user's password",
  description:
    'Changing your own password requires `current_password`. The master can change the password of other users ' +
    'without it. Revokes all tokens of the user, including the one used for this request.',
  tag: 'Users',
  params,
  bodyKind: 'fields',
  body: Type.Object({
    password,
    current_password: Type.Optional(
      Type.String({ maxLength: 1024, description: 'Required to change your own password.' }),
    ),
    otp,
  }),
  replies: { 200: { description: 'The password is changed.', schema: done } },
  examples: {
    body: { password: '<NEW_PASSWORD>', current_password: '<PASSWORD>' },
    reply: doneExample,
  },
});

export const userRoutes = [createUser, describeUsers, deleteUser, changePassword] as const;
