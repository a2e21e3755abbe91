import type { StackOnVendor } from './stack-on-vendor.ts';

/** Looks at many settled stacks with few calls, so that their number hardly matters. */
export interface SurveyOf<Observation> {
  /** A change outside Almanac is noticed within this time. */
  everyMs: number;
  /** A settled stack is looked at alone after this time, in case the survey does not show a change. */
  aloneMs: number;
  /**
   * All stacks are of one region. Returns a text for each stack that is there: if an observation of the stack may have changed, it
   * differs from the last one. Throws `Unreachable`, also soon after the signal if it is not done.
   */
  look: (stacks: readonly StackOnVendor[], stopping: AbortSignal) => Promise<ReadonlyMap<string, string>>;
  /**
   * What `look` would return for this observation: a pass that saw something else than the last sweep is then noticed by the next
   * one. Absent: an observation does not show it.
   */
  textOf?: (observation: Observation) => string;
}
