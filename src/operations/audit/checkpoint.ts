import type { KeyObject } from 'node:crypto';
import { utcTime } from '../../basics/clock.ts';
import type { AuditRow } from '../../store/access/audit.ts';
import { isSignedBy, keyIdOf, publicPartOf, signText } from './checkpoint-key.ts';

/** The end of an account's chain at some time, signed. Kept where a person with access to the database cannot change it. */
export interface Checkpoint {
  /** `restore`: a backup replaced the log, and entries after this one are no longer expected. */
  kind: 'checkpoint' | 'restore';
  account: string;
  number: number;
  hash: string;
  time: string;
}

interface SignedCheckpoint extends Checkpoint {
  key: string;
  signature: string;
}

/** Members in a fixed order, so that others can reproduce the signed text. */
const signedTextOf = ({ kind, account, number, hash, time }: Checkpoint): string =>
  JSON.stringify({ account, hash, kind, number, time });

interface End {
  kind: Checkpoint['kind'];
  account: string;
  last: Pick<AuditRow, 'number' | 'hash'>;
  now: number;
}

/** One line of JSON. */
export function checkpointLine(key: KeyObject, { kind, account, last, now }: End): string {
  const checkpoint = { kind, account, number: last.number, hash: last.hash, time: utcTime(now) };
  const signed: SignedCheckpoint = {
    ...checkpoint,
    key: keyIdOf(publicPartOf(key)),
    signature: signText(key, signedTextOf(checkpoint)),
  };
  return `${JSON.stringify(signed)}\n`;
}

/** Throws if the line is not a checkpoint of this installation. */
export function readCheckpoint(line: string, trusted: ReadonlyMap<string, string>): Checkpoint {
  const signed = parse(line);
  const publicPart = trusted.get(signed.key);
  if (publicPart === undefined)
    throw new Error(
      `it is signed with key ${signed.key}, which no key of this server vouches for. Add the sealing key of that time.`,
    );
  if (!isSignedBy(publicPart, signedTextOf(signed), signed.signature))
    throw new Error('its signature is wrong: it was changed.');
  return signed;
}

function parse(line: string): SignedCheckpoint {
  try {
    return JSON.parse(line) as SignedCheckpoint;
  } catch {
    throw new Error('it is not JSON.');
  }
}

/** By account and number. */
export type Anchors = ReadonlyMap<string, ReadonlyMap<number, Checkpoint>>;

/** Collects checkpoints in the order of their time; a restored backup withdraws those of entries it does not have. */
export function anchorsOf(checkpoints: readonly Checkpoint[]): Anchors {
  const anchors = new Map<string, Map<number, Checkpoint>>();
  for (const checkpoint of checkpoints.toSorted((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0))) {
    const known = anchors.get(checkpoint.account) ?? new Map<number, Checkpoint>();
    if (checkpoint.kind === 'restore')
      for (const number of known.keys()) if (number > checkpoint.number) known.delete(number);
    // The first checkpoint of an entry counts: a later one may be of a log that was changed in between.
    if (checkpoint.kind === 'restore' || !known.has(checkpoint.number))
      known.set(checkpoint.number, checkpoint);
    anchors.set(checkpoint.account, known);
  }
  return anchors;
}
