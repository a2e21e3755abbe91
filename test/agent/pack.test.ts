import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { packDirectory } from '../../src/agent/code/pack.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'almanac-pack-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Unpacks with the system's tar. */
async function unpack(source: string, target: string): Promise<string> {
  const archive = join(directory, 'archive.tar');
  const result = join(directory, 'result');
  writeFileSync(archive, await buffer(packDirectory(source, target)));
  mkdirSync(result);
  execFileSync('tar', ['-x', '-p', '-f', archive, '-C', result]);
  return result;
}

it('tar unpacks files, modes, links and long names below the target', async () => {
  const source = join(directory, 'source');
  const deep = join('a'.repeat(90), 'b'.repeat(90), 'é'.repeat(60));
  mkdirSync(join(source, deep), { recursive: true });
  writeFileSync(join(source, deep, 'file'), 'deep');
  writeFileSync(join(source, 'empty'), '');
  writeFileSync(join(source, 'large'), Buffer.alloc(200_000, 7));
  writeFileSync(join(source, 'run'), '#!/bin/sh\n');
  chmodSync(join(source, 'run'), 0o755);
  symlinkSync('/mnt/storage', join(source, 'storage'));
  symlinkSync('x'.repeat(150), join(source, 'long-link'));

  const result = join(await unpack(source, '/var/www/html/'), 'var/www/html');
  expect(readFileSync(join(result, deep, 'file'), 'utf8')).toBe('deep');
  expect(readFileSync(join(result, 'empty'), 'utf8')).toBe('');
  expect(readFileSync(join(result, 'large')).equals(Buffer.alloc(200_000, 7))).toBe(true);
  expect(statSync(join(result, 'run')).mode & 0o777).toBe(0o755);
  expect(readlinkSync(join(result, 'storage'))).toBe('/mnt/storage');
  expect(readlinkSync(join(result, 'long-link'))).toBe('x'.repeat(150));
});

it('the archive excludes .git and the parent directories of the target', async () => {
  const source = join(directory, 'source');
  mkdirSync(join(source, '.git'), { recursive: true });
  writeFileSync(join(source, '.git/config'), '[remote]');
  writeFileSync(join(source, 'page'), 'hello');
  const archive = (await buffer(packDirectory(source, '/srv'))).toString('latin1');
  expect(archive).toContain('srv/page');
  expect(archive).not.toContain('.git');
  expect(archive).not.toContain('srv/\u0000');
});

it('all entries belong to root, even if the files do not', async () => {
  const source = join(directory, 'source');
  mkdirSync(join(source, 'sub'), { recursive: true });
  writeFileSync(join(source, 'sub/page'), 'hello');
  if (process.getuid?.() === 0) chownSync(join(source, 'sub/page'), 1234, 1234);
  const archive = join(directory, 'archive.tar');
  writeFileSync(archive, await buffer(packDirectory(source, '/srv')));
  const list = execFileSync('tar', ['-t', '-v', '--numeric-owner', '-f', archive], { encoding: 'utf8' });
  expect(
    list
      .trim()
      .split('\n')
      .map((line) => line.split(/ +/)[1]),
  ).toEqual(['0/0', '0/0']);
});

/** The archive is a stream: changes after the first chunk are noticed. */
describe('a large file', () => {
  const size = 32 * 1024 * 1024;
  const makeLargeFile = (): string => {
    const source = join(directory, 'source');
    mkdirSync(source);
    writeFileSync(join(source, 'large'), Buffer.alloc(size));
    return source;
  };

  it.each([
    ['grows', (file: string) => appendFileSync(file, 'more')],
    ['shrinks', (file: string) => truncateSync(file, size / 2)],
  ])('that %s while it is read is an error', async (_, change) => {
    const source = makeLargeFile();
    const archive = packDirectory(source, '/srv')[Symbol.asyncIterator]();
    await archive.next();
    change(join(source, 'large'));
    const readAll = async () => {
      while (!(await archive.next()).done);
    };
    await expect(readAll()).rejects.toThrow('srv/large changed while it was read.');
  });
});
