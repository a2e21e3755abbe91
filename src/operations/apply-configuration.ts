import { Failure } from '../basics/failure.ts';
import type { Outcome } from '../basics/problem.ts';
import { compileConfiguration } from '../languages/v2-configuration/compile.ts';
import { type Changes, mergeChanges, type V2Document } from '../languages/v2-configuration/document.ts';
import { readConfigurations } from '../languages/v2-configuration/read-configurations.ts';
import type { Query } from '../store/database.ts';
import type { StackRow } from '../store/stacks.ts';
import { findVersion } from '../store/versions.ts';
import type { Actor } from './access.ts';
import { vendorNamed } from './credential-row.ts';
import { refuseDocument } from './refuse-document.ts';
import type { Service } from './service.ts';
import { createStack, findUpdatable, type Submitted, updateStack } from './submit-document.ts';
import { unconditional, type WriteConditions } from './write-conditions.ts';

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
    (document) => readConfigurations(configurations ?? {}, document),
    conditions,
  );

export async function readDocument(query: Query, stack: StackRow): Promise<V2Document> {
  const version = await findVersion(query, stack.id, stack.desired_version);
  if (!version) throw new Error(`Version ${stack.desired_version} of stack ${stack.id} is not in the store.`);
  return JSON.parse(version.document) as V2Document;
}

const mostTries = 5;

/** A change to part of a document: when somebody else changed it meanwhile, it is made again on what they left. */
export async function changeDocument(
  service: Service,
  actor: Actor,
  stackId: string,
  change: (document: V2Document) => Outcome<Changes>,
  conditions: WriteConditions = unconditional,
): Promise<Submitted> {
  for (let tries = 1; ; tries += 1) {
    const stack = await findUpdatable(service.database.query, actor, stackId, 'v2');
    const document = await readDocument(service.database.query, stack);
    const changes = change(document);
    if (!changes.ok) return refuseDocument(changes.problems);
    const compiled = compileConfiguration(mergeChanges(document, changes.value), stack.region);
    if (!compiled.ok) return refuseDocument(compiled.problems);
    try {
      const onThis = { ...conditions, ifMatch: conditions.ifMatch ?? stack.desired_version };
      return await updateStack(service, actor, stack, compiled.value, onThis);
    } catch (error) {
      const overtaken = error instanceof Failure && error.kind === 'precondition_failed';
      if (!overtaken || conditions.ifMatch !== undefined || tries === mostTries) throw error;
    }
  }
}
