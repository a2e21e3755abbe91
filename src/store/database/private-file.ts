import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';

/** Made before SQLite would make it, so that only its owner can read it, and the log beside it. */
export function makePrivate(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, 'a', 0o600));
}
