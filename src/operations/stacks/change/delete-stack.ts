import { Failure } from '../../../basics/failure.ts';
import type { DataChoice } from '../../../model/data-choice.ts';
import { isInProgress } from '../../../model/status.ts';
import type { Query } from '../../../store/database/database.ts';
import { addEvents } from '../../../store/stacks/events.ts';
import { desireDeletion, type StackRow } from '../../../store/stacks/stacks.ts';
import { readDesiredModel } from '../../../store/stacks/versions.ts';
import type { RemovedData } from '../../../vendors/data.ts';
import type { Vendor } from '../../../vendors/vendor.ts';
import { type Actor, nameOf } from '../../access/access.ts';
import { findExistingStack, type StackReference } from '../../find-stack.ts';
import type { Service } from '../../service.ts';
import { dataOfStack, refuseUnkeptLoss } from '../submit/guard-data.ts';
import { refuseProtected } from '../submit/protected-data.ts';
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
type DeletedStore = Pick<RemovedData, 'resource' | 'resourceType' | 'keptAs'>;

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
    const choice = choiceFor(stack, conditions.data);
    const result = { stackId, data: await storesOf(service, query, { stack, choice }) };
    await rememberResult(service, query, { actor, conditions, result });
    refuseStale(stack, conditions);
    if (await isProtected(service, query, stack)) refuseProtected(await modelOf(query, stack), null);
    if (stack.status === 'DELETE_IN_PROGRESS') return result;
    if (choice === 'keep' && mayHoldData(stack)) await refuseLoss(service, query, stack);
    await request(service, query, { stack, actor, choice, stores: result.data });
    return result;
  });
  await database.notify('stack-due', stackId);
  return deletion;
}

const modelOf = async (query: Query, stack: StackRow) => (await readDesiredModel(query, stack)).model;

/** A database can come up, and be used, in a stack whose creation failed later. The creation itself may be stopped at any time. */
const mayHoldData = ({ settled_version: settled, status, view }: StackRow): boolean =>
  settled !== null ||
  (!isInProgress(status) && [...view.databases, ...view.caches].some(({ address }) => address !== ''));

const vendorIfKnown = (service: Service, query: Query, stack: StackRow) =>
  unlessUnknown<Vendor | undefined>(vendorOf(service, stack, query), undefined);

/** Before the first complete version only where the vendor does not protect the database itself. */
const isProtected = async (service: Service, query: Query, stack: StackRow): Promise<boolean> =>
  stack.settled_version !== null ||
  (mayHoldData(stack) && (await vendorIfKnown(service, query, stack))?.keepsNoData === true);

/** A deletion in progress cannot change its mind: its snapshots may exist already, or its data may be gone. */
function choiceFor(stack: StackRow, requested: DataChoice | undefined): DataChoice {
  if (stack.status !== 'DELETE_IN_PROGRESS') return requested ?? 'keep';
  const current = stack.data_choice;
  if (requested === undefined || requested === current) return current;
  throw new Failure('conflict', `Stack ${stack.id} is already being deleted with data=${current}`, {
    description:
      current === 'keep'
        ? 'Wait until the stack is deleted. Then delete what is kept of its data at the vendor.'
        : 'What the deletion has removed cannot be restored.',
  });
}

interface Stores {
  stack: StackRow;
  choice: DataChoice;
}

/** A stack can be deleted without its credential, but then nobody can ask its vendor. */
const unlessUnknown = <T>(asking: Promise<T>, otherwise: T): Promise<T> =>
  asking.catch((error: unknown) => {
    if (error instanceof Failure) return otherwise;
    throw error;
  });

async function refuseLoss(service: Service, query: Query, stack: StackRow): Promise<void> {
  const vendor = await vendorIfKnown(service, query, stack);
  if (vendor?.keepsNoData) refuseUnkeptLoss(await dataOfStack(service, query, stack));
}

async function storesOf(service: Service, query: Query, { stack, choice }: Stores): Promise<DeletedStore[]> {
  const stores = await unlessUnknown(dataOfStack(service, query, stack), []);
  return stores.map(({ resource, resourceType, keptAs }) => ({
    resource,
    resourceType,
    keptAs: choice === 'keep' ? keptAs : '',
  }));
}

interface DeletionRequest extends Stores {
  actor: Actor;
  stores: readonly DeletedStore[];
}

async function request(
  { clock }: Service,
  query: Query,
  { stack, actor, choice, stores }: DeletionRequest,
): Promise<void> {
  const now = clock.now();
  const note = stores.map(describeStore).join(' ');
  await desireDeletion(query, stack.id, { now, by: nameOf(actor), choice, note });
  const message = [`${nameOf(actor)} asked to delete the stack.`, note].join(' ').trim();
  const event = { at: now, kind: 'request', status: 'DELETE_IN_PROGRESS', message } as const;
  await addEvents(query, stack.id, [{ ...event, versionId: stack.desired_version }]);
}

const describeStore = ({ resource, resourceType, keptAs }: DeletedStore): string =>
  keptAs === ''
    ? `The data of ${resourceType} ${resource} is deleted.`
    : `The data of ${resourceType} ${resource} is kept. ${keptAs}`;
