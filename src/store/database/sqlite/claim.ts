import Connection from 'libsql';
import { makePrivate } from '../private-file.ts';

/** Claims the file until the process ends, however it ends: an open exclusive transaction on a separate lock file. */
export function claimFile(file: string, refusal: string): () => void {
  makePrivate(`${file}.lock`);
  const lock = new Connection(`${file}.lock`);
  try {
    lock.exec('begin exclusive');
  } catch (cause) {
    lock.close();
    throw new Error(refusal, { cause });
  }
  return () => void lock.close();
}
