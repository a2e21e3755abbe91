import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Failure } from '../../../src/basics/failure.ts';
import { restoreBackup, writeBackup } from '../../../src/store/database/backup.ts';
import type { Database, Query } from '../../../src/store/database/database.ts';
import { readMeta, setMetaOnce } from '../../../src/store/database/meta.ts';
import { openDatabase } from '../../../src/store/database/open-database.ts';
import { addEvents } from '../../../src/store/stacks/events.ts';
import { type Claim, endPass } from '../../../src/store/stacks/schedule.ts';
import { findStackById } from '../../../src/store/stacks/stacks.ts';
import { claimDue } from '../../claim-due.ts';
import { eventually } from '../../http.ts';
import { makeTestPlace, onPostgres, type TestPlace } from '../../open-database.ts';
import { insertAccounts, makeStack } from '../stacks/make-stack.ts';

let place: TestPlace;
let database: Database;
let file: string;
beforeEach(async () => {
  place = await makeTestPlace();
  database = await openDatabase(place.url);
  file = join(place.directory, 'backup.gz');
  await insertAccounts(database.query, 'account1');
});
afterEach(async () => {
  await database.close();
  await place.remove();
});

const restore = (into = database, check = async () => {}) => restoreBackup(into, file, { now: 5000, check });

describe('a backup', () => {
  it('restores everything and removes later changes', async () => {
    const { id } = await makeStack(database.query);
    const events = Array.from(
      { length: 1200 },
      (_, index) => ({ at: index, kind: 'agent', message: `é ${index}` }) as const,
    );
    await addEvents(database.query, id, events.slice(0, 600));
    await addEvents(database.query, id, events.slice(600));
    await writeBackup(database, file);
    await setMetaOnce(database.query, 'later', 'x');
    await database.query.deleteFrom('events').execute();
    await restore();
    expect(await readMeta(database.query, 'later')).toBeUndefined();
    const rows = await database.query.selectFrom('events').selectAll().orderBy('number').execute();
    expect(rows.map((row) => row.message)).toEqual(events.map((event) => event.message));
  });

  it('is readable by its owner only, and appears only when it is complete', async () => {
    await writeBackup(database, file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await expect(writeBackup(database, join(place.directory, 'no', 'such', 'directory.gz'))).rejects.toThrow(
      /ENOENT/,
    );
  });

  it('can be restored into another database', async () => {
    await makeStack(database.query, { nickname: 'carried over' });
    await writeBackup(database, file);
    const elsewhere = await openDatabase(`sqlite:${join(place.directory, 'elsewhere.db')}`);
    await restore(elsewhere);
    expect(await findStackById(elsewhere.query, 'mo-1-a-tk')).toMatchObject({
      nickname: 'carried over',
      next_at: 5000,
    });
    await elsewhere.close();
  });

  const waitingForLocks = async () => {
    const waiting = sql<object>`select 1 from pg_locks where not granted and relation is not null
      and database = (select oid from pg_database where datname = current_database())`;
    return (await waiting.execute(database.query)).rows.length;
  };

  /** A server has written a stack when the restore begins, and goes on when the restore waits for it. */
  async function restoreBeside(goOn: (query: Query) => Promise<unknown>): Promise<unknown> {
    await writeBackup(database, file);
    const server = await openDatabase(place.url);
    let restored = Promise.resolve();
    const written = server.transaction(async (query) => {
      await makeStack(query);
      await findStackById(query, 'mo-1-a-tk');
      restored = restore();
      await eventually(waitingForLocks, (count) => count > 0);
      await goOn(query);
    });
    const failed = await written.then(
      () => null,
      (error: unknown) => error,
    );
    await restored;
    await server.close();
    return failed;
  }

  it.runIf(onPostgres)('is restored after what is being written, which the restore removes', async () => {
    expect(await restoreBeside(async () => {})).toBeNull();
    expect(await findStackById(database.query, 'mo-1-a-tk')).toBeUndefined();
  });

  it.runIf(onPostgres)('is restored also if a server needs what the restore has locked', async () => {
    const failed = await restoreBeside((query) => query.selectFrom('meta').selectAll().execute());
    // Of two that wait for each other, PostgreSQL gives up either.
    expect([null, 'unavailable']).toContain(failed === null ? null : (failed as Failure).kind);
    expect(await findStackById(database.query, 'mo-1-a-tk')).toBeUndefined();
  });

  it('fences off a pass that was running during the restore', async () => {
    await makeStack(database.query);
    await writeBackup(database, file);
    const claim = (await claimDue(database, { owner: 'one', now: 1000, until: 2000 }, 1))[0] as Claim;
    await restore();
    const verdict = {
      status: 'CREATE_COMPLETE',
      status_reason: '',
      updated_at: 1,
      deleted_at: null,
      next_at: null,
      swept: null,
    } as const;
    expect(await endPass(database.query, claim, { facts: claim, verdict, now: 1001 })).toBe('fenced');
  });

  it('that is truncated, has another schema, or is not ours changes nothing', async () => {
    await makeStack(database.query);
    await writeBackup(database, file);
    const text = gunzipSync(readFileSync(file)).toString();
    const bad: [string | Buffer, RegExp][] = [
      [gzipSync(text.slice(0, text.lastIndexOf('{"end"'))), /is incomplete/],
      [readFileSync(file).subarray(0, 60), /unexpected end of file/],
      [gzipSync(text.replace(/"schema":"[^"]*"/, '"schema":"9999_future"')), /has schema 9999_future/],
      [gzipSync('{"hello":1}\n'), /not an Almanac backup/],
    ];
    for (const [content, message] of bad) {
      writeFileSync(file, content);
      await expect(restore()).rejects.toThrow(message);
      expect(await findStackById(database.query, 'mo-1-a-tk')).toBeDefined();
    }
  });

  it('that fails the caller’s check changes nothing', async () => {
    await writeBackup(database, file);
    await makeStack(database.query);
    const refuse = () => Promise.reject(new Error('sealed with another key'));
    await expect(restore(database, refuse)).rejects.toThrow('another key');
    expect(await findStackById(database.query, 'mo-1-a-tk')).toBeDefined();
  });
});
