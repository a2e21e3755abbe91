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

/** Changes of this time are read again: a transaction shows later than the time that it writes. */
const rereadMs = 10_000;
/** Everything is read again this often, in case the clocks of the servers differ more than that. */
const fullReadMs = 60_000;

const changeOf = (stack: StackSummary): StackChange =>
  stack.deleted_at === null ? { kind: 'stack', stack } : { kind: 'deleted', stackId: stack.id };

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

  /** Reads what changed since the last reading. Returns the ids of stacks that look different. */
  async refresh(): Promise<string[]> {
    const now = this.#service.clock.now();
    const rows = await this.#read(now);
    const stacks = await withExpectations(this.#service, this.#accountId, rows);
    this.#readAt = now;
    this.#forgetDeleted(now);
    return stacks.filter((stack) => this.#remember(stack)).map(({ id }) => id);
  }

  async #read(now: number): Promise<SummaryRow[]> {
    const { query } = this.#service.database;
    if (now - this.#fullAt < fullReadMs)
      return listChangedSummaries(query, this.#accountId, this.#readAt - rereadMs);
    const existing = await listSummaries(query, this.#accountId, {});
    const changed = await listChangedSummaries(query, this.#accountId, now - longestAbsenceMs);
    this.#fullAt = now;
    return [...existing, ...changed.filter((row) => row.deleted_at !== null)];
  }

  #remember(stack: StackSummary): boolean {
    // A pass that changes nothing to see may still count as a change.
    const text = JSON.stringify({ ...stack, changed_at: 0 });
    const isNew = this.#byId.get(stack.id)?.text !== text;
    if (isNew) this.#byId.set(stack.id, { stack, text, change: changeOf(stack) });
    return isNew;
  }

  #forgetDeleted(now: number): void {
    for (const { stack } of this.all)
      if (stack.deleted_at !== null && stack.deleted_at < now - longestAbsenceMs) this.#byId.delete(stack.id);
  }
}
