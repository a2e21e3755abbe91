import { listChangedSummaries, listSummaries, type SummaryRow } from '../../../../store/stacks/summaries.ts';
import type { Service } from '../../../service.ts';
import { longestAbsenceMs } from '../change-cursor.ts';
import { type StackSummary, withExpectations } from '../summarize-stacks.ts';

export type StackChange =
  | { kind: 'stack'; stack: StackSummary }
  /** Deleted, or no longer visible to the reader. */
  | { kind: 'deleted'; stackId: string }
  /** A heartbeat, and the cursor of everything sent before it. */
  | { kind: 'alive'; cursor: string };

interface Known {
  stack: StackSummary;
  /** What readers see, to tell whether it changed. */
  text: string;
  change: StackChange;
}

/** A stack that looks different. */
export interface NewState {
  stack: StackSummary;
  /** As it was, if what roles ask about has changed. */
  placedBefore: StackSummary | null;
}

/** Changes of this time are read again: a transaction shows later than the time that it writes. */
const rereadMs = 10_000;
/** Everything is read again this often, in case the clocks of the servers differ more than that. */
const fullReadMs = 60_000;

const changeOf = (stack: StackSummary): StackChange =>
  stack.deleted_at === null ? { kind: 'stack', stack } : { kind: 'deleted', stackId: stack.id };

const isPlacedLike = (one: StackSummary, other: StackSummary): boolean =>
  one.created_by === other.created_by &&
  one.vendor === other.vendor &&
  one.credential_id === other.credential_id;

/** What this server knows of the stacks of one account, for all who follow them. */
export class KnownStacks {
  readonly #service: Service;
  readonly #accountId: string;
  readonly #byId = new Map<string, Known>();
  #fullAt = Number.NEGATIVE_INFINITY;
  #readAt = 0;

  constructor(service: Service, accountId: string) {
    this.#service = service;
    this.#accountId = accountId;
  }

  /** The time of the last reading. */
  get readAt(): number {
    return this.#readAt;
  }

  get all(): IterableIterator<Known> {
    return this.#byId.values();
  }

  find(id: string): Known | undefined {
    return this.#byId.get(id);
  }

  /** Null: all that exist. */
  changedSince(moment: number | null): string[] {
    return [...this.all]
      .filter(({ stack }) => (moment === null ? stack.deleted_at === null : stack.changed_at >= moment))
      .map(({ stack }) => stack.id);
  }

  /** Reads what changed since the last reading. Returns the stacks that look different. */
  async refresh(): Promise<NewState[]> {
    const now = this.#service.clock.now();
    const isFull = now - this.#fullAt >= fullReadMs;
    const rows = isFull ? await this.#readAll(now) : await this.#readChanged();
    const stacks = await withExpectations(this.#service, this.#accountId, rows);
    this.#readAt = now;
    if (isFull) {
      this.#fullAt = now;
      stacks.push(...this.#gone(stacks, now));
    }
    this.#forgetDeleted(now);
    return stacks.flatMap((stack) => this.#remember(stack) ?? []);
  }

  #readChanged(): Promise<SummaryRow[]> {
    return listChangedSummaries(this.#service.database.query, this.#accountId, this.#readAt - rereadMs);
  }

  async #readAll(now: number): Promise<SummaryRow[]> {
    const { query } = this.#service.database;
    const existing = await listSummaries(query, this.#accountId, {});
    const changed = await listChangedSummaries(query, this.#accountId, now - longestAbsenceMs);
    return [...existing, ...changed.filter((row) => row.deleted_at !== null)];
  }

  /** Known stacks that a reading of all does not have: their rows are gone. */
  #gone(read: readonly StackSummary[], now: number): StackSummary[] {
    const ids = new Set(read.map(({ id }) => id));
    const isGone = ({ stack }: Known): boolean => stack.deleted_at === null && !ids.has(stack.id);
    const deletedNow = ({ stack }: Known): StackSummary => ({ ...stack, deleted_at: now, changed_at: now });
    return [...this.all].filter(isGone).map(deletedNow);
  }

  /** Null: it looks the same. */
  #remember(stack: StackSummary): NewState | null {
    // A pass that changes nothing to see may still count as a change, and readers may have seen what lay between.
    const text = JSON.stringify({ ...stack, changed_at: 0 });
    const before = this.#byId.get(stack.id);
    const isSame = before?.text === text;
    this.#byId.set(stack.id, { stack, text, change: isSame ? before.change : changeOf(stack) });
    if (isSame) return null;
    return { stack, placedBefore: before && !isPlacedLike(before.stack, stack) ? before.stack : null };
  }

  #forgetDeleted(now: number): void {
    for (const { stack } of this.all)
      if (stack.deleted_at !== null && stack.deleted_at < now - longestAbsenceMs) this.#byId.delete(stack.id);
  }
}
