import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../basics/is-object.ts';
import type { PlannedChange } from '../vendor.ts';
import type { AlicloudDocument, Template, TemplateResource } from './document.ts';
import { interruptionWarning, lossWarning } from './layout/impact.ts';
import { namesIn } from './layout/references.ts';
import { isUpdatable } from './updatable.ts';

/** The changes from one document to another, from the members that ROS changes in place. */
export function preview(before: AlicloudDocument | null, after: AlicloudDocument): PlannedChange[] {
  const existing = before?.template.Resources ?? {};
  const desired = after.template.Resources;
  const replaced = replacedIn(existing, desired);
  const changes = Object.entries(desired).flatMap(([name, resource]) =>
    changeOf(name, { before: existing[name], after: resource, replaced }),
  );
  const removed = Object.entries(existing)
    .filter(([name]) => !Object.hasOwn(desired, name))
    .map(
      ([name, { Type }]): PlannedChange => ({
        action: 'remove',
        resource: name,
        resourceType: Type,
        members: [],
        warning: lossWarning(Type),
      }),
    );
  return [...changes, ...removed];
}

/** The resources that an update to another template replaces: ROS refuses it unless it may. */
export const replacements = (before: Template, after: Template): string[] => [
  ...replacedIn(before.Resources, after.Resources),
];

/** Members of a resource that differ, and that ROS cannot change in place. */
export const replacingMembers = (before: TemplateResource, after: TemplateResource): string[] =>
  changedMembers(before, after)
    .map((member) => member.split('/')[0] ?? '')
    .filter((member) => before.Type !== after.Type || !isUpdatable(after.Type, member));

type Resources = Template['Resources'];

interface Compared {
  before: TemplateResource | undefined;
  after: TemplateResource;
  replaced: ReadonlySet<string>;
}

function changeOf(name: string, { before, after, replaced }: Compared): PlannedChange[] {
  const plain = { resource: name, resourceType: after.Type, members: [], warning: '' };
  if (!before) return [{ ...plain, action: 'add' }];
  const members = [...changedMembers(before, after), ...membersReferringTo(after, replaced)];
  const distinct = [...new Set(members)].toSorted();
  if (replaced.has(name))
    return [{ ...plain, action: 'replace', members: distinct, warning: lossWarning(after.Type, 'replace') }];
  if (distinct.length === 0) return [];
  return [
    {
      ...plain,
      action: 'change',
      members: distinct,
      warning: interruptionWarning({ before, after }, distinct),
    },
  ];
}

/** Resources that are replaced: for their own members, or because a member that cannot change refers to a replaced one. */
function replacedIn(existing: Resources, desired: Resources): ReadonlySet<string> {
  const replaced = new Set<string>();
  const isReplaced = (name: string): boolean => {
    const [before, after] = [existing[name], desired[name]];
    if (!before || !after) return false;
    return (
      before.Type !== after.Type ||
      replacingMembers(before, after).length > 0 ||
      membersReferringTo(after, replaced).some((member) => !isUpdatable(after.Type, member))
    );
  };
  for (let size = -1; size !== replaced.size; ) {
    size = replaced.size;
    for (const name of Object.keys(desired)) if (isReplaced(name)) replaced.add(name);
  }
  return replaced;
}

const changedMembers = (before: TemplateResource, after: TemplateResource): string[] =>
  changedPaths('', before.Properties, after.Properties);

/** `Ref` and functions count as values, not as objects with members. */
const isFunction = (value: Readonly<Record<string, unknown>>): boolean =>
  Object.keys(value).some((key) => key === 'Ref' || key.startsWith('Fn::'));

/** Descends as long as both sides are objects. A changed list is one path. */
function changedPaths(path: string, before: unknown, after: unknown): string[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (!isObject(before) || !isObject(after) || isFunction(before) || isFunction(after)) return [path];
  return Object.keys({ ...before, ...after }).flatMap((key) =>
    changedPaths(path === '' ? key : `${path}/${key}`, before[key], after[key]),
  );
}

/** The properties that refer to one of the resources. Their text is the same in both templates, their value is not. */
const membersReferringTo = ({ Properties }: TemplateResource, names: ReadonlySet<string>): string[] =>
  Object.entries(Properties)
    .filter(([, value]) => namesIn(value).some((name) => names.has(name)))
    .map(([member]) => member);
