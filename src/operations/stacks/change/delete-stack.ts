import { Failure } from '../../../basics/failure.ts';
import { fatesOfStack } from '../../../data/at-vendor.ts';
import { type Fate, isDisk } from '../../../data/fates.ts';
import { unprotectedBy } from '../../../data/protected.ts';
import { sentenceOf } from '../../../data/sentences.ts';
import type { DataChoice } from '../../../model/data-choice.ts';
import { releasesOfStack, saveReleases } from '../../../store/data/releases.ts';
import type { Query } from '../../../store/database/database.ts';
import { addEvents } from '../../../store/stacks/events.ts';
import { wasVendorDone } from '../../../store/stacks/rollouts.ts';
import { desireDeletion, type StackRow } from '../../../store/stacks/stacks.ts';
import { readDesiredModel } from '../../../store/stacks/versions.ts';
import type { Vendor } from '../../../vendors/vendor.ts';
import { type Actor, nameOf } from '../../access/access.ts';
import { findExistingStack, type StackReference } from '../../find-stack.ts';
import type { Service } from '../../service.ts';
import {
  type Asked,
  type DataWish,
  type DataWord,
  describeReleased,
  holdsData,
  type Released,
  refuseProtected,
  refuseToRemove,
  releaseOrRefuse,
  releaseRows,
  replacesServers,
  wishFor,
} from '../submit/guard-data.ts';
import { vendorOf } from '../submit/vendor-access.ts';
import {
  refuseStale,
  rememberResult,
  unconditional,
  type WriteConditions,
} from '../submit/write-conditions.ts';

export interface StackDeletion extends StackReference {
  conditions?: WriteConditions | undefined;
}

/** A store of the stack, and how its data is kept; empty: it is deleted. */
interface DeletedStore {
  id: string;
  kind: string;
  resource: string;
  resourceType: string;
  keptAs: string;
  sentence: string;
}

export interface Deletion {
  stackId: string;
  data: readonly DeletedStore[];
}

/** Deletes a stack in any state. While a deletion is in progress a repeat changes nothing; after a failure it retries. */
export async function deleteStack(
  service: Service,
  actor: Actor,
  { stackId, language, conditions = unconditional }: StackDeletion,
): Promise<Deletion> {
  const { database } = service;
  const deletion = await database.transaction(async (query) => {
    await database.lock(query, `stack ${stackId}`);
    const stack = await findExistingStack(query, actor.accountId, { stackId, language });
    refuseStale(stack, conditions);
    const isRepeated = stack.status === 'DELETE_IN_PROGRESS';
    const released = isRepeated
      ? await releasedBefore(service, query, stack)
      : await releaseAll(service, query, { stack, word: conditions, otherwise: 'keep' });
    if (isRepeated) refuseOtherChoice(stack, released, conditions.data);
    const result = { stackId, data: released.filter(({ fate }) => holdsData(fate)).map(presentStore) };
    await rememberResult(service, query, { actor, conditions, result });
    if (!isRepeated) await request(service, query, { stack, actor, released, word: conditions });
    return result;
  });
  await database.notify('stack-due', stackId);
  return deletion;
}

/** What the deletion in progress removes of what still exists, as it was requested. */
async function releasedBefore(service: Service, query: Query, stack: StackRow): Promise<Released[]> {
  const intent = `delete ${stack.delete_requests}`;
  const earlier = (await releasesOfStack(query, stack.id)).filter((release) => release.intent === intent);
  const word = { servers: 'replace' } as const;
  return releaseAll(service, query, { stack, word, earlier, otherwise: stack.data_choice });
}

/** A deletion in progress cannot change its mind: its snapshots may exist already, or its data may be gone. */
function refuseOtherChoice(
  stack: StackRow,
  released: readonly Released[],
  requested: DataWish | undefined,
): void {
  const other = released.find(
    ({ fate, choice }) => !isDisk(fate.store) && (wishFor(fate, { data: requested }) ?? choice) !== choice,
  );
  const isOtherForAll = typeof requested === 'string' && requested !== stack.data_choice;
  if (!other && !isOtherForAll) return;
  const current = other?.choice ?? stack.data_choice;
  throw new Failure('conflict', `Stack ${stack.id} is already being deleted with data=${current}`, {
    description:
      current === 'keep'
        ? 'Wait until the stack is deleted. Then delete what is kept of its data at the vendor.'
        : 'What the deletion has removed cannot be restored.',
  });
}

/** A stack can be deleted without its credential, but then nobody can ask its vendor. The step itself is guarded again. */
const vendorIfKnown = (service: Service, query: Query, stack: StackRow): Promise<Vendor | undefined> =>
  vendorOf(service, stack, query).catch((error: unknown) => {
    if (error instanceof Failure) return undefined;
    throw error;
  });

interface Releasing extends Pick<Asked, 'word' | 'earlier' | 'otherwise'> {
  stack: StackRow;
}

/** A stack that the vendor never completed has no servers that anyone relies on. */
async function releaseAll(
  service: Service,
  query: Query,
  { stack, ...asked }: Releasing,
): Promise<Released[]> {
  const { model } = await readDesiredModel(query, stack);
  if (stack.settled_version !== null) refuseToRemove(unprotectedBy(model, null));
  const vendor = await vendorIfKnown(service, query, stack);
  const found = vendor ? await fatesOfStack(query, { stack, vendor, after: null }) : [];
  if (found.length === 0) return [];
  const wasNeverDone = stack.settled_version === null && !(await wasVendorDone(query, stack.id));
  const isAbandoned = ({ store }: Fate): boolean => wasNeverDone && isDisk(store);
  const fates = found.filter((fate) => !isAbandoned(fate));
  refuseProtected(fates, [model]);
  const disks = found.filter(isAbandoned).map((fate): Released => ({ fate, choice: 'delete' }));
  return [...releaseOrRefuse(service, { fates, what: 'The deletion', ...asked }), ...disks];
}

const presentStore = ({ fate, choice }: Released): DeletedStore => ({
  id: fate.store.id,
  kind: fate.store.kind,
  resource: fate.store.resource,
  resourceType: fate.store.resource_type,
  keptAs: choice === 'keep' ? fate.keptAs : '',
  sentence: sentenceOf(fate, choice),
});

interface DeletionRequest {
  stack: StackRow;
  actor: Actor;
  released: readonly Released[];
  word: DataWord;
}

const choiceForAll = ({ data }: DataWord): DataChoice => (data === 'delete' ? 'delete' : 'keep');

async function request(
  service: Service,
  query: Query,
  { stack, actor, released, word }: DeletionRequest,
): Promise<void> {
  const now = service.clock.now();
  const by = nameOf(actor);
  const sentences = describeReleased(released);
  const note = describeReleased(released.filter(({ fate }) => !isDisk(fate.store))).join(' ');
  await desireDeletion(query, stack.id, {
    now,
    by,
    replacesServers: replacesServers(service, word),
    choice: choiceForAll(word),
    note,
  });
  await saveReleases(
    query,
    releaseRows(released, { intent: `delete ${stack.delete_requests + 1}`, by, now }),
  );
  const message = [`${by} asked to delete the stack.`, ...sentences].join(' ');
  const event = { at: now, kind: 'request', status: 'DELETE_IN_PROGRESS', message } as const;
  await addEvents(query, stack.id, [{ ...event, versionId: stack.desired_version }]);
}
