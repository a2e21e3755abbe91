import type { Group } from './command.ts';
import type { System } from './system.ts';

/** What may come next on the command line, a line each: asked for by the shells. */
export async function complete(_system: System, _groups: readonly Group[]): Promise<number> {
  return 0;
}
