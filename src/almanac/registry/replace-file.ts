import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Nobody reads a half-written file, and one with secrets is never readable by others, whatever was there before. */
export function replaceFile(file: string, content: string, mode: number): void {
  const unfinished = `${file}.unfinished`;
  mkdirSync(dirname(file), { recursive: true });
  rmSync(unfinished, { force: true });
  writeFileSync(unfinished, content, { mode, flag: 'wx' });
  renameSync(unfinished, file);
}
