import { Failure } from '../../../basics/failure.ts';
import { Secret } from '../../../basics/secret.ts';
import type { Compiled, Placement } from '../../../languages/language.ts';
import { newAuthToken, newStackId } from '../../../model/names.ts';
import { newNickname } from '../../../model/nickname.ts';
import type { Query } from '../../../store/database/database.ts';
import { readVersionPulls } from '../../../store/registry/version-pulls.ts';
import { lockStackRow } from '../../../store/stacks/health.ts';
import { desireVersion, initialState, insertStack, type StackRow } from '../../../store/stacks/stacks.ts';
import { emptyView } from '../../../vendors/vendor.ts';
import { type Actor, nameOf } from '../../access/access.ts';
import { requireCreation } from '../../access/permission.ts';
import { findExistingStack, type StackReference } from '../../find-stack.ts';
import { requirePull } from '../../registry/require-pull.ts';
import { requireSecretUse } from '../../secrets/used-secrets.ts';
import { type Service, sealedFor } from '../../service.ts';
import { admitStack } from './admit-stack.ts';
import { type Automatic, withCause } from './automatic.ts';
import { desireReturn } from './desire-return.ts';
import { type DataWord, replacesServers } from './guard-data.ts';
import { guardUpdate } from './guard-update.ts';
import { keepRights } from './keep-rights.ts';
import { countEventsOfRequest, keepVersion, type NewVersion, newVersion } from './new-version.ts';
import { type Place, withRestored } from './restore-data.ts';
import { refuseIdAsName, refuseUsedName } from './stack-name.ts';
import { holdCredential, type SelectedVendor, selectVendor, vendorOf } from './vendor-access.ts';
import { choicesForNew, choicesForUpdate, requireCurrentChoices, retryOnConflict } from './vendor-choices.ts';
import { refuseStale, rememberResult, unconditional, type WriteConditions } from './write-conditions.ts';

export interface NewStack {
  language: StackRow['language'];
  placement: Placement;
  compiled: Compiled;
  nickname?: string | undefined;
  /** Refused if another stack has the same nickname. */
  isUnique?: boolean | undefined;
  conditions?: WriteConditions | undefined;
}

export interface Submitted {
  stackId: string;
  versionId: string;
}

/** Creates a stack in one transaction, before anything is sent to the cloud; or refuses it. */
export async function createStack(service: Service, actor: Actor, request: NewStack): Promise<Submitted> {
  const { compiled, language, placement, conditions = unconditional } = request;
  refuseIdAsName(request.nickname);
  const selected = await selectVendor(service, actor, { placement, language });
  const { vendor } = selected;
  const stackId = newStackId(actor.accountId, placement.region);
  requireCreation(actor, stackId);
  const pulls = await requirePull(service, service.database.query, { actor, model: compiled.model });
  await requireSecretUse(service.database.query, { actor, model: compiled.model });
  const choices = await choicesForNew(service, selected, compiled);
  const action = 'create the stack';
  const version = await withRestored(
    service.database.query,
    newVersion(service, actor, { stackId, compiled, vendor, choices, action }),
    {
      actor,
      vendor,
      place: placeOf(actor, selected, placement),
      stackId: null,
      restores: compiled.restores ?? [],
    },
  );
  const versionId = version.row.id;
  const submitted = { stackId, versionId };
  await service.database.transaction(async (query) => {
    await rememberResult(service, query, { actor, conditions, result: submitted });
    await admitStack(service, query, actor.accountId);
    if (request.isUnique) await refuseUsedName(service, query, { actor, nickname: request.nickname });
    await holdCredential(service, query, selected);
    await insertStack(query, {
      ...stackRow(service, actor, { ...request, ...submitted, selected }),
      event_count: countEventsOfRequest(version),
    });
    await keepVersion(service, query, { version, previous: null });
    await keepRights(query, { version: version.row, actor, pulls });
  });
  await service.database.notify('stack-due', stackId);
  return submitted;
}

export const placeOf = (actor: Actor, { credential }: SelectedVendor, { region }: Placement): Place => ({
  account_id: actor.accountId,
  vendor: credential.vendor,
  credential_id: credential.id,
  region,
});

export interface StackUpdate extends Automatic {
  stack: StackRow;
  compiled: Compiled;
  conditions?: WriteConditions | undefined;
}

/** Submits a new version of an existing stack in any state; only a stack being deleted refuses it. */
export async function updateStack(
  service: Service,
  actor: Actor,
  { stack: { id: stackId, language }, compiled, conditions, ...automatic }: StackUpdate,
): Promise<Submitted> {
  return retryOnConflict(async () => {
    const before = await findUpdatable(service.database.query, actor, { stackId, language });
    const vendor = await vendorOf(service, before);
    const choices = await choicesForUpdate(service, before, compiled);
    const action = 'update the stack';
    const made = newVersion(service, actor, { stackId, compiled, vendor, choices, action });
    const version = withCause(made, automatic);
    const make = async (query: Query, current: StackRow): Promise<NewVersion> => {
      requireCurrentChoices(current, { version: before.desired_version, choices });
      const restores = compiled.restores ?? [];
      return withRestored(query, version, { actor, vendor, place: current, stackId, restores });
    };
    return submitVersion(service, actor, { stackId, language, make, conditions });
  });
}

export interface VersionSubmission extends StackReference {
  /** Receives the stack as it is inside the transaction, and must read the database through `query` only. */
  make: (query: Query, current: StackRow) => NewVersion | Promise<NewVersion>;
  conditions?: WriteConditions | undefined;
}

/** Makes a new version the desired one, in one transaction; or refuses it. */
export const submitVersion = (
  service: Service,
  actor: Actor,
  { make, ...request }: VersionSubmission,
): Promise<Submitted> =>
  changeStack(service, actor, {
    ...request,
    change: async (query, current) =>
      desireNewVersion(service, query, {
        actor,
        current,
        version: await make(query, current),
        word: request.conditions,
      }),
  });

interface DesiredChange {
  actor: Actor;
  current: StackRow;
  version: NewVersion;
  /** What the caller said about data that the change removes. */
  word: DataWord | undefined;
}

/** Stores a version and makes it the desired one. Runs inside a change. */
export async function desireNewVersion(
  service: Service,
  query: Query,
  { actor, current, version, word }: DesiredChange,
): Promise<string> {
  const { id, model } = version.row;
  const { returning } = version;
  // Nobody asks for a return: it has the rights that its copy had, no more.
  const pulls = returning
    ? [...(await readVersionPulls(query, [returning.to]))]
    : await requirePull(service, query, { actor, model, stack: current });
  if (!returning) await requireSecretUse(query, { actor, model, stack: current });
  const notes = await guardUpdate(service, query, { current, after: version.row, word });
  const kept = { ...version, notes: [...(version.notes ?? []), ...notes] };
  await keepVersion(service, query, { version: kept, previous: current.desired_version });
  await keepRights(query, { version: version.row, actor, pulls });
  const desired = {
    version: id,
    now: service.clock.now(),
    by: version.row.created_by,
    replacesServers: replacesServers(service, word),
  };
  if (returning) await desireReturn(service, query, { stack: current, desired, returning });
  else await desireVersion(query, current.id, desired);
  return id;
}

export interface StackChange extends StackReference {
  /** Returns the id of the version that is desired after the change. */
  change: (query: Query, current: StackRow) => Promise<string>;
  conditions?: WriteConditions | undefined;
}

/** Changes a stack under its lock, so that every change sees the result of the one before. */
export async function changeStack(
  service: Service,
  actor: Actor,
  { stackId, language, change, conditions = unconditional }: StackChange,
): Promise<Submitted> {
  const { database } = service;
  const submitted = await database.transaction(async (query) => {
    await database.lock(query, `stack ${stackId}`);
    await lockStackRow(query, stackId);
    const current = await findUpdatable(query, actor, { stackId, language });
    refuseStale(current, conditions);
    const result = { stackId, versionId: await change(query, current) };
    await rememberResult(service, query, { actor, conditions, result });
    return result;
  });
  await database.notify('stack-due', stackId);
  await database.notify('stack-event', stackId);
  return submitted;
}

/** Finds a stack that accepts updates; throws `conflict` if it is being deleted. A failed deletion can be revoked. */
export async function findUpdatable(
  query: Query,
  actor: Actor,
  reference: StackReference,
): Promise<StackRow> {
  const stack = await findExistingStack(query, actor.accountId, reference);
  if (stack.operation === 'DELETE' && stack.status !== 'DELETE_FAILED')
    throw new Failure('conflict', `Stack ${stack.id} is being deleted`, {
      description: 'A stack that is being deleted cannot be updated. Create a new one instead.',
    });
  return stack;
}

function stackRow(
  { clock, sealer }: Service,
  actor: Actor,
  { stackId, versionId, selected, ...request }: NewStack & Submitted & { selected: SelectedVendor },
): StackRow {
  const { events: _, ...view } = emptyView;
  return {
    ...initialState(clock.now()),
    health: request.compiled.model.layers.some(({ container }) => container !== null) ? 'unknown' : 'none',
    id: stackId,
    account_id: actor.accountId,
    created_by: nameOf(actor),
    requested_by: nameOf(actor),
    language: request.language,
    vendor: selected.credential.vendor,
    region: request.placement.region,
    credential_id: request.placement.credentialId,
    nickname: request.nickname || newNickname(),
    sealed_auth_token: sealer.seal(new Secret(newAuthToken()), sealedFor.authToken(stackId)),
    desired_version: versionId,
    view,
  };
}
