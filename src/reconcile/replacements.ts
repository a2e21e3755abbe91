import type { Query } from '../store/database/database.ts';
import type { NewEvent } from '../store/stacks/events.ts';
import {
  deleteReplacements,
  listReplacements,
  markReplacementsRequested,
  type ReplacementRow,
} from '../store/stacks/replacements.ts';
import type { Claim } from '../store/stacks/schedule.ts';
import { type Driver, type Observation, stackOnVendor } from '../vendors/vendor.ts';
import type { Decision } from './decide.ts';
import type { ReconcileTools } from './tools.ts';

/** Clouds reclaim an instance within minutes of the notice; one that is still there after this stays. */
const reclaimTimeoutMs = 10 * 60_000;

/** The replacements a pass worked on, to be recorded with the rest of the pass. */
export interface Replacing {
  requested: string[];
  /** Nothing more to do for these instances. */
  closed: string[];
  /** Some replacements are in progress: look again soon. */
  waiting: boolean;
  events: NewEvent[];
}

export const nothingReplaced: Replacing = { requested: [], closed: [], waiting: false, events: [] };

interface Work {
  tools: ReconcileTools;
  claim: Claim;
  driver: Driver;
}

/** Requests the replacements that are not requested yet. May be repeated: the vendor replaces an instance once. */
export async function replaceNoticed(
  { tools, claim, driver }: Work,
  { observation, decision }: { observation: Observation; decision: Decision },
): Promise<Replacing> {
  // One step per pass: while a version is applied or the stack is removed, replacements wait for the next pass.
  const stepped = decision.step === 'apply' || decision.step === 'remove';
  if (stepped || claim.operation === 'DELETE' || observation.kind === 'unreachable') return nothingReplaced;
  const rows = await listReplacements(tools.database.query, claim.id);
  const present = observation.view.instances.filter(({ state }) => state !== 'terminated');
  const now = tools.clock.now();
  const replacing: Replacing = { requested: [], closed: [], waiting: false, events: [] };
  for (const row of rows) {
    const isPresent = present.some(({ id }) => id === row.instance_id);
    const { end, message } = await advanceReplacement({ driver, claim, row, isPresent, now });
    if (end === 'requested') replacing.requested.push(row.instance_id);
    if (end === 'closed') replacing.closed.push(row.instance_id);
    else replacing.waiting = true;
    const resource = row.instance_id;
    const versionId = claim.desired_version;
    if (message) replacing.events.push({ at: now, kind: 'step', resource, message, versionId });
  }
  return replacing;
}

interface Replacement {
  driver: Driver;
  claim: Claim;
  row: ReplacementRow;
  isPresent: boolean;
  now: number;
}

interface ReplacementState {
  end: 'waiting' | 'requested' | 'closed';
  message: string;
}

const closed = (message: string): ReplacementState => ({ end: 'closed', message });

async function advanceReplacement(replacement: Replacement): Promise<ReplacementState> {
  const { driver, claim, row, isPresent, now } = replacement;
  const { instance_id: id, asked_at: requestedAt } = row;
  if (requestedAt === null) {
    if (!isPresent) return closed(`Instance ${id} is not in this stack (any more); nothing to replace.`);
    const refusal = await requestReplacement(driver, claim, id);
    if (refusal !== null) return closed(refusal);
    return { end: 'requested', message: `The vendor was asked to replace instance ${id}.` };
  }
  if (!isPresent) return closed(`Instance ${id} is gone; its replacement is complete.`);
  if (now - requestedAt > reclaimTimeoutMs)
    return closed(`Instance ${id} is still there long after its notice; Almanac no longer waits for it.`);
  return { end: 'waiting', message: '' };
}

/** The vendor's refusal; null: accepted. An unreachable vendor is thrown, and retried. */
async function requestReplacement(driver: Driver, claim: Claim, instanceId: string): Promise<string | null> {
  if (!driver.replaceInstance)
    return `Vendor ${claim.vendor} cannot replace single instances; instance ${instanceId} is left to the cloud.`;
  const answer = await driver.replaceInstance(stackOnVendor(claim), instanceId);
  return answer.accepted ? null : `The vendor refused to replace instance ${instanceId}: ${answer.reason}`;
}

/** Call it in the transaction that records the pass. */
export async function recordReplacing(
  query: Query,
  { stackId, now }: { stackId: string; now: number },
  { requested, closed: ended }: Replacing,
): Promise<void> {
  await markReplacementsRequested(query, { stackId, instanceIds: requested, now });
  await deleteReplacements(query, stackId, ended);
}
