import type { Application } from '../rollouts/record.ts';
import type { RolloutRow } from '../store/stacks/rollouts.ts';
import type { KeptStore } from '../vendors/data.ts';
import type { Answer, Observation, Survey } from '../vendors/vendor.ts';
import type { Decision } from './decide.ts';
import type { Replacing } from './replacements.ts';
import type { Reporting } from './report-up.ts';

/** What one pass over a stack saw and did. */
export interface Pass {
  observation: Observation;
  decision: Decision;
  answer: Answer;
  replacing: Replacing;
  reporting: Reporting;
  /** What the vendor keeps of stores that are gone. */
  kept: readonly KeptStore[];
  /** Absent: the stack has no application, or nobody could look. */
  application?: Application | undefined;
  /** The vendor is done, but the containers do not serve: the version is not complete. */
  waits: boolean;
  /** The stack goes back after this pass, because this rollout failed. */
  returnsFrom?: RolloutRow | undefined;
  /** Absent: the vendor has none, or could not be asked. */
  survey?: Survey | undefined;
}
