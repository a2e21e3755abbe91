import type { StackRow } from '../store/stacks/stacks.ts';
import type { KeptStore } from '../vendors/data.ts';
import { type Observation, targetOf } from '../vendors/vendor.ts';

export type Seen = Exclude<Observation, { kind: 'unreachable' }>;

/** What an observation shows of the stores of a stack. */
export interface SeenStores {
  stack: StackRow;
  observation: Seen;
  /** The request that the stack works on. */
  intent: string;
  /** What the vendor keeps of stores that are gone. */
  kept: readonly KeptStore[];
  now: number;
}

/** The version that the vendor has, or works on. */
export const versionIn = (observation: Seen, { desired_version: desired }: StackRow): string =>
  'version' in observation ? targetOf(observation.version) || desired : desired;
