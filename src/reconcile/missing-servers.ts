import type { Layer } from '../model/stack-model.ts';
import { isComplete, isInProgress } from '../model/status.ts';
import type { Claim } from '../store/stacks/schedule.ts';
import { readDesiredModel } from '../store/stacks/versions.ts';
import type { Instance, Observation } from '../vendors/vendor.ts';
import type { Decision } from './decide.ts';
import type { ReconcileTools } from './tools.ts';

const isThere = ({ state }: Instance): boolean => state !== 'shutting-down' && state !== 'terminated';

type Settled = Extract<Observation, { kind: 'settled' }>;

/** Only a stack that was complete before, and only if servers went since, or were missing before: else nothing is read. */
function mayMissServers(claim: Claim, { version, view }: Settled): boolean {
  if (version !== claim.desired_version || claim.settled_version !== version) return false;
  if (isInProgress(claim.status)) return false;
  const left = new Set(view.instances.filter(isThere).map(({ id }) => id));
  return !isComplete(claim.status) || claim.view.instances.some((it) => isThere(it) && !left.has(it.id));
}

/** Groups replace their members themselves. */
function missingFrom({ flag, capacity }: Layer, { view }: Settled): string[] {
  if (capacity.kind !== 'fixed') return [];
  const ofLayer = view.instances.filter((it) => it.flag === flag);
  const missing = capacity.count - ofLayer.filter(isThere).length;
  if (missing <= 0) return [];
  const gone = ofLayer.filter((it) => !isThere(it)).map(({ id }) => id);
  const names = gone.length > 0 ? ` (${gone.join(', ')})` : '';
  return [`${missing} of ${capacity.count} servers of layer ${flag}${names}`];
}

/** A stack is not complete while servers are missing that were terminated outside Almanac. */
export async function failIfServersMiss(
  { database }: ReconcileTools,
  claim: Claim,
  { observation, decision }: { observation: Observation; decision: Decision },
): Promise<Decision> {
  if (observation.kind !== 'settled' || claim.operation === 'DELETE') return decision;
  if (!mayMissServers(claim, observation)) return decision;
  const { model } = await readDesiredModel(database.query, claim);
  const missing = model.layers.flatMap((layer) => missingFrom(layer, observation));
  if (missing.length === 0) return decision;
  const reason = `Terminated outside Almanac: ${missing.join('; ')}. Update the stack to create them again.`;
  return { ...decision, step: 'give-up', phase: 'FAILED', reason };
}
