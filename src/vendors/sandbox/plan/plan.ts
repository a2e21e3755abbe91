import { isDeepStrictEqual } from 'node:util';
import type { Resource, Step } from '../cloud.ts';
import { type DocumentResource, type ResourceType, type SandboxDocument, textOf } from '../document.ts';
import { type AddressBook, addressBook } from './addresses.ts';
import { physicalId } from './identity.ts';
import type { Rest } from './rest.ts';
import { type Moment, scheduleDeletions, stepOf } from './schedule.ts';

/** From what stands to what a document wants: what to create, change and delete, and when. */

/** What cannot be changed on a living thing: a new one takes its place. */
export const fixedForLife: Partial<Record<ResourceType, readonly string[]>> = {
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

function actionFor(standing: Resource | undefined, wanted: DocumentResource): 'keep' | 'update' | 'create' {
  if (!standing) return 'create';
  const same = (key: string) => isDeepStrictEqual(standing.properties[key], wanted.properties[key]);
  if (!(fixedForLife[wanted.type] ?? []).every(same)) return 'create';
  const alike =
    isDeepStrictEqual(standing.properties, wanted.properties) &&
    isDeepStrictEqual(standing.dependsOn, wanted.dependsOn);
  return alike ? 'keep' : 'update';
}

export function newResource(
  seed: string,
  wanted: DocumentResource,
  book: AddressBook,
  createdAt: number,
): Resource {
  const { name, type, dependsOn, properties } = wanted;
  const isServer = type === 'Instance';
  return {
    name,
    type,
    dependsOn,
    properties,
    id: physicalId(type, `${seed}/${name}`),
    createdAt,
    privateIp: isServer ? book.takePrivate(textOf(wanted, 'subnetCidr')) : null,
    publicIp: isServer && properties['publicAddress'] === true ? book.takePublic() : null,
    noticeAt: null,
  };
}

/** What a plan is made for. */
export interface Turn extends Moment {
  stackId: string;
  turn: string;
}

/** The creations and changes, each as soon as what it needs is there; then the deletions. */
export function planChanges(rest: Rest, document: SandboxDocument, turn: Turn): Step[] {
  // Of several by one name (a group was replacing a member), the newest stays.
  const standing = new Map(rest.after.map((resource) => [resource.name, resource]));
  const book = addressBook(turn.stackId, [...rest.base, ...rest.after]);
  const steps: Step[] = [];
  const readyAt = new Map<string, number>();
  const kept = new Set<string>();
  for (const wanted of document.resources) {
    const current = standing.get(wanted.name);
    const action = actionFor(current, wanted);
    const free = Math.max(turn.now, rest.freeAt.get(wanted.name) ?? turn.now);
    readyAt.set(wanted.name, free);
    if (current && action !== 'create') kept.add(current.id);
    if (action === 'keep') continue;
    const startsAt = Math.max(free, ...wanted.dependsOn.map((name) => readyAt.get(name) ?? turn.now));
    const resource =
      current && action === 'update'
        ? { ...current, ...wanted }
        : newResource(`${turn.stackId}/${turn.turn}`, wanted, book, startsAt);
    const step = stepOf({ turn: turn.turn, action, resource, startsAt }, turn.speed);
    readyAt.set(wanted.name, step.endsAt);
    steps.push(step);
  }
  const surplus = rest.after.filter((resource) => !kept.has(resource.id));
  return [...steps, ...deletionsAfter(steps, surplus, rest, turn)];
}

function deletionsAfter(
  steps: readonly Step[],
  surplus: readonly Resource[],
  rest: Rest,
  turn: Turn,
): Step[] {
  const made = Math.max(turn.now, ...steps.map((step) => step.endsAt));
  const notBefore = ({ name }: Resource) => Math.max(made, rest.freeAt.get(name) ?? made);
  return scheduleDeletions(turn.turn, surplus, notBefore, turn.speed);
}

export function planDeletions(rest: Rest, { turn, now, speed }: Turn): Step[] {
  const notBefore = ({ name }: Resource) => Math.max(now, rest.freeAt.get(name) ?? now);
  return scheduleDeletions(turn, rest.after, notBefore, speed);
}

/** Takes back what a failed plan had begun, so that what stood before it stands again. */
export function planRollback(begun: readonly Step[], rest: Rest, failedAt: number, turn: Turn): Step[] {
  const name = `${turn.turn}:rollback`;
  const before = new Map(rest.after.map((resource) => [resource.id, resource]));
  const endOf = new Map(begun.map((step) => [step.resource.id, Math.max(step.endsAt, failedAt)]));
  const made = begun.filter((step) => step.action === 'create' && step.failure === null);
  const deletions = scheduleDeletions(
    name,
    made.map((step) => step.resource),
    ({ id }) => endOf.get(id) ?? failedAt,
    turn.speed,
  );
  const restored = begun
    .filter((step) => step.action === 'update')
    .map(({ resource }) => {
      const startsAt = endOf.get(resource.id) ?? failedAt;
      const previous = before.get(resource.id) ?? resource;
      return stepOf({ turn: name, action: 'update', resource: previous, startsAt }, turn.speed);
    });
  return [...deletions, ...restored];
}
