import { createHmac } from 'node:crypto';
import type { Route } from '../../contract/route.ts';
import type { DataChoice } from '../../model/data-choice.ts';
import type { DataWish, Released } from '../../operations/stacks/submit/guard-data.ts';
import type { WriteConditions } from '../../operations/stacks/submit/write-conditions.ts';

interface WriteInput {
  params: unknown;
  query: object;
  body: unknown;
  headers: { 'idempotency-key'?: string; 'if-match'?: string };
  setAuditDetail: (text: string) => void;
}

/** `keep`, `delete`, or one for each store: `a:keep,b:delete`. The route has checked the form. */
export function dataWish(text: string | undefined): DataWish | undefined {
  if (text === undefined || text === 'keep' || text === 'delete') return text;
  const entries = text.split(',').map((entry) => entry.split(':') as [string, DataChoice]);
  return Object.fromEntries(entries);
}

/** Ids and choices only: what a caller released must be in the audit log, also after its stack is gone. */
const auditedReleases = (released: readonly Released[]): string =>
  `released data: ${released.map(({ fate: { store }, choice }) => `${store.id} (${store.store_id}) ${choice}`).join(', ')}`;

/** An entity tag may be quoted and marked as weak. */
const unquoted = (tag: string): string =>
  tag
    .trim()
    .replace(/^W\//, '')
    .replace(/^"(.*)"$/, '$1');

/**
 * Fingerprints are stored for a day, and requests may contain passwords. An HMAC with the caller's idempotency key, of
 * which only a digest is stored, reveals nothing about the request.
 */
export function writeConditions(route: Route, input: WriteInput): WriteConditions {
  const { params, query, body, headers, setAuditDetail } = input;
  const key = headers['idempotency-key'];
  const ifMatch = headers['if-match'];
  const request = JSON.stringify([route.name, params, query, body]);
  return {
    idempotencyKey: key,
    fingerprint: key === undefined ? '' : createHmac('sha256', key).update(request).digest('hex'),
    ifMatch: ifMatch === undefined ? undefined : unquoted(ifMatch),
    data: 'data' in query ? dataWish(query.data as string | undefined) : undefined,
    servers: 'servers' in query ? (query.servers as 'replace' | undefined) : undefined,
    onReleased: (released) => setAuditDetail(auditedReleases(released)),
  };
}
