import { isDeepStrictEqual } from 'node:util';
import type { ResourceDifference } from '@aws-cdk/cloudformation-diff';
import { isObject } from '../../basics/is-object.ts';
import type { PlannedChange } from '../vendor.ts';
import type { AwsDocument, Template, TemplateResource } from './document.ts';
import { interruptionWarning, lossWarning, mayReplace } from './forecast/impact.ts';

/** Compares the templates, using the resource schemas that AWS publishes. */
export async function preview(before: AwsDocument | null, after: AwsDocument): Promise<PlannedChange[]> {
  const existing = before?.template.Resources ?? {};
  const desired = after.template.Resources;
  const { changes } = await compare({ Resources: existing }, { Resources: desired });
  return Object.keys({ ...existing, ...desired }).flatMap((resource) =>
    plannedChange({
      resource,
      resourceType: desired[resource]?.Type ?? existing[resource]?.Type ?? '',
      difference: changes[resource],
      rolled: rolledMembers(desired[resource], changes),
    }),
  );
}

/** Loads the package on first use: it reads all resource schemas, which takes a second. */
async function compare(before: Pick<Template, 'Resources'>, after: Pick<Template, 'Resources'>) {
  const { fullDiff } = await import('@aws-cdk/cloudformation-diff');
  return fullDiff(before, after).resources;
}

interface ComparedResource {
  resource: string;
  resourceType: string;
  difference: ResourceDifference | undefined;
  /** See `rolledMembers`. */
  rolled: readonly string[];
}

function plannedChange({ resource, resourceType, difference, rolled }: ComparedResource): PlannedChange[] {
  const plain = { resource, resourceType, members: [], warning: '' };
  if (difference?.isAddition) return [{ ...plain, action: 'add' }];
  const warning = lossWarning(resourceType);
  if (difference?.isRemoval) return [{ ...plain, action: 'remove', warning }];
  if (difference?.resourceTypeChanged) return [{ ...plain, action: 'replace', members: ['Type'], warning }];
  const members = [...(difference ? changedMembers(difference) : []), ...rolled].toSorted();
  if (members.length === 0) return [];
  if (!difference || !isReplaced(resourceType, difference))
    return [{ ...plain, action: 'change', members, warning: interruptionWarning(resourceType, members) }];
  return [{ ...plain, action: 'replace', members, warning }];
}

const isReplaced = (type: string, difference: ResourceDifference): boolean =>
  Object.entries(difference.propertyUpdates).some(
    ([member, { changeImpact }]) =>
      changeImpact === 'WILL_REPLACE' || (changeImpact === 'MAY_REPLACE' && mayReplace(type, member)),
  );

/** Attributes outside `Properties` whose change has an effect. Not `Metadata`: it contains the version, which always changes. */
const effectiveAttributes = new Set(['UpdatePolicy', 'DeletionPolicy', 'UpdateReplacePolicy']);

const changedMembers = ({ propertyUpdates, otherChanges }: ResourceDifference): string[] => [
  ...Object.entries(propertyUpdates).flatMap(([member, { oldValue, newValue }]) =>
    changedPaths(member, oldValue, newValue),
  ),
  ...Object.entries(otherChanges)
    .filter(([attribute]) => effectiveAttributes.has(attribute))
    .flatMap(([attribute, { oldValue, newValue }]) => changedPaths(attribute, oldValue, newValue)),
];

/** `Ref` and functions count as values, not as objects with members. */
const isFunction = (value: Readonly<Record<string, unknown>>): boolean =>
  Object.keys(value).every((key) => key === 'Ref' || key.startsWith('Fn::'));

/** Descends as long as both sides are objects. A changed list is one path. */
function changedPaths(path: string, before: unknown, after: unknown): string[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (!isObject(before) || !isObject(after) || isFunction(before) || isFunction(after)) return [path];
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.flatMap((key) => changedPaths(`${path}/${key}`, before[key], after[key]));
}

type Differences = Readonly<Record<string, ResourceDifference>>;

/**
 * Members that refer to the latest version of a changed launch template. The reference is the same in both templates,
 * but its value changes, so the group's instances are replaced one after the other.
 */
function rolledMembers(resource: TemplateResource | undefined, changes: Differences): string[] {
  const isNewVersion = (value: Readonly<Record<string, unknown>>): boolean => {
    const [of, name] = Array.isArray(value['Fn::GetAtt']) ? (value['Fn::GetAtt'] as unknown[]) : [];
    return name === 'LatestVersionNumber' && isUpdated(changes[String(of)]);
  };
  const search = (path: string, value: unknown): string[] => {
    if (!isObject(value)) return [];
    if (isNewVersion(value)) return [path];
    return Object.entries(value).flatMap(([key, member]) => search(path ? `${path}/${key}` : key, member));
  };
  return search('', resource?.Properties);
}

const isUpdated = (difference: ResourceDifference | undefined): boolean =>
  difference?.isUpdate === true && Object.keys(difference.propertyUpdates).length > 0;
