import { releasedResources } from '../../data.ts';
import { type Answer, accepted, notBegun, refused, type StackOnVendor } from '../../vendor.ts';
import { CloudError, isGone, isType, Refusal, toAnswer } from '../errors.ts';
import { hiddenFailure } from '../observe/hidden-failure.ts';
import { type HeatStack, readByName } from '../observe/list-stacks.ts';
import { isLost } from '../observe/lost-engine.ts';
import { pathOf } from '../observe/stack-path.ts';
import { phaseOf, type StackPhase } from '../observe/stack-phase.ts';
import type { Region } from '../region.ts';
import { growVolumes } from './data/grow-volumes.ts';
import { type DataPlan, keepAll, planForData } from './data/plan.ts';
import { releaseData } from './data/release.ts';
import { type DataStore, readStackResources, type StackResources } from './data/stores.ts';
import { adoptVolumes, deleteCondemned } from './data/volumes.ts';
import { turnBack } from './half-replaced.ts';
import { heal } from './heal.ts';
import {
  convergeAgain,
  type OpenStackApplyRequest,
  requestAction,
  requestDeletion,
  stackRequest,
} from './requests.ts';
import { deleteTwins } from './twins.ts';
import { clearUnrecorded } from './unrecorded.ts';

/** Takes one step towards the version. If the state of the stack allows none yet, does nothing until called again. */
export const apply = (
  region: Region,
  stack: StackOnVendor,
  request: OpenStackApplyRequest,
): Promise<Answer> => toAnswer(() => inTurn(region, stack.id, () => takeStep(region, stack, request)));

/** Heat looks for the name, then creates: two creations at the same moment would both succeed. */
async function inTurn<T>({ applying }: Region, stackId: string, work: () => Promise<T>): Promise<T> {
  const mine = (applying.get(stackId) ?? Promise.resolve()).then(work, work);
  applying.set(stackId, mine);
  try {
    return await mine;
  } finally {
    if (applying.get(stackId) === mine) applying.delete(stackId);
  }
}

/** Reads by name, never from a cache: the answer to an earlier creation may have been lost. */
async function takeStep(
  region: Region,
  { id }: StackOnVendor,
  request: OpenStackApplyRequest,
): Promise<Answer> {
  const existing = await readByName(region.client, id);
  if (!existing) return create(region, id, request);
  await deleteTwins(region, existing);
  return steps[await moveFor(region, existing, request.version)](region, existing, request);
}

/** The next step for a stack, which its phase alone does not decide. */
async function moveFor(region: Region, existing: HeatStack, version: string): Promise<StackPhase['move']> {
  const { kind, move } = phaseOf(existing.status);
  if (kind === 'busy' && (await isLost(region, existing))) return moveOfLost(existing.status);
  const isCurrent = existing.version === version;
  if (isCurrent && (await hiddenFailure(region, existing)) !== undefined) return 'update';
  if (move === 'supersede') return isCurrent || !region.dialect.capabilities.supersedes ? 'wait' : 'update';
  if (move === 'again') return isCurrent && region.dialect.capabilities.patch ? 'again' : 'update';
  return kind === 'settled' && isCurrent ? 'wait' : move;
}

/** Heat updates no stack whose suspension began. */
const moveOfLost = (status: string): StackPhase['move'] => {
  if (status.startsWith('SUSPEND')) return 'resume';
  return phaseOf(status).doing === 'remove' ? 'delete' : 'update';
};

type Step = (region: Region, existing: HeatStack, request: OpenStackApplyRequest) => Promise<Answer>;

const steps: Readonly<Record<StackPhase['move'], Step>> = {
  wait,
  supersede: update,
  update,
  again: convergeCurrent,
  resume,
  delete: deleteFailed,
};

async function wait(
  region: Region,
  existing: HeatStack,
  { version }: OpenStackApplyRequest,
): Promise<Answer> {
  if (existing.version !== version) return notBegun;
  if (phaseOf(existing.status).kind === 'settled') await deleteCondemned(region, existing);
  return accepted;
}

async function create(region: Region, stackId: string, request: OpenStackApplyRequest): Promise<Answer> {
  const { client } = region;
  await adoptVolumes(region, stackId, request.document);
  const session = await client.newSession();
  const body = {
    stack_name: stackId,
    ...stackRequest({ stackId, request, session, kept: keepAll(request.document) }),
    // What failed stays for a look, and an update continues from there.
    disable_rollback: true,
  };
  try {
    await client.change({ service: 'orchestration', method: 'POST', path: '/stacks', body, session });
  } catch (cause) {
    // The stack of that name was created by an earlier request whose answer was lost, or has just been deleted.
    if (!isType(cause, 'StackExists'))
      await rejectUnlessBegun(region, { stackId, version: request.version }, cause);
  }
  region.operations.accept(stackId, { doing: 'apply', version: request.version });
  return accepted;
}

/**
 * Heat restores the version before if an update fails: only where there was one, and where tags still name the new one. An old
 * engine restores the tags too.
 */
const mayRollBack = ({ dialect }: Region, { status, isTagged }: HeatStack): boolean =>
  dialect.capabilities.tags && isTagged && !/^CREATE_(FAILED|IN_PROGRESS)$/.test(status);

async function update(region: Region, existing: HeatStack, request: OpenStackApplyRequest): Promise<Answer> {
  const { client } = region;
  const { stackId } = existing;
  const parts = await readStackResources(region, existing);
  const plan = await planForData(region, { ...parts, existing, request });
  const confirmed = new Set(releasedResources(request.releases ?? []));
  if (plan.mustWait || !(await turnBack(region, existing, { stores: parts.stores, confirmed })))
    return notBegun;
  if (!(await prepareData(region, existing, { ...parts, plan, request }))) return notBegun;
  await clearUnrecorded(region, existing, parts);
  const note = await heal(region, existing, parts);
  const session = await client.newSession();
  const body = {
    ...stackRequest({ stackId, request, session, kept: plan.kept }),
    disable_rollback: !(plan.mayUndo && mayRollBack(region, existing)),
  };
  try {
    await client.change({ service: 'orchestration', method: 'PUT', path: pathOf(existing), body, session });
  } catch (cause) {
    if (isOvertaken(cause)) return notBegun;
    await rejectUnlessBegun(region, { stackId, version: request.version }, cause);
  }
  region.operations.accept(stackId, { doing: 'apply', version: request.version });
  return note ? { accepted: true, note } : accepted;
}

interface Prepared extends StackResources {
  plan: DataPlan;
  request: OpenStackApplyRequest;
}

/** What must be done with data before Heat changes anything. False: it is not complete yet. */
async function prepareData(
  region: Region,
  existing: HeatStack,
  { plan: { lost, before }, request, resources }: Prepared,
): Promise<boolean> {
  const { document, releases = [], version } = request;
  const released = { stores: lost, releases, version, key: version };
  if (!(await releaseData(region, existing, released))) return false;
  await adoptVolumes(region, existing.stackId, document);
  return growVolumes(region, { before, document, resources });
}

/** The stack changed since it was read: it is gone, in progress, being deleted or suspended. The next observation shows it. */
const isOvertaken = (cause: unknown): boolean =>
  isGone(cause) || isType(cause, 'ActionInProgress', 'NotSupported');

/** After an error without a reason, the request may have succeeded. */
async function rejectUnlessBegun(
  { client }: Region,
  { stackId, version }: { stackId: string; version: string },
  cause: unknown,
): Promise<void> {
  if (!isType(cause, 'RemoteError')) throw cause;
  const stack = await readByName(client, stackId);
  if (stack?.version === version) return;
  const said = cause instanceof CloudError ? cause.message.split('\n')[0] : '';
  throw new Refusal(
    client.isApplication
      ? 'The cloud does not let Heat use application credentials. Ask its operator to allow ' +
          'allow_insecure_application_credential_trust_escalation in Keystone, or save a credential with a password.'
      : `Heat failed without a reason: ${said || 'RemoteError'}. Its log has the reason. Ask the operator of the cloud.`,
  );
}

async function convergeCurrent(region: Region, existing: HeatStack): Promise<Answer> {
  await heal(region, existing, await readStackResources(region, existing));
  await convergeAgain(region, existing);
  region.operations.accept(existing.stackId, { doing: 'apply', version: existing.version });
  return accepted;
}

async function resume(region: Region, existing: HeatStack): Promise<Answer> {
  if (!region.dialect.capabilities.actions)
    return refused('The stack was suspended outside Almanac. Resume it in the cloud, then update it again.');
  await requestAction(region, existing, 'resume');
  region.operations.accept(existing.stackId, { doing: 'apply', version: existing.version });
  return {
    accepted: true,
    begun: false,
    note: 'The stack was suspended outside Almanac: it is resumed first.',
  };
}

const namesOf = (stores: readonly DataStore[]): string =>
  stores.map(({ resource }) => resource.name).join(' and ');

/** A failed deletion can only be continued; the next step creates the stack again. Data is not deleted that way. */
async function deleteFailed(region: Region, failed: HeatStack): Promise<Answer> {
  const { stores } = await readStackResources(region, failed);
  if (stores.length > 0)
    return refused(
      `The deletion of the stack failed, and Heat can only go on deleting, which would delete the data of ${namesOf(stores)}. ` +
        'First delete the stack; after that, an update creates it again.',
    );
  await requestDeletion(region, failed);
  region.operations.accept(failed.stackId, { doing: 'remove', version: failed.version });
  return accepted;
}
