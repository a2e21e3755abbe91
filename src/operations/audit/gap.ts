import type { PendingEntry } from './write-entries.ts';

/** An entry that says that others are missing. No call of a user can make one like it. */
export const gapEntry = (accountId: string, at: number, detail: string): PendingEntry => ({
  account_id: accountId,
  at,
  actor_kind: 'operator',
  actor: 'operator',
  action: 'audit-gap',
  resource: 'audit log',
  route: 'audit-gap',
  decision: 'allowed',
  status: 200,
  address: '',
  request_id: '',
  detail,
  token: null,
  client_id: null,
  client_kind: null,
  stackId: null,
});

interface Gap {
  entry: PendingEntry;
  count: number;
  from: number;
}

const time = (at: number): string => new Date(at).toISOString();

/** Calls that could not be recorded: one entry for each account counts them. */
export class Gaps {
  readonly #gaps = new Map<string, Gap>();

  /** Returns the entry if it is new; else counts the call in the entry of its account, which is in the queue. */
  count({ account_id: accountId, at }: PendingEntry): PendingEntry[] {
    const known = this.#gaps.get(accountId);
    const gap = known ?? { entry: gapEntry(accountId, at, ''), count: 0, from: at };
    gap.count += 1;
    gap.entry.at = at;
    gap.entry.detail = `${gap.count} calls from ${time(gap.from)} to ${time(at)} are missing: the database could not be written to.`;
    this.#gaps.set(accountId, gap);
    return known ? [] : [gap.entry];
  }

  /** Takes those out that are being written: they must not change any more. Returns how to put them back. */
  close(entries: ReadonlySet<PendingEntry>): () => void {
    const closed = [...this.#gaps].filter(([, { entry }]) => entries.has(entry));
    for (const [accountId] of closed) this.#gaps.delete(accountId);
    return () => {
      for (const [accountId, gap] of closed) if (!this.#gaps.has(accountId)) this.#gaps.set(accountId, gap);
    };
  }
}
