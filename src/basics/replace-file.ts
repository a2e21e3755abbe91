import {
  chmodSync,
  chownSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** Target of a symbolic link, so that the link is kept. */
const targetOf = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
};

/** Another program may have to read the file, as its owner. */
function keepOwner(old: string, replacement: string): void {
  const found = statSync(old, { throwIfNoEntry: false });
  if (found === undefined) return;
  try {
    chownSync(replacement, found.uid, found.gid);
  } catch {
    // Only root may give files away.
  }
}

/** Writes the file atomically: readers see the old or the new content, never a part. The mode does not depend on the umask. */
export function replaceFile(path: string, text: string, mode = 0o600): void {
  const target = targetOf(path);
  const temporary = `${target}.${process.pid}.new`;
  mkdirSync(dirname(target), { recursive: true });
  rmSync(temporary, { force: true });
  try {
    writeFileSync(temporary, text, { mode: 0o600, flag: 'wx' });
    keepOwner(target, temporary);
    chmodSync(temporary, mode);
    renameSync(temporary, target);
  } finally {
    rmSync(temporary, { force: true });
  }
}
