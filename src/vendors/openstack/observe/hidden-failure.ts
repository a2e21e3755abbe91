import type { Region } from '../region.ts';
import { readLastResult } from './events.ts';
import { type HeatStack, readDescription } from './list-stacks.ts';
import { phaseOf } from './stack-phase.ts';
import { stateKey } from './state-key.ts';
import { describedVersion } from './tags.ts';

/** Actions that bring a stack to no version, and whose result takes the place of that of the last update. */
const passing = /^(CHECK|SNAPSHOT|RESUME)_/;

async function failureBefore({ client }: Region, stack: HeatStack): Promise<string | undefined> {
  if (!passing.test(stack.status)) return undefined;
  const result = await readLastResult(client, stack);
  return result?.hasFailed ? result.reason || 'see the events' : undefined;
}

/** An update outside Almanac keeps the template of the version before the one that failed. Its description names that version. */
async function otherVersion({ client }: Region, stack: HeatStack): Promise<string | undefined> {
  if (!stack.isTagged) return undefined;
  const version = describedVersion(await readDescription(client, stack));
  return version === undefined || version === stack.version
    ? undefined
    : `The last update failed, and the stack was changed outside Almanac since: it has version ${version}. Update it again.`;
}

/**
 * Why the last update of a stack failed, if anything done outside Almanac since then hides it: the tags name the version that was
 * tried, also after a rollback. Undefined: it did not fail, or nothing tells any more. Read once for each operation.
 */
export async function hiddenFailure(region: Region, stack: HeatStack): Promise<string | undefined> {
  const { status, stackId } = stack;
  if (status === 'CREATE_COMPLETE' || phaseOf(status).kind !== 'settled') return undefined;
  const state = stateKey(stack);
  const known = region.hiddenFailures.get(stackId);
  if (known?.state === state) return known.reason;
  const reason = (await failureBefore(region, stack)) ?? (await otherVersion(region, stack));
  region.hiddenFailures.set(stackId, { state, reason });
  return reason;
}

/** Whether the stack is complete at the version that its tags name. */
export const isSettled = async (region: Region, stack: HeatStack): Promise<boolean> =>
  phaseOf(stack.status).kind === 'settled' && (await hiddenFailure(region, stack)) === undefined;
