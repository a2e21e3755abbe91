import type { StackSummary } from '../../../contract/v3/schemas/stack-summary.ts';
import type { StackUpdate } from '../../follow/follow-stacks.ts';

/** A stack that is new or different; without one, it was deleted. */
export interface StackChange {
  stackId: string;
  stack: StackSummary | null;
}

/** The stacks as the last update left them. The service may send the same state twice. */
export class KnownStacks {
  #stacks: ReadonlyMap<string, StackSummary> = new Map();

  get all(): readonly StackSummary[] {
    return [...this.#stacks.values()];
  }

  /** Returns what is different from before. */
  apply(update: StackUpdate): StackChange[] {
    const before = this.#stacks;
    const after = this.#after(update);
    this.#stacks = after;
    const gone = [...before.keys()].filter((stackId) => !after.has(stackId));
    const changed = [...after].filter(
      ([stackId, stack]) => JSON.stringify(stack) !== JSON.stringify(before.get(stackId)),
    );
    return [
      ...gone.map((stackId) => ({ stackId, stack: null })),
      ...changed.map(([stackId, stack]) => ({ stackId, stack })),
    ];
  }

  #after(update: StackUpdate): ReadonlyMap<string, StackSummary> {
    if (update.kind === 'list') return new Map(update.stacks.map((stack) => [stack.stack_id, stack]));
    const stacks = new Map(this.#stacks);
    if (update.stack) stacks.set(update.stackId, update.stack);
    else stacks.delete(update.stackId);
    return stacks;
  }
}
