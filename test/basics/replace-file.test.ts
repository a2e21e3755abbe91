import {
  chownSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { replaceFile } from '../../src/basics/replace-file.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'replace-'));
  file = join(folder, 'file');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('replaceFile', () => {
  it('sets the mode whatever the umask was, and leaves no other file', () => {
    for (const mode of [0o666, 0o755, 0o600]) {
      replaceFile(file, String(mode), mode);
      expect(statSync(file).mode & 0o777).toBe(mode);
      expect(readFileSync(file, 'utf8')).toBe(String(mode));
    }
    expect(readdirSync(folder)).toEqual(['file']);
  });

  it('keeps a symbolic link and replaces its target', () => {
    writeFileSync(file, 'old');
    symlinkSync(file, join(folder, 'link'));
    replaceFile(join(folder, 'link'), 'new');
    expect(lstatSync(join(folder, 'link')).isSymbolicLink()).toBe(true);
    expect(readFileSync(file, 'utf8')).toBe('new');
  });

  it.runIf(process.getuid?.() === 0)('keeps the owner of the file when root replaces it', () => {
    writeFileSync(file, 'old');
    chownSync(file, 4321, 1234);
    replaceFile(file, 'new');
    expect(statSync(file)).toMatchObject({ uid: 4321, gid: 1234 });
  });
});
