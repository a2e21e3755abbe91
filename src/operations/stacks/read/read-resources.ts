import { isDeepStrictEqual } from 'node:util';
import type { Operation } from '../../../model/status.ts';
import type { Query } from '../../../store/database/database.ts';
import {
  findLastRequest,
  type ResourceEvent,
  readResourceEvents,
  versionsRequestedSinceComplete,
} from '../../../store/stacks/events.ts';
import type { StackRow } from '../../../store/stacks/stacks.ts';
import { findVersion, readDesiredVersion, type VersionRow } from '../../../store/stacks/versions.ts';
import type { DeclaredResource } from '../../../vendors/resources.ts';
import type { Vendor } from '../../../vendors/vendor.ts';
import type { Actor } from '../../access/access.ts';
import type { StackReference } from '../../find-stack.ts';
import type { Service } from '../../service.ts';
import { vendorOf } from '../submit/vendor-access.ts';
import { findVisible } from './describe-stack.ts';
import {
  type ConcernedResource,
  currentEvent,
  type JudgedStatus,
  judgeResources,
  type LastOperation,
} from './resource-status.ts';

export interface DescribedResource extends Omit<DeclaredResource, 'definition'>, JudgedStatus {
  physicalId: string | null;
  /** The desired version does not have it. */
  leaving: boolean;
}

export interface DescribedResources {
  stack: StackRow;
  resources: DescribedResource[];
}

type ByName<T> = ReadonlyMap<string, T>;

const byName = (resources: readonly DeclaredResource[]): ByName<DeclaredResource> =>
  new Map(resources.map((resource) => [resource.name, resource]));

const declaredIn = (vendor: Vendor, version: VersionRow | undefined): ByName<DeclaredResource> =>
  byName(
    version
      ? vendor.resources(
          version.vendor_document,
          version.model.layers.map(({ flag }) => flag),
        )
      : [],
  );

/** The resources of versions that the stack may still have something of. */
interface Declared {
  desired: ByName<DeclaredResource>;
  settled: ByName<DeclaredResource>;
  /** Of versions that were requested since then and not reached. */
  between: ByName<DeclaredResource>;
}

/** More are requested only by callers that update without waiting. */
const maxBetween = 5;

async function readDeclared(query: Query, vendor: Vendor, stack: StackRow): Promise<Declared> {
  const { id, desired_version: desired, settled_version: settled } = stack;
  const find = async (version: string | null) =>
    declaredIn(vendor, version === null ? undefined : await findVersion(query, id, version));
  const requested = await versionsRequestedSinceComplete(query, id);
  const others = requested.filter((version) => version !== desired && version !== settled).slice(-maxBetween);
  const between = await Promise.all(others.map(find));
  return {
    desired: declaredIn(vendor, await readDesiredVersion(query, stack)),
    settled: await find(settled),
    between: new Map(between.flatMap((resources) => Array.from(resources))),
  };
}

const namesIn = ({ desired, settled, between }: Declared): string[] => [
  ...new Set([...desired.keys(), ...settled.keys(), ...between.keys()]),
];

function taskOf(
  { name, definition }: DeclaredResource,
  { desired, settled }: Declared,
  operation: Operation,
): ConcernedResource['task'] {
  if (operation === 'DELETE' || !desired.has(name)) return 'delete';
  const before = settled.get(name);
  if (!before) return 'create';
  return isDeepStrictEqual(before.definition, definition) ? 'none' : 'update';
}

/** Whether a resource that the desired version does not have still exists, or did when the operation was requested. */
function isStillThere(
  events: readonly ResourceEvent[],
  { isSettled, requestedAt }: { isSettled: boolean; requestedAt: number },
): boolean {
  const last = currentEvent(events);
  if (!last) return isSettled;
  return last.number > requestedAt || !last.status.startsWith('DELETE_');
}

/** Those of the desired version, then those that it no longer has. */
function concerned(
  declared: Declared,
  events: ByName<ResourceEvent[]>,
  last: LastOperation,
): ConcernedResource[] {
  const { desired, settled, between } = declared;
  const of = (resource: DeclaredResource): ConcernedResource => ({
    ...resource,
    task: taskOf(resource, declared, last.operation),
    events: events.get(resource.name) ?? [],
  });
  const staying = [...desired.values()].map(of);
  if (last.phase === 'COMPLETE') return staying;
  const leaving = [...new Map([...between, ...settled]).values()]
    .filter(({ name }) => !desired.has(name))
    .map(of)
    .filter((resource) =>
      isStillThere(resource.events, {
        isSettled: settled.has(resource.name),
        requestedAt: last.requestedAt,
      }),
    );
  return [...staying, ...leaving];
}

function grouped(rows: readonly ResourceEvent[]): ByName<ResourceEvent[]> {
  const groups = new Map<string, ResourceEvent[]>();
  for (const row of rows) {
    const group = groups.get(row.resource);
    if (group) group.push(row);
    else groups.set(row.resource, [row]);
  }
  return groups;
}

/** The resources of a stack with their dependencies and states: from the stored vendor documents and events alone. */
export async function readResources(
  service: Service,
  actor: Actor,
  reference: StackReference,
): Promise<DescribedResources> {
  const { query } = service.database;
  const stack = await findVisible(service, actor, reference);
  const vendor = await vendorOf(service, stack);
  const requestedAt = await findLastRequest(query, stack.id);
  const phase = stack.status.slice(stack.operation.length + 1) as LastOperation['phase'];
  const last: LastOperation = { operation: stack.operation, phase, requestedAt };
  const declared = await readDeclared(query, vendor, stack);
  const names = namesIn(declared);
  const events = grouped(await readResourceEvents(query, stack.id, { names, failuresAfter: requestedAt }));
  const judged = judgeResources(concerned(declared, events, last), last);
  const resources = [...judged].map(([resource, { status, event }]) => ({
    name: resource.name,
    type: resource.type,
    kind: resource.kind,
    layer: resource.layer,
    dependsOn: resource.dependsOn,
    status,
    event,
    physicalId: currentEvent(resource.events)?.physical_id ?? null,
    leaving: !declared.desired.has(resource.name),
  }));
  return { stack, resources };
}
