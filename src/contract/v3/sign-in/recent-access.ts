import { Type } from 'typebox';
import { route } from '../../route.ts';

const tag = 'Access';
const timeFormat = 'RFC 3339 timestamp with offset.';

const made = (what: string) =>
  Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String({ description: 'Name of the user or role, or label.' }),
      create_time: Type.String({ description: timeFormat }),
    }),
    { description: `${what} Newest first.` },
  );

const recentAccess = Type.Object(
  {
    clients: made('API clients.'),
    users: made('Users.'),
    roles: made('Roles.'),
    personal_tokens: made('Personal access tokens of all users.'),
    passkeys: made('Passkeys of all users.'),
    sign_ins: made('Sign-ins of users that have not ended.'),
  },
  { $id: 'RecentAccess' },
);

const madeExample = { id: '5f2b9c01d7e4a', name: 'ann', create_time: '2030-01-01T00:00:00+00:00' };

export const describeRecentAccess = route({
  name: 'v3DescribeRecentAccess',
  method: 'GET',
  path: '/v3/access/recent',
  access: 'master',
  summary: 'List what was made recently and gives access',
  description:
    'Look at it after a password or a session was stolen: it shows what a thief may have left behind.',
  tag,
  query: Type.Object({
    since: Type.Optional(Type.String({ maxLength: 40, description: `${timeFormat} Default: 30 days ago.` })),
  }),
  bodyKind: 'none',
  replies: { 200: { description: 'What was made since then.', schema: recentAccess } },
  examples: {
    reply: { clients: [], users: [madeExample], roles: [], personal_tokens: [], passkeys: [], sign_ins: [] },
  },
});

export const endRecentAccess = route({
  name: 'v3EndRecentAccess',
  method: 'POST',
  path: '/v3/access/end',
  access: 'master',
  proof: 'always',
  summary: 'End all access that was made since a time',
  description:
    'Ends the sign-ins, personal access tokens, passkeys and API clients made since then, and all links to private keys. The sign-in of the ' +
    'request stays, and so do users and roles: look through them.',
  tag,
  bodyKind: 'fields',
  body: Type.Object({ since: Type.String({ maxLength: 40, description: timeFormat }) }),
  replies: {
    200: {
      description: 'How many were ended.',
      schema: Type.Object(
        {
          clients: Type.Integer(),
          personal_tokens: Type.Integer(),
          passkeys: Type.Integer(),
          sign_ins: Type.Integer(),
          key_links: Type.Integer(),
        },
        { $id: 'EndedAccess' },
      ),
    },
  },
  examples: {
    body: { since: '2030-01-01T00:00:00+00:00' },
    reply: { clients: 1, personal_tokens: 0, passkeys: 1, sign_ins: 2, key_links: 0 },
  },
});

export const recentAccessRoutes = [describeRecentAccess, endRecentAccess] as const;
