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
import { refuseDocument } from '../../documents/refuse-document.ts';
import type { Service } from '../../service.ts';
import { type NewVersion, newVersion } from './new-version.ts';
import { createStack, findUpdatable, type Submitted, submitVersion } from './submit-document.ts';
import { vendorOf } from './vendor-access.ts';
import {
  type ChoicesAtVersion,
  choicesForUpdate,
  requireCurrentChoices,
  retryOnConflict,
} from './vendor-choices.ts';
import type { WriteConditions } from './write-conditions.ts';

export interface ConfigurationRequest {
  vendor: string;
  credentialId: string;
  region: string;
  /** An object, or its JSON text. */
  configurations: unknown;
  conditions?: WriteConditions | undefined;
}

/** Parses a configuration that was sent as text: a long one must not delay other requests. */
const parsed = (
  { documents }: Service,
  { accountId: caller }: Actor,
  configurations: unknown,
): Promise<unknown> =>
  typeof configurations === 'string' && configurations !== ''
    ? documents.run('configurationMembers', { input: configurations, size: configurations.length, caller })
    : Promise.resolve(configurations);

/** Creates a stack from a v2 configuration, or refuses it with all its problems. */
export async function applyConfiguration(
  service: Service,
  actor: Actor,
  { configurations: written, conditions, ...request }: ConfigurationRequest,
): Promise<Submitted> {
  const configurations = await parsed(service, actor, written);
  const sent = { vendor: request.vendor, cred: request.credentialId, region: request.region };
  const changes = readConfigurations(configurations, null);
  if (!changes.ok) return refuseDocument(changes.problems);
  const compiled = compileConfiguration(mergeChanges(null, changes.value), request.region, {
    ...sent,
    configurations,
  });
  if (!compiled.ok) return refuseDocument(compiled.problems);
  const { nickname } = (compiled.value.document as V2Document).configuration;
  const placement = { ...request, vendor: vendorNamed(request.vendor), secret: null, authUrl: null };
  return createStack(service, actor, {
    language: 'v2',
    placement,
    compiled: compiled.value,
    nickname,
    conditions,
  });
}

export interface ConfigurationUpdate {
  stackId: string;
  /** Members left out keep their value. */
  configurations: unknown;
  conditions?: WriteConditions | undefined;
}

export async function updateConfiguration(
  service: Service,
  actor: Actor,
  { stackId, configurations: written, conditions }: ConfigurationUpdate,
): Promise<Submitted> {
  await findUpdatable(service.database.query, actor, { stackId, language: 'v2' });
  const configurations = await parsed(service, actor, written);
  return changeDocument(service, actor, {
    stackId,
    read: (document) => readConfigurations(configurations ?? {}, document),
    sent: { configurations },
    refusal: 'invalid_template',
    conditions,
  });
}

export async function readDocument(query: Query, stack: StackRow): Promise<V2Document> {
  const version = await findVersion(query, stack.id, stack.desired_version);
  if (!version) throw new Error(`Version ${stack.desired_version} of stack ${stack.id} is not in the store.`);
  return version.document as unknown as V2Document;
}

export interface DocumentChange {
  stackId: string;
  /** Computes the changes from the current document. */
  read: (document: V2Document) => Outcome<Changes>;
  /** What the caller sent, in which problems are located. */
  sent: object;
  /** Kind of failure to report if the change is invalid. */
  refusal: FailureKind;
  conditions?: WriteConditions | undefined;
}

const mergedBy = (
  { read, refusal }: Pick<DocumentChange, 'read' | 'refusal'>,
  document: V2Document,
): V2Document => {
  const changes = read(document);
  return changes.ok ? mergeChanges(document, changes.value) : refuseDocument(changes.problems, refusal);
};

/** Changes part of a document. The change is computed inside the transaction, so that concurrent changes are kept. */
export const changeDocument = (service: Service, actor: Actor, change: DocumentChange): Promise<Submitted> =>
  retryOnConflict(async () => {
    const { stackId, sent, refusal, conditions } = change;
    const choices = await chooseBefore(service, actor, change);
    return submitVersion(service, actor, {
      stackId,
      language: 'v2',
      make: async (query, current) => {
        const document = mergedBy(change, await readDocument(query, current));
        return versionOfDocument(service, query, { actor, stack: current, document, sent, refusal, choices });
      },
      conditions,
    });
  });

/** Asks the cloud, before the transaction, for whatever the changed document leaves open. */
export async function chooseBefore(
  service: Service,
  actor: Actor,
  change: Omit<DocumentChange, 'conditions'>,
): Promise<ChoicesAtVersion> {
  const { query } = service.database;
  const stack = await findUpdatable(query, actor, { stackId: change.stackId, language: 'v2' });
  const version = stack.desired_version;
  if (!(await vendorOf(service, stack)).choose) return { version, choices: undefined };
  const merged = mergedBy(change, await readDocument(query, stack));
  const compiled = compileConfiguration(merged, stack.region, change.sent);
  if (!compiled.ok) return refuseDocument(compiled.problems, change.refusal);
  return { version, choices: await choicesForUpdate(service, stack, compiled.value) };
}

interface DocumentVersion {
  actor: Actor;
  stack: StackRow;
  document: V2Document;
  sent: object;
  refusal: FailureKind;
  choices: ChoicesAtVersion;
}

/** Makes a version of a stack from its complete document. Runs inside a transaction: reads through `query` only. */
export async function versionOfDocument(
  service: Service,
  query: Query,
  { actor, stack, document, sent, refusal, choices }: DocumentVersion,
): Promise<NewVersion> {
  requireCurrentChoices(stack, choices);
  const compiled = compileConfiguration(document, stack.region, sent);
  if (!compiled.ok) return refuseDocument(compiled.problems, refusal);
  return newVersion(service, actor, {
    stackId: stack.id,
    compiled: compiled.value,
    vendor: await vendorOf(service, stack, query),
    choices: choices.choices,
    action: 'update the stack',
  });
}
