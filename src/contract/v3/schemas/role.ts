import { Type } from 'typebox';
import { identifier } from './identifier.ts';

const scope = Type.String({ description: 'The scope as it was sent: JSON text.' });
const create_time = Type.String({ description: 'RFC 3339 with offset.' });
const update_time = create_time;

export const role = Type.Object(
  {
    role_id: Type.String(),
    user_id: Type.String({ description: 'The master user it belongs to.' }),
    name: Type.String(),
    scope,
    create_time,
    update_time,
  },
  { $id: 'Role' },
);

export const userRole = Type.Object(
  {
    user_role_id: Type.String(),
    role_id: Type.String(),
    user: Type.String({ description: 'JSON text of an object with `user_id` and `username`.' }),
    scope,
    create_time,
    update_time,
  },
  { $id: 'UserRole' },
);

export const roleTemplate = Type.Object(
  { id: Type.String(), name: Type.String(), scope: Type.Record(Type.String(), Type.Unknown()) },
  { $id: 'RoleTemplate' },
);

/** Strict about its members only when it is read: forms and older clients send it as text. */
export const roleContent = Type.Object({
  name: identifier('What people call it.'),
  scope: Type.Union([Type.String({ minLength: 1 }), Type.Record(Type.String(), Type.Unknown())], {
    description:
      'JSON text, or in a JSON body the object itself: `Version`, and `Statement`, a list of `Effect` (`Allow` or ' +
      '`Deny`), `Action` and `Resource`. Members in any case.',
  }),
});

export const savedRole = Type.Object({
  status: Type.String(),
  role_id: Type.String(),
  warnings: Type.Optional(
    Type.Array(Type.String(), { description: 'What will probably not do what was meant.' }),
  ),
});

export const scopeExample = JSON.stringify({
  Version: '2017-05-05',
  Statement: [{ Effect: 'Allow', Action: ['stack:describeStacks', 'stack:describeStack'], Resource: ['*'] }],
});

const times = { create_time: '2030-01-01T00:00:00+00:00', update_time: '2030-01-01T00:00:00+00:00' };
export const roleIdExample = 'morole-5f2b9c01d7e4a-x9K2mQ4Lp-tk';
export const userRoleIdExample = 'mour-5f2b9c01d7e4a-B7cD1eF2g-tk';

export const roleExample = {
  role_id: roleIdExample,
  user_id: '5f2b9c01d7e4a',
  name: 'read only',
  scope: scopeExample,
  ...times,
};

export const userRoleExample = {
  user_role_id: userRoleIdExample,
  role_id: roleIdExample,
  user: '{"user_id":"81c0de52ab34f","username":"ann"}',
  scope: scopeExample,
  ...times,
};
