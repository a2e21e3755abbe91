import { isDeepStrictEqual } from 'node:util';
import type { Resource, Step } from '../cloud.ts';
import { type DocumentResource, type ResourceType, type SandboxDocument, textOf } from '../document.ts';
import { rollbackOf } from '../timeline.ts';
import { type AddressBook, addressBook } from './addresses.ts';
import { physicalId } from './identity.ts';
import { type SimulationTime, scheduleDeletions, stepOf } from './schedule.ts';
import type { StartingPoint } from './starting-point.ts';

/** Plans the creations, updates and deletions from the existing resources to a document, with their times. */

/** Properties that cannot change on an existing resource: a change replaces it. */
const immutableProperties: Partial<Record<ResourceType, readonly string[]>> = {
  Instance: [
    'instanceType',
    'machineImage',
    'volume',
    'keyName',
    'subnet',
    'subnetCidr',
    'zone',
    'publicAddress',
  ],
  DatabaseInstance: ['engine'],
  CacheCluster: ['engine'],
  CacheNode: ['engine', 'nodeType'],
};

/** A disk of the same type grows in place. */
function growsDisk(before: unknown, after: unknown): boolean {
  const [old, wanted] = [Object(before) as Disk, Object(after) as Disk];
  return old.type === wanted.type && Number(old.sizeGib) <= Number(wanted.sizeGib);
}

interface Disk {
  type?: unknown;
  sizeGib?: unknown;
}

/** Whether a change puts a new resource in place of the old one. */
export const isReplacement = (before: DocumentResource, after: DocumentResource): boolean =>
  (immutableProperties[after.type] ?? []).some((key) => {
    const [old, wanted] = [before.properties[key], after.properties[key]];
    return !isDeepStrictEqual(old, wanted) && !(key === 'volume' && growsDisk(old, wanted));
  });

function actionFor(existing: Resource | undefined, desired: DocumentResource): 'keep' | 'update' | 'create' {
  if (!existing || isReplacement(existing, desired)) return 'create';
  const isEqual =
    isDeepStrictEqual(existing.properties, desired.properties) &&
    isDeepStrictEqual(existing.dependsOn, desired.dependsOn);
  return isEqual ? 'keep' : 'update';
}

interface NewResource {
  desired: DocumentResource;
  /** Together with the name, determines the id. */
  seed: string;
  createdAt: number;
  /** What it is restored with. */
  content?: string | undefined;
}

export function newResource(
  { desired, seed, createdAt, content }: NewResource,
  addresses: AddressBook,
): Resource {
  const { name, type, dependsOn, properties } = desired;
  const isServer = type === 'Instance';
  return {
    name,
    type,
    dependsOn,
    properties,
    id: physicalId(type, `${seed}/${name}`),
    createdAt,
    privateIp: isServer ? addresses.takePrivate(textOf(desired, 'subnetCidr')) : null,
    publicIp: isServer && properties['publicAddress'] === true ? addresses.takePublic() : null,
    noticeAt: null,
    ...(content === undefined ? {} : { content }),
  };
}

export interface PlanContext extends SimulationTime {
  stackId: string;
  /** The content of a snapshot; undefined: there is none. */
  contentIn: (snapshot: string) => string | undefined;
  /** The plan's id. */
  turn: string;
}

const snapshotIn = (desired: DocumentResource): string => textOf(desired, 'restoredFrom');

const contentFor = (desired: DocumentResource, { contentIn }: PlanContext): string | undefined => {
  const snapshot = snapshotIn(desired);
  return snapshot === '' ? undefined : contentIn(snapshot);
};

const whyNotRestored = (resource: Resource): string | null => {
  const snapshot = snapshotIn(resource);
  return snapshot === '' || resource.content !== undefined ? null : `Snapshot ${snapshot} does not exist.`;
};

/** Creations and updates, each as soon as its dependencies are ready; then the deletions. */
export function planChanges(start: StartingPoint, document: SandboxDocument, context: PlanContext): Step[] {
  // Several resources have one name while a group replaces a member. The newest stays.
  const existing = new Map(start.resources.map((resource) => [resource.name, resource]));
  // Includes resources whose creation is in progress and will fail: they keep their addresses until then.
  const inProgress = start.inProgress.map(({ resource }) => resource);
  const addresses = addressBook(context.stackId, [...start.base, ...inProgress, ...start.resources]);
  const { turn, now, speed } = context;
  const seed = `${context.stackId}/${turn}`;
  const create = (desired: DocumentResource, createdAt: number): Resource =>
    newResource({ desired, seed, createdAt, content: contentFor(desired, context) }, addresses);
  const steps: Step[] = [];
  const readyAt = new Map<string, number>();
  const kept = new Set<string>();
  for (const desired of document.resources) {
    const current = existing.get(desired.name);
    const action = actionFor(current, desired);
    const freeAt = Math.max(now, start.freeAt.get(desired.name) ?? now);
    readyAt.set(desired.name, freeAt);
    if (current && action !== 'create') kept.add(current.id);
    if (action === 'keep') continue;
    const startsAt = Math.max(freeAt, ...desired.dependsOn.map((name) => readyAt.get(name) ?? now));
    const resource = current && action === 'update' ? { ...current, ...desired } : create(desired, startsAt);
    const step = stepOf({ turn, action, resource, startsAt }, speed);
    if (action === 'create') step.failure = whyNotRestored(resource);
    readyAt.set(desired.name, step.endsAt);
    steps.push(step);
  }
  const surplus = start.resources.filter((resource) => !kept.has(resource.id));
  const changedAt = Math.max(now, ...steps.map((step) => step.endsAt));
  return [...steps, ...planDeletions({ ...start, resources: surplus }, { ...context, now: changedAt })];
}

/** Deletes all resources of the starting point. */
export function planDeletions({ resources, freeAt }: StartingPoint, context: PlanContext): Step[] {
  const notBefore = ({ name }: Resource) => Math.max(context.now, freeAt.get(name) ?? context.now);
  return scheduleDeletions(resources, notBefore, context);
}

/** Reverts the started steps of a failed plan, so that the resources before it are restored. */
export function planRollback(
  start: StartingPoint,
  { started, failedAt }: { started: readonly Step[]; failedAt: number },
  context: PlanContext,
): Step[] {
  const turn = rollbackOf(context.turn);
  const { speed } = context;
  const before = new Map(start.resources.map((resource) => [resource.id, resource]));
  const endOf = new Map(started.map((step) => [step.resource.id, Math.max(step.endsAt, failedAt)]));
  const created = started.filter((step) => step.action === 'create' && step.failure === null);
  const deletions = scheduleDeletions(
    created.map((step) => step.resource),
    ({ id }) => endOf.get(id) ?? failedAt,
    { turn, speed },
  );
  const restored = started
    .filter((step) => step.action === 'update')
    .map(({ resource }) => {
      const startsAt = endOf.get(resource.id) ?? failedAt;
      const previous = before.get(resource.id) ?? resource;
      return stepOf({ turn, action: 'update', resource: previous, startsAt }, speed);
    });
  return [...deletions, ...restored];
}
