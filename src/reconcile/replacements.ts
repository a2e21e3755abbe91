import type { Query } from '../store/database/database.ts';
import type { NewEvent } from '../store/stacks/events.ts';
import {
  deleteReplacements,
  listReplacements,
  noteReplacementsAsked,
  type ReplacementRow,
} from '../store/stacks/replacements.ts';
import type { Claim } from '../store/stacks/schedule.ts';
import { type Driver, type Observation, stackOnVendor } from '../vendors/vendor.ts';
import type { Decision } from './decide.ts';
import type { ReconcileTools } from './tools.ts';

/** Clouds take an instance back within minutes; one that is still there long after stays. */
const patienceMs = 10 * 60_000;

/** What a pass did about the instances the cloud takes back, to be noted down with the rest. */
export interface Replacing {
  asked: string[];
  /** Nothing more is to be done about these. */
  closed: string[];
  /** Some are still on their way: look again soon. */
  waiting: boolean;
  events: NewEvent[];
}

export const nothingReplaced: Replacing = { asked: [], closed: [], waiting: false, events: [] };

/** Asks the vendor for what was noticed and not asked yet. May be repeated: the vendor replaces an instance once. */
export async function replaceNoticed(
  tools: ReconcileTools,
  driver: Driver,
  claim: Claim,
  { observation, decision }: { observation: Observation; decision: Decision },
): Promise<Replacing> {
  // One step a pass: while a version is being applied or the stack removed, replacements wait for the next.
  const stepped = decision.step === 'apply' || decision.step === 'remove';
  if (stepped || claim.operation === 'DELETE' || observation.kind === 'unreachable') return nothingReplaced;
  const rows = await listReplacements(tools.database.query, claim.id);
  const there = observation.view.instances.filter(({ state }) => state !== 'terminated');
  const now = tools.clock.now();
  const replacing: Replacing = { asked: [], closed: [], waiting: false, events: [] };
  for (const row of rows) {
    const isThere = there.some(({ id }) => id === row.instance_id);
    const { end, message } = await attendTo(driver, claim, row, isThere, now);
    if (end === 'asked') replacing.asked.push(row.instance_id);
    if (end === 'closed') replacing.closed.push(row.instance_id);
    else replacing.waiting = true;
    const resource = row.instance_id;
    const versionId = claim.desired_version;
    if (message) replacing.events.push({ at: now, kind: 'step', resource, message, versionId });
  }
  return replacing;
}

interface Attended {
  end: 'waiting' | 'asked' | 'closed';
  message: string;
}

const over = (message: string): Attended => ({ end: 'closed', message });

async function attendTo(
  driver: Driver,
  claim: Claim,
  { instance_id: id, asked_at: askedAt }: ReplacementRow,
  isThere: boolean,
  now: number,
): Promise<Attended> {
  if (askedAt === null) {
    if (!isThere) return over(`Instance ${id} is not in this stack (any more); there is nothing to replace.`);
    const refusal = await askToReplace(driver, claim, id);
    if (refusal !== null) return over(refusal);
    return { end: 'asked', message: `The vendor was asked to replace instance ${id}.` };
  }
  if (!isThere) return over(`Instance ${id} is gone; its replacement is complete.`);
  if (now - askedAt > patienceMs)
    return over(`Instance ${id} is still there long after its notice; it is no longer waited for.`);
  return { end: 'waiting', message: '' };
}

/** Why the vendor will not do it; null when it does. Trouble on the way there is thrown, and tried again. */
async function askToReplace(driver: Driver, claim: Claim, instanceId: string): Promise<string | null> {
  if (!driver.replaceInstance)
    return `Vendor ${claim.vendor} cannot replace single instances; ${instanceId} is left to the cloud.`;
  const stack = stackOnVendor(claim);
  const answer = await driver.replaceInstance(stack, instanceId);
  return answer.accepted ? null : `The vendor refused to replace instance ${instanceId}: ${answer.reason}`;
}

/** In the transaction that notes the pass down. */
export async function noteReplacing(
  query: Query,
  claim: Claim,
  { asked, closed }: Replacing,
  now: number,
): Promise<void> {
  await noteReplacementsAsked(query, claim.id, asked, now);
  await deleteReplacements(query, claim.id, closed);
}
