import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { packDirectory } from '../../src/agent/code/pack.ts';

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'almanac-pack-'));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

/** Another program's reading of our archive. */
async function unpacked(source: string, target: string): Promise<string> {
  const archive = join(place, 'archive.tar');
  const result = join(place, 'result');
  writeFileSync(archive, await buffer(packDirectory(source, target)));
  mkdirSync(result);
  execFileSync('tar', ['-x', '-p', '-f', archive, '-C', result]);
  return result;
}

it('packs files, modes, links and long names so that tar finds them below the target', async () => {
  const source = join(place, 'source');
  const deep = join('a'.repeat(90), 'b'.repeat(90), 'é'.repeat(60));
  mkdirSync(join(source, deep), { recursive: true });
  writeFileSync(join(source, deep, 'file'), 'deep');
  writeFileSync(join(source, 'empty'), '');
  writeFileSync(join(source, 'large'), Buffer.alloc(200_000, 7));
  writeFileSync(join(source, 'run'), '#!/bin/sh\n');
  chmodSync(join(source, 'run'), 0o755);
  symlinkSync('/mnt/storage', join(source, 'storage'));
  symlinkSync('x'.repeat(150), join(source, 'long-link'));

  const result = join(await unpacked(source, '/var/www/html/'), 'var/www/html');
  expect(readFileSync(join(result, deep, 'file'), 'utf8')).toBe('deep');
  expect(readFileSync(join(result, 'empty'), 'utf8')).toBe('');
  expect(readFileSync(join(result, 'large')).equals(Buffer.alloc(200_000, 7))).toBe(true);
  expect(statSync(join(result, 'run')).mode & 0o777).toBe(0o755);
  expect(readlinkSync(join(result, 'storage'))).toBe('/mnt/storage');
  expect(readlinkSync(join(result, 'long-link'))).toBe('x'.repeat(150));
});

it("leaves out the repository's own records and the directories above the target", async () => {
  const source = join(place, 'source');
  mkdirSync(join(source, '.git'), { recursive: true });
  writeFileSync(join(source, '.git/config'), '[remote]');
  writeFileSync(join(source, 'page'), 'hello');
  const archive = (await buffer(packDirectory(source, '/srv'))).toString('latin1');
  expect(archive).toContain('srv/page');
  expect(archive).not.toContain('.git');
  expect(archive).not.toContain('srv/\u0000');
});
