import { execFileSync } from 'node:child_process';
import { lstatSync, mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { packEntries, packFiles, readFirstFile, type TarEntry } from '../../src/docker-engine/tar.ts';

const now = 1_700_000_000_000;
const longName = `${'d'.repeat(120)}/${'e'.repeat(120)}/${'f'.repeat(90)}`;

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'almanac-tar-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Unpacks with the system's own tar. */
function unpack(archive: Buffer): void {
  const file = join(directory, 'archive.tar');
  writeFileSync(file, archive);
  execFileSync('tar', ['-xpf', file, '-C', directory, '--no-same-owner']);
}

async function* chunksOf(...texts: string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}

const head = { mode: 0o644, modifiedAt: now };

it('tar unpacks files with their content, mode and time, whatever the length of their paths', async () => {
  unpack(
    await packFiles(
      [
        { path: '/etc/settings', content: 'secret', mode: 0o600 },
        { path: '/closed', content: '', mode: 0 },
        { path: `/${longName}`, content: 'x'.repeat(100_000) },
      ],
      now,
    ),
  );
  const settings = lstatSync(join(directory, 'etc/settings'));
  expect([settings.mode & 0o777, settings.mtimeMs]).toEqual([0o600, now]);
  expect(readFileSync(join(directory, 'etc/settings'), 'utf8')).toBe('secret');
  expect(lstatSync(join(directory, 'closed')).mode & 0o777).toBe(0);
  expect(lstatSync(join(directory, longName)).size).toBe(100_000);
});

it('tar unpacks directories, symbolic links and streamed files', async () => {
  const target = 'a/'.repeat(80);
  const entries: TarEntry[] = [
    { ...head, kind: 'directory', path: 'some', mode: 0o750 },
    { ...head, kind: 'file', path: 'some/text', size: 6, chunks: chunksOf('one', 'two') },
    { ...head, kind: 'symlink', path: 'some/link', target },
  ];
  unpack(await buffer(packEntries(entries)));
  expect(lstatSync(join(directory, 'some')).mode & 0o777).toBe(0o750);
  expect(readFileSync(join(directory, 'some/text'), 'utf8')).toBe('onetwo');
  expect(readlinkSync(join(directory, 'some/link'))).toBe(target);
});

it('a file that fails or has another size than announced fails the archive', async () => {
  async function* failing(): AsyncGenerator<Buffer> {
    yield Buffer.from('part');
    throw new Error('disk error');
  }
  const entry = { ...head, kind: 'file', path: 'some', size: 9 } as const;
  await expect(buffer(packEntries([{ ...entry, chunks: failing() }]))).rejects.toThrow('disk error');
  await expect(buffer(packEntries([{ ...entry, chunks: chunksOf('short') }]))).rejects.toThrow(
    'Size mismatch',
  );
});

it('a reader that stops early stops reading the files', async () => {
  let isClosed = false;
  async function* endless(): AsyncGenerator<Buffer> {
    try {
      for (;;) yield Buffer.alloc(65_536);
    } finally {
      isClosed = true;
    }
  }
  const archive = packEntries([{ ...head, kind: 'file', path: 'some', size: 2 ** 40, chunks: endless() }]);
  for await (const chunk of archive) if (chunk) break;
  await expect.poll(() => isClosed).toBe(true);
});

it('the first plain file is read, also behind directories and long names; without one there is none', async () => {
  const entries: TarEntry[] = [
    { ...head, kind: 'directory', path: 'some' },
    { ...head, kind: 'file', path: longName, content: Buffer.from('content') },
    { ...head, kind: 'file', path: 'other', content: Buffer.from('other') },
  ];
  expect((await readFirstFile(await buffer(packEntries(entries))))?.toString()).toBe('content');
  expect(await readFirstFile(await buffer(packEntries(entries.slice(0, 1))))).toBeUndefined();
  expect((await readFirstFile(await packFiles([{ path: '/empty', content: '' }], 0)))?.length).toBe(0);
});
