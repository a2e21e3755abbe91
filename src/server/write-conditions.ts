import { createHash } from 'node:crypto';
import type { Route } from '../contract/route.ts';
import type { WriteConditions } from '../operations/write-conditions.ts';

interface WriteInput {
  params: unknown;
  query: unknown;
  body: unknown;
  headers: { 'idempotency-key'?: string; 'if-match'?: string };
}

/** An entity tag may come in quotes, and marked weak. */
const unquoted = (tag: string): string =>
  tag
    .trim()
    .replace(/^W\//, '')
    .replace(/^"(.*)"$/, '$1');

export function writeConditions(route: Route, { params, query, body, headers }: WriteInput): WriteConditions {
  const request = JSON.stringify([route.name, params, query, body]);
  const ifMatch = headers['if-match'];
  return {
    idempotencyKey: headers['idempotency-key'],
    fingerprint: createHash('sha256').update(request).digest('hex'),
    ifMatch: ifMatch === undefined ? undefined : unquoted(ifMatch),
  };
}
