import { isDeepStrictEqual } from 'node:util';
import { losses } from '../shared/losses.ts';
import type { PlannedChange } from '../vendor.ts';
import type { DocumentResource, ResourceType, SandboxDocument } from './document.ts';
import { immutableProperties } from './plan/plan.ts';

/** Resource types that hold data. */
const lossOf: Partial<Record<ResourceType, string>> = {
  DatabaseInstance: losses.database,
  CacheCluster: losses.cache,
  CacheNode: losses.cache,
  FileSystem: losses.files,
  Instance: losses.disk,
};

const changedMembers = (before: DocumentResource, after: DocumentResource): string[] => [
  ...[...new Set([...Object.keys(before.properties), ...Object.keys(after.properties)])].filter(
    (member) => !isDeepStrictEqual(before.properties[member], after.properties[member]),
  ),
  // What a resource waits for changes it too: a group that grows changes the wait for its containers.
  ...(isDeepStrictEqual(before.dependsOn, after.dependsOn) ? [] : ['dependsOn']),
];

function changeOf(before: DocumentResource | undefined, after: DocumentResource): PlannedChange | null {
  const { name: resource, type: resourceType } = after;
  if (!before) return { action: 'add', resource, resourceType, members: [], warning: '' };
  const members = changedMembers(before, after);
  if (members.length === 0) return null;
  const isReplaced = members.some((member) => immutableProperties[resourceType]?.includes(member));
  if (!isReplaced) return { action: 'change', resource, resourceType, members, warning: '' };
  return { action: 'replace', resource, resourceType, members, warning: lossOf[resourceType] ?? '' };
}

/** The changes `apply` would make, by the same rules. */
export function preview(
  before: Pick<SandboxDocument, 'resources'> | null,
  after: SandboxDocument,
): PlannedChange[] {
  const existing = new Map(before?.resources.map((resource) => [resource.name, resource]));
  const desired = new Set(after.resources.map((resource) => resource.name));
  const changes = after.resources.flatMap(
    (resource) => changeOf(existing.get(resource.name), resource) ?? [],
  );
  const removed = [...existing.values()]
    .filter((resource) => !desired.has(resource.name))
    .map(
      ({ name, type }): PlannedChange => ({
        action: 'remove',
        resource: name,
        resourceType: type,
        members: [],
        warning: lossOf[type] ?? '',
      }),
    );
  return [...changes, ...removed];
}
