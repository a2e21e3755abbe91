import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Connection from 'libsql';

/** Inserts a second, each in a transaction of its own that is on the disk before the next. */
export function insertsPerSecond() {
  const directory = mkdtempSync(join(tmpdir(), 'almanac-bench-'));
  const connection = new Connection(join(directory, 'baseline.db'));
  connection.pragma('journal_mode = WAL');
  connection.pragma('synchronous = FULL');
  connection.exec('create table reports (id integer primary key, status text)');
  const insert = connection.prepare('insert into reports (status) values (?)');
  const start = performance.now();
  let count = 0;
  for (; performance.now() - start < 2000; count += 1) insert.run(['running']);
  connection.close();
  rmSync(directory, { recursive: true });
  return count / 2;
}
