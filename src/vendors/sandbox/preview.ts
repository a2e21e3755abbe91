import { isDeepStrictEqual } from 'node:util';
import type { PlannedChange } from '../vendor.ts';
import type { DocumentResource, SandboxDocument } from './document.ts';
import { isReplacement } from './plan/plan.ts';

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
  const action = isReplacement(before, after) ? 'replace' : 'change';
  return { action, resource, resourceType, members, warning: '' };
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
        warning: '',
      }),
    );
  return [...changes, ...removed];
}
