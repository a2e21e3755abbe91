import { Type } from 'typebox';
import { identifier } from './identifier.ts';

const scope = Type.String({ description: 'The scope as submitted, as a JSON string.' });
const create_time = Type.String({ description: 'RFC 3339 timestamp with offset.' });
const update_time = create_time;

export const role = Type.Object(
  {
    role_id: Type.String(),
    user_id: Type.String({ description: 'Master user that owns the role.' }),
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
    user: Type.String({ description: 'JSON string of an object with `user_id` and `username`.' }),
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

/** The scope is validated when it is parsed: forms and older clients send it as a string. */
export const roleContent = Type.Object({
  name: identifier('Display name.'),
  scope: Type.Union([Type.String({ minLength: 1 }), Type.Record(Type.String(), Type.Unknown())], {
    description:
      'A JSON string or, in a JSON body, an object with `Version` and `Statement`: an array of objects with `Effect` ' +
      '(`Allow` or `Deny`), `Action` and `Resource`. Member names are case-insensitive.',
  }),
});

export const savedRole = Type.Object({
  status: Type.String(),
  role_id: Type.String(),
  warnings: Type.Optional(
    Type.Array(Type.String(), { description: 'Statements that probably do not have the intended effect.' }),
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
