import { Failure, notFound } from '../../../basics/failure.ts';
import { Secret } from '../../../basics/secret.ts';
import type { Compiled, Placement } from '../../../languages/language.ts';
import { newAuthToken, newStackId } from '../../../model/names.ts';
import { newNickname } from '../../../model/nickname.ts';
import type { Query } from '../../../store/database/database.ts';
import {
  desireVersion,
  findStack,
  initialState,
  insertStack,
  type StackRow,
} from '../../../store/stacks/stacks.ts';
import { emptyView } from '../../../vendors/vendor.ts';
import { type Actor, nameOf } from '../../access/access.ts';
import { requireCreation } from '../../access/permission.ts';
import { type Service, sealedFor } from '../../service.ts';
import { keepVersion, type NewVersion, newVersion } from './new-version.ts';
import { chooseVendor, holdCredential, vendorOf } from './vendor-access.ts';
import { choicesForNew, choicesForUpdate, decidedFor, retryOnConflict } from './vendor-choices.ts';
import { refuseStale, rememberAnswer, unconditional, type WriteConditions } from './write-conditions.ts';

export interface NewStack {
  language: StackRow['language'];
  placement: Placement;
  compiled: Compiled;
  nickname?: string | undefined;
}

export interface Submitted {
  stackId: string;
  versionId: string;
}

/** A new stack: accepted as a whole, in one transaction, before any cloud hears of it; or refused. */
export async function createStack(
  service: Service,
  actor: Actor,
  asked: NewStack,
  conditions: WriteConditions = unconditional,
): Promise<Submitted> {
  const { compiled, language, placement } = asked;
  const choice = await chooseVendor(service, actor, placement, language);
  const stackId = newStackId(actor.accountId, placement.region);
  requireCreation(actor, stackId);
  const { vendor } = choice;
  const decided = await choicesForNew(service, choice, compiled.model);
  const version = newVersion(service, actor, stackId, {
    compiled,
    vendor,
    decided,
    asked: 'create the stack',
  });
  const versionId = version.row.id;
  const submitted = { stackId, versionId };
  await service.database.transaction(async (query) => {
    await rememberAnswer(service, query, actor, conditions, submitted);
    await holdCredential(service, query, choice);
    const identity = { id: stackId, version: versionId, vendor: choice.credential.vendor };
    await insertStack(query, stackRow(service, actor, identity, asked));
    await keepVersion(service, query, version, null);
  });
  await service.database.notify('stack-due', stackId);
  return submitted;
}

/** A new version of a stack that exists, whatever it is going through; only one being deleted refuses. */
export async function updateStack(
  service: Service,
  actor: Actor,
  stack: StackRow,
  compiled: Compiled,
  conditions: WriteConditions = unconditional,
): Promise<Submitted> {
  return retryOnConflict(async () => {
    const vendor = await vendorOf(service, stack);
    const standing = await findUpdatable(service.database.query, actor, stack.id, stack.language);
    const decided = await choicesForUpdate(service, standing, compiled.model);
    const asked = 'update the stack';
    const version = newVersion(service, actor, stack.id, { compiled, vendor, decided, asked });
    const make = (_query: Query, current: StackRow): NewVersion => {
      decidedFor(current, { version: standing.desired_version, decided });
      return version;
    };
    return submitVersion(service, actor, stack, make, conditions);
  });
}

/**
 * Makes a new version the desired one: accepted as a whole, in one transaction, or refused. `make` is given the stack
 * as it then is, and must ask the database by the query it is given and no other.
 */
export const submitVersion = (
  service: Service,
  actor: Actor,
  stack: Pick<StackRow, 'id' | 'language'>,
  make: (query: Query, current: StackRow) => NewVersion | Promise<NewVersion>,
  conditions?: WriteConditions,
): Promise<Submitted> =>
  changeStack(
    service,
    actor,
    stack,
    async (query, current) => desire(service, query, current, await make(query, current)),
    conditions,
  );

/** Inside a change: the stack is to be as this version says. */
export async function desire(
  service: Service,
  query: Query,
  current: StackRow,
  version: NewVersion,
): Promise<string> {
  const { id } = version.row;
  await keepVersion(service, query, version, current.desired_version);
  await desireVersion(query, current.id, { version: id, now: service.clock.now() });
  return id;
}

/** One change of a stack at a time, each made on what the one before left. `change` tells the version it leads to. */
export async function changeStack(
  service: Service,
  actor: Actor,
  { id: stackId, language }: Pick<StackRow, 'id' | 'language'>,
  change: (query: Query, current: StackRow) => Promise<string>,
  conditions: WriteConditions = unconditional,
): Promise<Submitted> {
  const { database } = service;
  const submitted = await database.transaction(async (query) => {
    await database.lock(query, `stack ${stackId}`);
    const current = await findUpdatable(query, actor, stackId, language);
    refuseStale(current, conditions);
    const done = { stackId, versionId: await change(query, current) };
    await rememberAnswer(service, query, actor, conditions, done);
    return done;
  });
  await database.notify('stack-due', stackId);
  await database.notify('stack-event', stackId);
  return submitted;
}

export async function findUpdatable(
  query: Query,
  actor: Actor,
  stackId: string,
  language: StackRow['language'],
): Promise<StackRow> {
  const stack = await findStack(query, actor.accountId, stackId);
  if (!stack || stack.language !== language || stack.deleted_at !== null) throw notFound('Stack', stackId);
  if (stack.operation === 'DELETE')
    throw new Failure('conflict', `Stack ${stackId} is being deleted`, {
      description: 'A stack being deleted takes no updates. Create a new one instead.',
    });
  return stack;
}

function stackRow(
  service: Service,
  actor: Actor,
  { id, version, vendor }: { id: string; version: string; vendor: string },
  asked: NewStack,
): StackRow {
  const { events: _, ...view } = emptyView;
  return {
    ...initialState(service.clock.now()),
    id,
    account_id: actor.accountId,
    created_by: nameOf(actor),
    language: asked.language,
    vendor,
    region: asked.placement.region,
    credential_id: asked.placement.credentialId,
    nickname: asked.nickname || newNickname(),
    sealed_auth_token: service.sealer.seal(new Secret(newAuthToken()), sealedFor.authToken(id)),
    desired_version: version,
    view,
  };
}
