import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../basics/is-object.ts';
import type { PlannedChange } from '../vendor.ts';
import type { OpenStackDocument, Template, TemplateResource } from './document.ts';
import { interruptionWarning, lossWarning, replaces } from './layout/impact.ts';
import { withOwn } from './layout/own-or-other.ts';

/** Heat's own preview calls almost everything replaced that refers to a network, so the documents are compared here. */
export function preview(before: OpenStackDocument | null, after: OpenStackDocument): PlannedChange[] {
  const existing = before?.template.resources ?? {};
  const desired = after.template.resources;
  const replaced = replacedIn(existing, desired);
  const changes = Object.entries(desired).flatMap(([name, resource]) =>
    changeOf(name, { before: existing[name], after: resource, replaced, template: before?.template }),
  );
  const removed = Object.entries(existing)
    .filter(([name]) => !Object.hasOwn(desired, name))
    .map(([name, { type }]): PlannedChange => {
      const warning = before ? lossWarning(before.template, name) : '';
      return { action: 'remove', resource: name, resourceType: type, members: [], warning };
    });
  return [...changes, ...removed];
}

type Resources = Template['resources'];

interface Compared {
  before: TemplateResource | undefined;
  after: TemplateResource;
  replaced: ReadonlySet<string>;
  /** The existing one. */
  template: Template | undefined;
}

function changeOf(name: string, { before, after, replaced, template }: Compared): PlannedChange[] {
  const plain = { resource: name, resourceType: after.type, members: [], warning: '' };
  if (!before || !template) return [{ ...plain, action: 'add' }];
  const members = [...changedMembers(before, after), ...membersReferringTo(after, replaced)];
  const distinct = [...new Set(members)].toSorted();
  if (replaced.has(name))
    return [{ ...plain, action: 'replace', members: distinct, warning: lossWarning(template, name) }];
  if (distinct.length === 0) return [];
  return [{ ...plain, action: 'change', members: distinct, warning: interruptionWarning(after, distinct) }];
}

/** Resources that are replaced: for their own members, or because a member that cannot change refers to a replaced one. */
function replacedIn(existing: Resources, desired: Resources): ReadonlySet<string> {
  const replaced = new Set<string>();
  const isReplaced = (name: string): boolean => {
    const [before, after] = [existing[name], desired[name]];
    if (!before || !after) return false;
    if (before.type !== after.type) return true;
    const members = [...changedMembers(before, after), ...membersReferringTo(after, replaced)];
    return members.some((member) => replaces(after, member));
  };
  const names = Object.keys(desired);
  for (let size = -1; size !== replaced.size; ) {
    size = replaced.size;
    for (const name of names) if (isReplaced(name)) replaced.add(name);
  }
  return replaced;
}

const changedMembers = (before: TemplateResource, after: TemplateResource): string[] => [
  ...changedPaths('', withOwn(before.properties ?? {}), withOwn(after.properties ?? {})),
  ...(isDeepStrictEqual(before.metadata, after.metadata) ? [] : ['metadata']),
  ...(before.external_id === after.external_id ? [] : ['external_id']),
];

/** Functions count as values, not as objects with members. */
const isFunction = (value: Readonly<Record<string, unknown>>): boolean =>
  Object.keys(value).some((key) => /^(get_\w+|str_replace|yaql)$/.test(key));

/** Descends as long as both sides are objects. A changed list is one path. */
function changedPaths(path: string, before: unknown, after: unknown): string[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (!isObject(before) || !isObject(after) || isFunction(before) || isFunction(after)) return [path];
  return Object.keys({ ...before, ...after }).flatMap((key) =>
    changedPaths(path === '' ? key : `${path}/${key}`, before[key], after[key]),
  );
}

/** The properties that refer to one of the resources. Their text is the same in both templates, their value is not. */
function membersReferringTo({ properties = {} }: TemplateResource, names: ReadonlySet<string>): string[] {
  return Object.entries(properties)
    .filter(([, value]) => referencesIn(value).some((name) => names.has(name)))
    .map(([member]) => member);
}

const referencesIn = (value: unknown): string[] =>
  [...JSON.stringify(value).matchAll(/"get_(?:resource|attr)":\[?"(\w+)"/g)].map((match) => match[1] ?? '');
