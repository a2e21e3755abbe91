import { isDeepStrictEqual } from 'node:util';
import type { PlannedChange } from '../vendor.ts';
import type { DocumentResource, ResourceType, SandboxDocument } from './document.ts';
import { fixedForLife } from './plan/plan.ts';

/** What holds data nobody can bring back once it is gone. */
const keepsData: Partial<Record<ResourceType, string>> = {
  DatabaseInstance: 'Its data is lost; take a backup first.',
  CacheCluster: 'What it has cached is lost.',
  CacheNode: 'What it has cached is lost.',
  FileSystem: 'Its files are lost; take a backup first.',
  Instance: 'What is only on its disk is lost.',
};

const changedMembers = (before: DocumentResource, after: DocumentResource): string[] =>
  [...new Set([...Object.keys(before.properties), ...Object.keys(after.properties)])].filter(
    (member) => !isDeepStrictEqual(before.properties[member], after.properties[member]),
  );

function changeOf(before: DocumentResource | undefined, after: DocumentResource): PlannedChange | null {
  const { name: resource, type: resourceType } = after;
  if (!before) return { action: 'add', resource, resourceType, members: [], warning: '' };
  const members = changedMembers(before, after);
  if (members.length === 0) return null;
  const replaced = members.some((member) => fixedForLife[resourceType]?.includes(member));
  if (!replaced) return { action: 'change', resource, resourceType, members, warning: '' };
  return { action: 'replace', resource, resourceType, members, warning: keepsData[resourceType] ?? '' };
}

/** What `apply` would do, by the same rules. */
export function preview(before: SandboxDocument | null, after: SandboxDocument): PlannedChange[] {
  const standing = new Map(before?.resources.map((resource) => [resource.name, resource]));
  const wanted = new Set(after.resources.map((resource) => resource.name));
  const changes = after.resources.flatMap(
    (resource) => changeOf(standing.get(resource.name), resource) ?? [],
  );
  const removed = [...standing.values()]
    .filter((resource) => !wanted.has(resource.name))
    .map(
      ({ name, type }): PlannedChange => ({
        action: 'remove',
        resource: name,
        resourceType: type,
        members: [],
        warning: keepsData[type] ?? '',
      }),
    );
  return [...changes, ...removed];
}
