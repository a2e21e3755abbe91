import type { FailureKind } from '../../../basics/failure.ts';
import type { Outcome } from '../../../basics/problem.ts';
import { compileConfiguration } from '../../../languages/v2-configuration/compile.ts';
import { type Changes, mergeChanges, type V2Document } from '../../../languages/v2-configuration/document.ts';
import { readConfigurations } from '../../../languages/v2-configuration/read-configurations.ts';
import type { Query } from '../../../store/database/database.ts';
import type { StackRow } from '../../../store/stacks/stacks.ts';
import { findVersion } from '../../../store/stacks/versions.ts';
import type { Actor } from '../../access/access.ts';
import { vendorNamed } from '../../credentials/credential-row.ts';
import type { Service } from '../../service.ts';
import { type NewVersion, newVersion } from './new-version.ts';
import { refuseDocument } from './refuse-document.ts';
import { createStack, findUpdatable, type Submitted, submitVersion } from './submit-document.ts';
import { vendorOf } from './vendor-access.ts';
import { choicesForUpdate, type DecidedAt, decidedFor, retryOnConflict } from './vendor-choices.ts';
import type { WriteConditions } from './write-conditions.ts';

export interface V2Request {
  vendor: string;
  credentialId: string;
  region: string;
  /** An object, or its JSON text. */
  configurations: unknown;
}

/** Creates a stack from a v2 configuration, or refuses it with every problem at once. */
export async function applyConfiguration(
  service: Service,
  actor: Actor,
  request: V2Request,
  conditions?: WriteConditions,
): Promise<Submitted> {
  const changes = readConfigurations(request.configurations, null);
  if (!changes.ok) return refuseDocument(changes.problems);
  const compiled = compileConfiguration(mergeChanges(null, changes.value), request.region);
  if (!compiled.ok) return refuseDocument(compiled.problems);
  const { nickname } = (compiled.value.document as V2Document).configuration;
  const placement = { ...request, vendor: vendorNamed(request.vendor), secret: null };
  return createStack(
    service,
    actor,
    { language: 'v2', placement, compiled: compiled.value, nickname },
    conditions,
  );
}

/** Only what is sent changes. */
export const updateConfiguration = (
  service: Service,
  actor: Actor,
  stackId: string,
  configurations: unknown,
  conditions?: WriteConditions,
): Promise<Submitted> =>
  changeDocument(
    service,
    actor,
    stackId,
    { read: (document) => readConfigurations(configurations ?? {}, document), refusal: 'invalid_template' },
    conditions,
  );

export async function readDocument(query: Query, stack: StackRow): Promise<V2Document> {
  const version = await findVersion(query, stack.id, stack.desired_version);
  if (!version) throw new Error(`Version ${stack.desired_version} of stack ${stack.id} is not in the store.`);
  return version.document as unknown as V2Document;
}

export interface DocumentChange {
  /** What changes, told from what the document is now. */
  read: (document: V2Document) => Outcome<Changes>;
  /** As what a change that cannot be made is refused. */
  refusal: FailureKind;
}

const mergedBy = ({ read, refusal }: DocumentChange, document: V2Document): V2Document => {
  const changes = read(document);
  return changes.ok ? mergeChanges(document, changes.value) : refuseDocument(changes.problems, refusal);
};

/** A change to part of a document, made on what the document is when its turn comes: no other change is lost by it. */
export const changeDocument = (
  service: Service,
  actor: Actor,
  stackId: string,
  change: DocumentChange,
  conditions?: WriteConditions,
): Promise<Submitted> =>
  retryOnConflict(async () => {
    const decided = await decideBefore(service, actor, stackId, change);
    return submitVersion(
      service,
      actor,
      { id: stackId, language: 'v2' },
      async (query, current) => {
        const merged = mergedBy(change, await readDocument(query, current));
        return versionOf(service, query, actor, current, { merged, refusal: change.refusal, decided });
      },
      conditions,
    );
  });

/** Asks the cloud, before the transaction, what the changed document will leave open. */
export async function decideBefore(
  service: Service,
  actor: Actor,
  stackId: string,
  change: DocumentChange,
): Promise<DecidedAt> {
  const { query } = service.database;
  const stack = await findUpdatable(query, actor, stackId, 'v2');
  const version = stack.desired_version;
  if (!(await vendorOf(service, stack)).choose) return { version, decided: undefined };
  const merged = mergedBy(change, await readDocument(query, stack));
  const compiled = compileConfiguration(merged, stack.region);
  if (!compiled.ok) return refuseDocument(compiled.problems, change.refusal);
  return { version, decided: await choicesForUpdate(service, stack, compiled.value.model) };
}

interface WholeDocument {
  merged: V2Document;
  refusal: FailureKind;
  decided: DecidedAt;
}

/** A version of a stack from its whole document. Inside a transaction: everything is asked by its query. */
export async function versionOf(
  service: Service,
  query: Query,
  actor: Actor,
  stack: StackRow,
  { merged, refusal, decided: decidedAt }: WholeDocument,
): Promise<NewVersion> {
  const decided = decidedFor(stack, decidedAt);
  const compiled = compileConfiguration(merged, stack.region);
  if (!compiled.ok) return refuseDocument(compiled.problems, refusal);
  const vendor = await vendorOf(service, stack, query);
  const asked = 'update the stack';
  return newVersion(service, actor, stack.id, { compiled: compiled.value, vendor, decided, asked });
}
