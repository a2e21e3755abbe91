import { Type } from 'typebox';
import { route } from '../route.ts';

const limit = (description: string) => Type.Number({ description: `${description} 0: no limit.` });

const account = Type.Object(
  {
    account_id: Type.String(),
    name: Type.String({ description: 'Name that the operator gave the account. May be empty.' }),
    create_time: Type.String({ description: 'RFC 3339 timestamp with offset.' }),
    usage: Type.Object({
      stacks: Type.Integer({ description: 'Stacks that are not deleted.' }),
      versions: Type.Integer({ description: 'Stored versions of the stack that has most.' }),
      users: Type.Integer(),
      clients: Type.Integer(),
    }),
    quota: Type.Object({
      stacks: limit('Stacks.'),
      versions: limit(
        'Stored versions of a stack. Older ones are deleted, but never the desired, the settled and the latest one.',
      ),
      streams: limit('Open event streams on one server.'),
      requests: limit('Requests per second on one server.'),
    }),
  },
  { $id: 'Account' },
);

export const describeAccount = route({
  name: 'v3DescribeAccount',
  method: 'GET',
  path: '/v3/account',
  access: 'self',
  summary: 'Describe your account',
  description:
    'Returns what the account uses and its quotas. Only the operator of the server can change quotas.',
  tag: 'Access',
  bodyKind: 'none',
  replies: { 200: { description: 'The account.', schema: account } },
  examples: {
    reply: {
      account_id: '5f2b9c01d7e4a',
      name: 'Acme',
      create_time: '2030-01-01T00:00:00+00:00',
      usage: { stacks: 3, versions: 12, users: 5, clients: 1 },
      quota: { stacks: 50, versions: 100, streams: 1000, requests: 100 },
    },
  },
});

export const accountRoutes = [describeAccount] as const;
