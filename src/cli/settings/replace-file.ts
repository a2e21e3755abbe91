import { realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** Target of a symbolic link, so that the link is kept. */
const targetOf = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
};

/** Writes the file atomically: readers see the old or the new content, never a part. */
export function replaceFile(path: string, text: string, mode = 0o600): void {
  const target = targetOf(path);
  const temporary = `${target}.${process.pid}.new`;
  rmSync(temporary, { force: true });
  try {
    writeFileSync(temporary, text, { mode, flag: 'wx' });
    renameSync(temporary, target);
  } finally {
    rmSync(temporary, { force: true });
  }
}
