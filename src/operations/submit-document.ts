import { Failure, notFound } from '../basics/failure.ts';
import { Secret } from '../basics/secret.ts';
import type { Compiled, Placement } from '../languages/language.ts';
import { newAuthToken, newStackId, newVersionId } from '../model/names.ts';
import { newNickname } from '../model/nickname.ts';
import type { Query } from '../store/database.ts';
import { addEvents } from '../store/events.ts';
import { beginningOf, desireVersion, findStack, insertStack, type StackRow } from '../store/stacks.ts';
import { insertVersion } from '../store/versions.ts';
import { emptyView, type Vendor } from '../vendors/vendor.ts';
import { type Actor, nameOf } from './access.ts';
import { reviseLayers } from './layer-revisions.ts';
import { refuseDocument } from './refuse-document.ts';
import { type Service, sealedFor } from './service.ts';
import { keepVersionSecrets } from './stack-secrets.ts';
import { chooseVendor, holdCredential, vendorOf } from './vendor-access.ts';
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
  const choice = await chooseVendor(service, actor.accountId, asked.placement);
  const stackId = newStackId(actor.accountId, asked.placement.region);
  const version = versionRow(service, actor, stackId, asked.compiled, choice.vendor);
  const submitted = { stackId, versionId: version.id };
  await service.database.transaction(async (query) => {
    await rememberAnswer(service, query, actor, conditions, submitted);
    await holdCredential(service, query, choice);
    await insertStack(
      query,
      stackRow(service, actor, { id: stackId, version: version.id, vendor: choice.credential.vendor }, asked),
    );
    await insertVersion(query, version);
    await keepVersionSecrets(service, query, { stackId, id: version.id, before: null }, asked.compiled);
    await reviseLayers(service, query, version);
    await noteRequest(
      service,
      query,
      version,
      'CREATE_IN_PROGRESS',
      `${nameOf(actor)} asked to create the stack.`,
    );
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
  const row = versionRow(service, actor, stack.id, compiled, await vendorOf(service, stack));
  const version: NewVersion = {
    row,
    message: `${nameOf(actor)} asked to update the stack.`,
    keepSecrets: (query, before) =>
      keepVersionSecrets(service, query, { stackId: stack.id, id: row.id, before }, compiled),
  };
  return submitVersion(service, actor, stack, version, conditions);
}

export interface NewVersion {
  row: Parameters<typeof insertVersion>[1];
  /** What was asked for, for the stack's events. */
  message: string;
  /** Keeps the version's secrets; `before` is the version it takes over from. */
  keepSecrets(query: Query, before: string): Promise<void>;
}

/** Makes a new version the desired one: accepted as a whole, in one transaction, or refused. */
export async function submitVersion(
  service: Service,
  actor: Actor,
  stack: StackRow,
  version: NewVersion,
  conditions: WriteConditions = unconditional,
): Promise<Submitted> {
  const { row, message } = version;
  const submitted = { stackId: stack.id, versionId: row.id };
  await service.database.transaction(async (query) => {
    await service.database.lock(query, `stack ${stack.id}`);
    const current = await findUpdatable(query, actor, stack.id, stack.language);
    refuseStale(current, conditions);
    await rememberAnswer(service, query, actor, conditions, submitted);
    await insertVersion(query, row);
    await version.keepSecrets(query, current.desired_version);
    await reviseLayers(service, query, row);
    await desireVersion(query, stack.id, row.id, service.clock.now());
    await noteRequest(service, query, row, 'UPDATE_IN_PROGRESS', message);
  });
  await service.database.notify('stack-due', stack.id);
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

/** Compiled for the vendor at once: what a cloud cannot express is refused now, not when the cloud is asked. */
function versionRow(service: Service, actor: Actor, stackId: string, compiled: Compiled, vendor: Vendor) {
  const vendorDocument = vendor.compile(compiled.model, stackId);
  if (!vendorDocument.ok) return refuseDocument(vendorDocument.problems);
  const document = JSON.stringify(compiled.document);
  return {
    id: newVersionId(),
    stack_id: stackId,
    document,
    size: Buffer.byteLength(document),
    model: JSON.stringify(compiled.model),
    vendor_document: JSON.stringify(vendorDocument.value),
    created_by: nameOf(actor),
    created_at: service.clock.now(),
  };
}

function stackRow(
  service: Service,
  actor: Actor,
  { id, version, vendor }: { id: string; version: string; vendor: string },
  asked: NewStack,
): StackRow {
  const { events: _, ...view } = emptyView;
  return {
    ...beginningOf(service.clock.now()),
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
    view: JSON.stringify(view),
  };
}

const noteRequest = (
  service: Service,
  query: Query,
  version: { id: string; stack_id: string },
  status: string,
  message: string,
): Promise<number> =>
  addEvents(query, version.stack_id, [
    { at: service.clock.now(), kind: 'request', status, message, versionId: version.id },
  ]);
