import { join } from 'node:path';
import Connection from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commitMarkOf } from '../../../src/store/database/sqlite/commit-mark.ts';
import { makeTestPlace, type TestPlace } from '../../open-database.ts';

let place: TestPlace;
let file: string;
let one: Connection.Database;
let other: Connection.Database;

beforeEach(async () => {
  place = await makeTestPlace();
  file = join(place.directory, 'marked.db');
  one = new Connection(file);
  one.pragma('journal_mode = WAL');
  one.exec('create table words (word text)');
  other = new Connection(file);
});
afterEach(async () => {
  one.close();
  other.close();
  await place.remove();
});

describe('the mark of commits (on SQLite)', () => {
  it('moves with each commit of each connection, and only then', () => {
    const mark = commitMarkOf(file);
    const movedOnce = () => {
      const before = [mark.hasMoved(), mark.hasMoved()];
      mark.settle();
      return [...before, mark.hasMoved()];
    };
    expect(movedOnce()).toEqual([true, true, false]);
    for (const connection of [one, other, one]) {
      connection.exec(`insert into words values ('new')`);
      expect(movedOnce()).toEqual([true, true, false]);
    }
    one.exec('begin immediate');
    one.exec(`insert into words values ('open')`);
    expect(mark.hasMoved()).toBe(false);
    one.exec('commit');
    expect(mark.hasMoved()).toBe(true);
  });

  it('moves with a commit that begins the log again from its start', () => {
    const mark = commitMarkOf(file);
    one.exec(`insert into words values ('before')`);
    one.pragma('wal_checkpoint(restart)');
    mark.hasMoved();
    mark.settle();
    expect(mark.hasMoved()).toBe(false);
    other.exec(`insert into words values ('after')`);
    expect(mark.hasMoved()).toBe(true);
  });

  it('is always moved as long as there is nothing to compare', () => {
    const mark = commitMarkOf(join(place.directory, 'none.db'));
    mark.hasMoved();
    mark.settle();
    expect(mark.hasMoved()).toBe(true);
  });
});
