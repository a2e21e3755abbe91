import type { Life } from '../life.ts';
import type { Part } from '../world.ts';

/** One test for each of the parts, and one row of the table in docs/data.md. */
export interface Verb {
  /** What is done, as the table has it. */
  does: string;
  /** The whole guarantee, after the name of the store. */
  guarantee: string;
  parts: readonly Part[];
  /** Does it to a new stack, checks the result, and returns what happened to the store. */
  act: (life: Life, part: Part) => Promise<string>;
}
