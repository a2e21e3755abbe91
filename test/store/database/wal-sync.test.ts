import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Database } from '../../../src/store/database/database.ts';
import { readMeta, writeMeta } from '../../../src/store/database/meta.ts';
import type { WalFile } from '../../../src/store/database/sqlite/wal-sync.ts';
import { attachSqlite, openSqlite } from '../../../src/store/database/sqlite.ts';

import { makeTestPlace, type TestPlace } from '../../open-database.ts';

/** A disk that is done when the test says so. */
class SlowDisk implements WalFile {
  isHeld = false;
  readonly syncs: ((error?: Error) => void)[] = [];
  isClosed = false;

  sync(): Promise<void> {
    if (!this.isHeld) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.syncs.push((error) => (error ? reject(error) : resolve()));
    });
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }
}

let place: TestPlace;
let file: string;
let disk: SlowDisk;
let database: Database;

beforeEach(async () => {
  place = await makeTestPlace();
  file = join(place.directory, 'wal.db');
  disk = new SlowDisk();
  database = await openSqlite(file, () => disk);
  disk.isHeld = true;
});
afterEach(async () => {
  disk.isHeld = false;
  for (const done of disk.syncs) done();
  await database.close();
  await place.remove();
});

const inTransaction = (name: string) =>
  database.transaction((transaction) => writeMeta(transaction, name, 'written'));
const alone = (name: string) => writeMeta(database.query, name, 'written');
const isWritten = async (name: string) => (await readMeta(database.query, name)) === 'written';

/** Names of what was acknowledged, in order. */
function acknowledged(writes: Record<string, Promise<void>>): string[] {
  const names: string[] = [];
  for (const [name, write] of Object.entries(writes))
    write.then(
      () => names.push(name),
      (error: Error) => names.push(`${name}: ${error.message}`),
    );
  return names;
}

const syncStarts = (count: number) => vi.waitFor(() => expect(disk.syncs.length).toBe(count));

describe('a write on SQLite', () => {
  it('is acknowledged only after the disk has it, in a transaction and as a single statement', async () => {
    for (const [index, write] of [inTransaction, alone].entries()) {
      const names = acknowledged({ a: write('a') });
      await syncStarts(index + 1);
      expect([await isWritten('a'), names]).toEqual([true, []]);
      disk.syncs[index]?.();
      await vi.waitFor(() => expect(names).toEqual(['a']));
    }
  });

  it('waits for a sync that began after its commit, and shares it with all that wait at that time', async () => {
    const names = acknowledged({ a: inTransaction('a') });
    await syncStarts(1);
    const later = acknowledged({ b: inTransaction('b'), c: alone('c'), d: inTransaction('d') });
    await vi.waitFor(async () => expect(await isWritten('d')).toBe(true));
    disk.syncs[0]?.();
    await syncStarts(2);
    expect([names, later]).toEqual([['a'], []]);
    disk.syncs[1]?.();
    await vi.waitFor(() => expect(later.toSorted()).toEqual(['b', 'c', 'd']));
    expect(disk.syncs.length).toBe(2);
  });

  it('fails if the disk reports an error, and so do all later writes, which may not reach the disk either', async () => {
    const names = acknowledged({ a: inTransaction('a'), b: alone('b') });
    await syncStarts(1);
    disk.syncs[0]?.(new Error('EIO'));
    await vi.waitFor(() =>
      expect(names.toSorted()).toEqual([
        'a: The server cannot write to its disk',
        'b: The server cannot write to its disk',
      ]),
    );
    disk.isHeld = false;
    await expect(inTransaction('c')).rejects.toThrow('cannot write to its disk');
    await expect(alone('d')).rejects.toThrow('cannot write to its disk');
    expect([await isWritten('c'), await isWritten('d')]).toEqual([false, false]);
    expect(await database.whyNotReady()).toBe('The disk failed to store a change: restart the server');
  });

  it('does not wait for the disk if nothing was changed', async () => {
    expect(await readMeta(database.query, 'a')).toBeUndefined();
    await database.snapshot((query) => readMeta(query, 'a'));
    await database.transaction((query) => readMeta(query, 'a'));
    expect(disk.syncs.length).toBe(0);
  });
});

describe('closing a database on SQLite', () => {
  it('waits for the syncs that run, then closes the log', async () => {
    const other = new SlowDisk();
    const second = await openSqlite(join(place.directory, 'second.db'), () => other);
    other.isHeld = true;
    const names = acknowledged({ a: second.transaction((query) => writeMeta(query, 'a', 'written')) });
    await vi.waitFor(() => expect(other.syncs.length).toBe(1));
    const closed = acknowledged({ close: second.close() });
    await readMeta(database.query, 'a');
    expect([closed, other.isClosed]).toEqual([[], false]);
    other.syncs[0]?.();
    await vi.waitFor(() => expect([names, closed, other.isClosed]).toEqual([['a'], ['close'], true]));
  });
});

describe('the log of SQLite', () => {
  it('stays the same file while the database is open, whatever other processes and checkpoints do', async () => {
    const real = await openSqlite(join(place.directory, 'real.db'));
    const inode = async () => (await stat(join(place.directory, 'real.db-wal'))).ino;
    const before = await inode();
    const other = await attachSqlite(join(place.directory, 'real.db'));
    await writeMeta(other.query, 'other', 'written');
    await other.close();
    await sql`pragma wal_checkpoint(truncate)`.execute(real.query);
    await real.transaction((query) => writeMeta(query, 'a', 'written'));
    expect(await inode()).toBe(before);
    await real.close();
  });

  it('is synced by SQLite itself before a checkpoint, which may overwrite it', async () => {
    const { rows } = await sql<{ synchronous: number }>`pragma synchronous`.execute(database.query);
    expect(rows).toEqual([{ synchronous: 1 }]);
  });
});
