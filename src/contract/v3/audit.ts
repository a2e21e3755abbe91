import { Type } from 'typebox';
import { route } from '../route.ts';
import { cursor, limit } from './schemas/page.ts';

const decisions = ['allowed', 'denied'] as const;

const auditEntry = Type.Object(
  {
    account_id: Type.String(),
    action: Type.String({
      description:
        'Action as used in roles, or `self`, `master` or `agent` for routes that roles do not control.',
    }),
    actor: Type.String({ description: 'User name, client id or stack id.' }),
    actor_kind: Type.String({
      description: '`user`, `client`, `stack`, or `operator` for commands on the server.',
    }),
    address: Type.String({ description: 'Source address of the request.' }),
    client_id: Type.Optional(
      Type.String({ description: 'Client that the token was issued to. Missing in old entries.' }),
    ),
    client_kind: Type.Optional(
      Type.String({
        description: 'Kind of that client: `sign-in`, `agent`, `service` or `owner`. Missing in old entries.',
      }),
    ),
    decision: Type.String({
      description: '`denied` if access was denied (403 or 404), otherwise `allowed`.',
    }),
    detail: Type.Optional(
      Type.String({
        description:
          'Additional information, such as a command that was run over SSH, or the data that the request released: the id of each store, ' +
          'and `keep` or `delete`.',
      }),
    ),
    number: Type.Integer({ description: 'Sequence number within the account, starting at 1, without gaps.' }),
    owner: Type.String({
      description: 'User who created the stack. Empty if the request is not about a stack.',
    }),
    request_id: Type.String(),
    resource: Type.String({
      description: 'Resource, such as `mrn:alm:stack:<stack_id>`, or the path of the route.',
    }),
    route: Type.String({ description: 'operationId of the route.' }),
    status: Type.Integer({ description: 'HTTP status of the response.' }),
    time: Type.String({ description: 'ISO 8601 UTC timestamp with milliseconds.' }),
    token: Type.Optional(
      Type.String({ description: 'Id and name of the personal access token that was used.' }),
    ),
    hash: Type.String({ description: 'SHA-256 of the previous hash and this entry. See docs/audit.md.' }),
  },
  { $id: 'AuditEntry' },
);

const filters = {
  actor: Type.Optional(Type.String()),
  action: Type.Optional(Type.String()),
  resource: Type.Optional(Type.String()),
  decision: Type.Optional(Type.Unsafe<(typeof decisions)[number]>(Type.String({ enum: [...decisions] }))),
  from: Type.Optional(
    Type.String({ description: 'Start time, inclusive, ISO 8601: `2030-01-31T00:00:00Z`.' }),
  ),
  to: Type.Optional(Type.String({ description: 'End time, exclusive, ISO 8601.' })),
};

export const listAudit = route({
  name: 'v3ListAudit',
  compressed: true,
  method: 'GET',
  path: '/v3/audit',
  access: 'master',
  summary: 'List audit log entries',
  description:
    'Returns entries newest first, 100 per page by default. The `Link` and `X-Next-Cursor` headers identify the next page. ' +
    'Filters match exact values. Changes are visible immediately, reads within one second of the response.',
  tag: 'Audit',
  query: Type.Object({
    ...filters,
    limit,
    cursor,
  }),
  bodyKind: 'none',
  replies: { 200: { description: 'The entries.', schema: Type.Array(auditEntry) } },
});

export const exportAudit = route({
  name: 'v3ExportAudit',
  method: 'GET',
  path: '/v3/audit/export',
  access: 'master',
  summary: 'Export the audit log',
  description: 'Returns all entries that match the filters as newline-delimited JSON, oldest first.',
  tag: 'Audit',
  query: Type.Object(filters),
  bodyKind: 'none',
  replies: {
    200: { description: 'The entries, one per line.', schema: null, contentType: 'application/x-ndjson' },
  },
});

export const checkAudit = route({
  name: 'v3CheckAudit',
  method: 'GET',
  path: '/v3/audit/check',
  access: 'master',
  summary: 'Check the audit log',
  description:
    'Computes the hash of every entry again and compares it with the recorded one. Finds entries that were changed, removed or ' +
    'moved. The operator of the server compares the log with signed checkpoints too: `almanac audit verify`.',
  tag: 'Audit',
  bodyKind: 'none',
  replies: {
    200: {
      description: 'The result.',
      schema: Type.Object({
        is_intact: Type.Boolean(),
        entries: Type.Integer({ description: 'Entries that continue the chain.' }),
        deleted: Type.Integer({
          description: 'Entries before them that were deleted because of their age, as the log records.',
        }),
        last_hash: Type.Optional(Type.String({ description: 'Hash of the last entry of an intact log.' })),
        problem: Type.Optional(
          Type.String({
            description: 'What is wrong with the first entry that does not continue the chain.',
          }),
        ),
      }),
    },
  },
  examples: {
    reply: { is_intact: false, entries: 41, deleted: 0, problem: 'Entry 42 is not what was recorded.' },
  },
});

export const auditRoutes = [listAudit, exportAudit, checkAudit] as const;
