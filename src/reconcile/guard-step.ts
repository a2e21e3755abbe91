import { fatesOfStack } from '../data/at-vendor.ts';
import { choiceFor, endedStores, type Fate, isDisk } from '../data/fates.ts';
import { hasLostStores, hasNewStores, recordStores } from '../data/ledger.ts';
import { protectedNames } from '../data/protected.ts';
import type { Seen } from '../data/seen.ts';
import { adviceFor, sentencesOf } from '../data/sentences.ts';
import { type ReleaseRow, releasesOfStack, saveReleases } from '../store/data/releases.ts';
import { type StoreRow, storesOfStack } from '../store/data/stores.ts';
import { wasVendorDone } from '../store/stacks/rollouts.ts';
import { type Claim, lockClaim } from '../store/stacks/schedule.ts';
import { readDesiredVersion } from '../store/stacks/versions.ts';
import type { KeptStore, Release } from '../vendors/data.ts';
import { CredentialRejected, type Driver, stackOnVendor, targetOf } from '../vendors/vendor.ts';
import type { Decision } from './decide.ts';
import { intentKey, type ReconcileTools } from './tools.ts';

interface Work {
  tools: ReconcileTools;
  claim: Claim;
  driver: Driver;
}

const changesVendor = ({ step }: Decision): boolean =>
  step === 'apply' || step === 'remove' || step === 'cancel';

/** What the vendor keeps of stores that are gone. It is asked only if a store is. */
export async function readKept({ claim, driver }: Work, observation: Seen): Promise<readonly KeptStore[]> {
  if (!hasLostStores(claim, observation)) return [];
  try {
    return (await driver.listKept?.(stackOnVendor(claim))) ?? [];
  } catch (error) {
    // A key of an earlier release may not list what is kept. Describing the store asks again.
    if (error instanceof CredentialRejected) return [];
    throw error;
  }
}

/**
 * Before a step: the guard must know of every store that the vendor shows. Otherwise the pass records them at its end. False:
 * another worker has the stack by now.
 */
async function recordBefore(
  { tools, claim }: Work,
  observation: Seen,
  kept: readonly KeptStore[],
): Promise<boolean> {
  if (!hasNewStores(claim, observation)) return true;
  return tools.database.transaction(async (query) => {
    if (!(await lockClaim(query, claim))) return false;
    const seen = { stack: claim, observation, intent: intentKey(claim), kept, now: tools.clock.now() };
    await recordStores(query, seen);
    return true;
  });
}

/** The fates of the stores that a step touches. A cancelled update takes what it made with it. */
async function fatesOfStep({ tools, claim }: Work, observation: Seen, { step }: Decision): Promise<Fate[]> {
  const { query } = tools.database;
  const vendor = await tools.dataVendorOf(claim);
  const after = step === 'remove' ? null : (await readDesiredVersion(query, claim)).vendor_document;
  const versions = 'version' in observation ? [targetOf(observation.version)] : [];
  const fates = await fatesOfStack(query, { stack: claim, vendor, after, versions });
  return step === 'cancel'
    ? fates.filter(({ store }) => store.version_id === claim.cancelled_version)
    : fates;
}

/** No deletion takes a protected database with it, whenever it came up. */
async function protectionOf({ tools, claim }: Work, { step }: Decision): Promise<(fate: Fate) => boolean> {
  if (step !== 'remove') return () => false;
  const { model } = await readDesiredVersion(tools.database.query, claim);
  const names = protectedNames([model]);
  return ({ store }) => store.kind === 'database' && names.has(store.name);
}

/** The stack is deleted, and the vendor never completed it. */
const isAbandoned = async ({ tools, claim }: Work): Promise<boolean> =>
  claim.operation === 'DELETE' &&
  claim.settled_version === null &&
  !(await wasVendorDone(tools.database.query, claim.id));

/** What a request said about all its data also holds for what nobody had seen when it was sent. */
function impliedChoice(claim: Claim, fate: Fate, abandoned: boolean) {
  const { operation, data_choice: choice, replaces_servers: servers, updated_at: at } = claim;
  // Nobody has used a disk that is younger than the request, or of a stack that was never there.
  const isUnused = abandoned || fate.store.since >= at;
  if (isDisk(fate.store)) return servers === 1 || isUnused ? 'delete' : undefined;
  if (operation !== 'DELETE') return undefined;
  return choice === 'delete' ? choice : choiceFor(fate) === 'keep' ? 'keep' : undefined;
}

/** After a cancellation: stores of the version to go back to that ended in the meantime. */
async function emptiedByReturn({ tools, claim }: Work, { step }: Decision): Promise<StoreRow[]> {
  if (step !== 'apply' || claim.cancelled_version === null) return [];
  const { query } = tools.database;
  const vendor = await tools.dataVendorOf(claim);
  const { vendor_document: document } = await readDesiredVersion(query, claim);
  const rows = await storesOfStack(query, claim.id);
  return endedStores({ vendor, rows, document, except: new Set([claim.cancelled_version]) });
}

const holdReturn = ({ desired_version: version }: Claim, stores: readonly StoreRow[]): Decision => {
  const names = stores.map(({ resource_type: type, resource, id }) => `${type} ${resource} (now ${id})`);
  return {
    step: 'give-up',
    phase: 'FAILED',
    reason:
      `The update could not be cancelled in time: going back would create ${names.join(' and ')} new and empty. ` +
      `Roll back to version ${version} with ?restore=latest or ?restore=empty to go back all the same.`,
    lookAgainMs: 300_000,
  };
};

interface Guarded {
  decision: Decision;
  releases: readonly Release[];
}

const toRelease = ({ store }: Fate, { choice }: Pick<ReleaseRow, 'choice'>): Release => ({
  storeId: store.store_id,
  resource: store.resource,
  kind: store.kind,
  choice,
});

/** A release to keep what the vendor cannot keep covers nothing. */
const covers = (fate: Fate, release: Pick<ReleaseRow, 'choice'> | undefined): boolean =>
  release !== undefined && (release.choice === 'delete' || choiceFor(fate) === 'keep');

/** A cancellation cannot be repeated when it is over: the way back is a rollback. */
const hold = (
  { cancelled_version: cancelled, desired_version: version }: Claim,
  fates: readonly Fate[],
): Decision => ({
  step: 'give-up',
  phase: 'FAILED',
  reason: [
    'Not done, because it removes data that no request released.',
    sentencesOf(fates),
    cancelled === null ? '' : `The request is now a rollback to version ${version}.`,
    adviceFor(fates),
  ]
    .filter((text) => text !== '')
    .join(' '),
  lookAgainMs: 300_000,
});

/**
 * Right before a step: a store that would go without a release stops it. This is the net under every path that nobody thought
 * of: retries, repairs, crashes, several servers, restored backups.
 */
export async function guardStep(
  work: Work,
  { observation, decision }: { observation: Seen; decision: Decision },
  kept: readonly KeptStore[],
): Promise<Guarded> {
  const { tools, claim } = work;
  if (!changesVendor(decision)) return { decision, releases: [] };
  if (!(await recordBefore(work, observation, kept)))
    return { decision: { ...decision, step: 'wait' }, releases: [] };
  const emptied = await emptiedByReturn(work, decision);
  if (emptied.length > 0) return { decision: holdReturn(claim, emptied), releases: [] };
  const fates = await fatesOfStep(work, observation, decision);
  if (fates.length === 0) return { decision, releases: [] };
  const isProtected = await protectionOf(work, decision);
  const abandoned = await isAbandoned(work);
  const intent = intentKey(claim);
  const given = (await releasesOfStack(tools.database.query, claim.id)).filter(
    (release) => release.intent === intent,
  );
  const releases: Release[] = [];
  const implied: ReleaseRow[] = [];
  const open: Fate[] = [];
  for (const fate of fates) {
    const release = given.find(({ store }) => store === fate.store.id);
    const choice = isProtected(fate) ? undefined : impliedChoice(claim, fate, abandoned);
    if (release && covers(fate, release) && !isProtected(fate)) releases.push(toRelease(fate, release));
    else if (choice !== undefined) {
      releases.push(toRelease(fate, { choice }));
      implied.push(releaseRow(claim, fate, { choice, now: tools.clock.now() }));
    } else if (fate.store.state === 'in_use') open.push(fate);
  }
  await saveReleases(tools.database.query, implied);
  if (open.length === 0) return { decision, releases };
  // The vendor goes on: what it completes is guarded again before the way back.
  const held: Decision = decision.step === 'cancel' ? { ...decision, step: 'wait' } : hold(claim, open);
  return { decision: held, releases: [] };
}

const releaseRow = (
  claim: Claim,
  { store }: Fate,
  { choice, now }: { choice: ReleaseRow['choice']; now: number },
): ReleaseRow => ({
  store: store.id,
  intent: intentKey(claim),
  stack_id: claim.id,
  choice,
  released_by: claim.requested_by,
  released_at: now,
});
