import type { KnownStacks, StackChange } from './known-stacks.ts';

/** Where changes are shown. */
export interface StatusView {
  show(changes: readonly StackChange[], known: KnownStacks): void;
  lost(reason: string): void;
  restored(): void;
  close(): void;
}
