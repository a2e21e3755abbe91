import Connection from 'libsql';
import { makePrivate } from './private-file.ts';

/** Held for the life of the process and gone with it, however it ends: an open exclusive transaction on a file of its own. */
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
