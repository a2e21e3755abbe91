import { Type } from 'typebox';
import { route } from '../route.ts';
import { identifier } from '../v3/schemas/identifier.ts';
import { oneUser, describeUsers as v3DescribeUsers } from '../v3/users.ts';

const { examples } = v3DescribeUsers;

const describeUser = route({
  name: 'v2DescribeUser',
  method: 'GET',
  path: '/v2/user',
  access: 'self',
  summary: 'Describe a user',
  description: 'The user itself, or any user of the account for the master. The same as on v3.',
  tag: 'Users',
  query: Type.Object({ username: identifier('User to describe.') }),
  bodyKind: 'none',
  replies: { 200: { description: 'The user. `api_token` is always empty.', schema: oneUser } },
  examples,
});

export const userRoutes = [describeUser] as const;
