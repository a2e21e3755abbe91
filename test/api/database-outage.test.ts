import Connection from 'libsql';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { eventually } from '../http.ts';
import { onPostgres } from '../open-database.ts';
import { oneServer } from '../world.ts';
import { recordLog, type ServedAlmanac, useServedAlmanac } from './served-almanac.ts';

/** Makes the database refuse writes, as a standby does, or a backup that is being restored. Returns how to end it. */
const refuseWrites = (almanac: ServedAlmanac): Promise<() => Promise<void>> =>
  onPostgres ? makeReadOnly(almanac.databaseUrl) : Promise.resolve(lockFile(almanac.databaseUrl));

function lockFile(url: string): () => Promise<void> {
  const other = new Connection(url.replace('sqlite:', ''));
  other.exec('begin immediate');
  return async () => {
    other.exec('rollback');
    other.close();
  };
}

/** Connections that exist stay as they are: those of the server must be new ones. */
async function makeReadOnly(url: string): Promise<() => Promise<void>> {
  const admin = new pg.Client({ connectionString: url, options: '-c default_transaction_read_only=off' });
  await admin.connect();
  const name = new URL(url).pathname.slice(1);
  await admin.query(`alter database ${name} set default_transaction_read_only to on`);
  await admin.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'almanac'",
  );
  return async () => {
    await admin.query(`alter database ${name} reset default_transaction_read_only`);
    await admin.end();
  };
}

const countOf = async ({ url }: ServedAlmanac, metric: string): Promise<string | undefined> =>
  (await (await fetch(`${url}/metrics`)).text()).split('\n').find((line) => line.startsWith(`${metric} `));

describe('a database that refuses writes for a time', () => {
  const { log, lines } = recordLog();
  const almanac = useServedAlmanac({ log });

  it('makes changes fail with 503, a code and Retry-After, and the server not ready, without an internal error; all go on afterwards', async () => {
    const token = await almanac.userToken();
    await almanac.applyTemplate();
    const allow = await refuseWrites(almanac);
    try {
      // PostgreSQL: the first may meet a connection that was just closed.
      await almanac.call('POST', '/v3/alm/template', { token, json: oneServer() });
      const refused = await almanac.call('POST', '/v3/alm/template', { token, json: oneServer() });
      expect(refused.status).toBe(503);
      expect(refused.body).toMatchObject({
        code: '9003',
        error: 'unavailable',
        description: expect.stringMatching(
          onPostgres ? /^PostgreSQL accepts no changes/ : /^A backup is being/,
        ),
        request_id: refused.headers.get('x-request-id'),
      });
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      const ready = await almanac.call('GET', '/readyz');
      expect(ready.status).toBe(503);
      expect(ready.headers.get('retry-after')).toBe('5');
      await expect.poll(() => lines.join('')).toContain('the database is not available; trying again');
    } finally {
      await allow();
    }

    // PostgreSQL: each connection of the pool is replaced when a write fails on it.
    const create = () => almanac.call('POST', '/v3/alm/template', { token, json: oneServer() });
    const created = await eventually(create, ({ status }) => status === 201);
    await almanac.waitFor(String(created.body.stack_id), 'CREATE_COMPLETE');
    expect((await almanac.call('GET', '/readyz')).status).toBe(200);
    expect(await countOf(almanac, 'almanac_reconcile_internal_errors_total')).toMatch(/ 0$/);
    expect(lines.filter((line) => line.includes('internal error while'))).toEqual([]);
  });
});
