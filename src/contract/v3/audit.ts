import { Type } from 'typebox';
import { route } from '../route.ts';

const decisions = ['allowed', 'denied'] as const;

const auditEntry = Type.Object(
  {
    account_id: Type.String(),
    action: Type.String({
      description: 'What roles call it, or `self`, `master` or `agent` where no role is asked.',
    }),
    actor: Type.String({ description: 'The user name, client id or stack id.' }),
    actor_kind: Type.String({ description: '`user`, `client` or `stack`.' }),
    address: Type.String({ description: 'Where the call came from.' }),
    decision: Type.String({
      description: '`denied` when access was refused, with 403 or as not found; else `allowed`.',
    }),
    detail: Type.Optional(
      Type.String({
        description: 'What the call alone does not tell, such as a command that was run by ssh.',
      }),
    ),
    number: Type.Integer({ description: '1, 2, 3 … within the account, without gaps.' }),
    owner: Type.String({ description: 'Who made the stack; empty where the call names none.' }),
    request_id: Type.String(),
    resource: Type.String({
      description: 'What was acted on, such as `mrn:alm:stack:<stack_id>`, or the path of the route.',
    }),
    route: Type.String({ description: 'The operationId of the route.' }),
    status: Type.Integer({ description: 'The HTTP status of the answer.' }),
    time: Type.String({ description: 'ISO 8601, UTC, with milliseconds.' }),
    hash: Type.String({ description: 'SHA-256 over the hash before it and this entry; see docs/audit.md.' }),
  },
  { $id: 'AuditEntry' },
);

const filters = {
  actor: Type.Optional(Type.String()),
  action: Type.Optional(Type.String()),
  resource: Type.Optional(Type.String()),
  decision: Type.Optional(Type.Unsafe<(typeof decisions)[number]>(Type.String({ enum: [...decisions] }))),
  from: Type.Optional(Type.String({ description: 'ISO 8601, this time included: `2030-01-31T00:00:00Z`.' })),
  to: Type.Optional(Type.String({ description: 'ISO 8601, this time not included.' })),
};

export const listAudit = route({
  name: 'v3ListAudit',
  method: 'GET',
  path: '/v3/audit',
  access: 'master',
  summary: 'Read who did what',
  description:
    'Newest first, 100 entries unless `limit` says otherwise; the next page is named by the `Link` and `X-Next-Cursor` ' +
    'headers. Filters match whole values. A read appears a second after it was answered at the latest, a change at once.',
  tag: 'Audit',
  query: Type.Object({
    ...filters,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
    cursor: Type.Optional(Type.String({ description: 'The X-Next-Cursor of the page before.' })),
  }),
  bodyKind: 'none',
  replies: { 200: { description: 'The entries.', schema: Type.Array(auditEntry) } },
});

export const exportAudit = route({
  name: 'v3ExportAudit',
  method: 'GET',
  path: '/v3/audit/export',
  access: 'master',
  summary: 'Save who did what',
  description: 'Every entry, or those the filters match, oldest first, as lines of JSON.',
  tag: 'Audit',
  query: Type.Object(filters),
  bodyKind: 'none',
  replies: {
    200: { description: 'The entries, one a line.', schema: null, contentType: 'application/x-ndjson' },
  },
});

export const auditRoutes = [listAudit, exportAudit];
