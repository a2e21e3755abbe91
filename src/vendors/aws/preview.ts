import { isDeepStrictEqual } from 'node:util';
import type { ResourceDifference } from '@aws-cdk/cloudformation-diff';
import { isObject } from '../../basics/is-object.ts';
import type { PlannedChange } from '../vendor.ts';
import type { AwsDocument, Template, TemplateResource } from './document.ts';
import { interruptionOf, lossOf, mayReplace } from './forecast/losses.ts';

/** Told from the templates alone, with what AWS publishes about the members of every type of resource. */
export async function preview(before: AwsDocument | null, after: AwsDocument): Promise<PlannedChange[]> {
  const standing = before?.template.Resources ?? {};
  const wanted = after.template.Resources;
  const { changes } = await compare({ Resources: standing }, { Resources: wanted });
  return Object.keys({ ...standing, ...wanted }).flatMap((resource) => {
    const difference = changes[resource];
    const rolled = rolledMembers(wanted[resource], changes);
    return changeOf(resource, wanted[resource]?.Type ?? standing[resource]?.Type ?? '', difference, rolled);
  });
}

/** Loaded when it is first needed: it reads everything AWS publishes, which takes a second. */
async function compare(before: Pick<Template, 'Resources'>, after: Pick<Template, 'Resources'>) {
  const { fullDiff } = await import('@aws-cdk/cloudformation-diff');
  return fullDiff(before, after).resources;
}

function changeOf(
  resource: string,
  resourceType: string,
  difference: ResourceDifference | undefined,
  rolled: readonly string[],
): PlannedChange[] {
  const plain = { resource, resourceType, members: [], warning: '' };
  if (difference?.isAddition) return [{ ...plain, action: 'add' }];
  if (difference?.isRemoval) {
    const warning = lossOf(resourceType, resource, difference.oldValue?.['DeletionPolicy']);
    return [{ ...plain, action: 'remove', warning }];
  }
  const members = [...(difference ? changedMembers(difference) : []), ...rolled].toSorted();
  if (members.length === 0) return [];
  if (!difference || !isReplaced(resourceType, difference))
    return [{ ...plain, action: 'change', members, warning: interruptionOf(resourceType, members) }];
  const warning = lossOf(resourceType, resource, difference.newValue?.['UpdateReplacePolicy']);
  return [{ ...plain, action: 'replace', members, warning }];
}

const isReplaced = (type: string, difference: ResourceDifference): boolean =>
  difference.resourceTypeChanged ||
  Object.entries(difference.propertyUpdates).some(
    ([member, { changeImpact }]) =>
      changeImpact === 'WILL_REPLACE' || (changeImpact === 'MAY_REPLACE' && mayReplace(type, member)),
  );

/** What stands beside the properties, where a change of it does something. Metadata holds the version, which always changes. */
const attributesThatCount = new Set(['UpdatePolicy', 'DeletionPolicy', 'UpdateReplacePolicy']);

const changedMembers = ({ propertyUpdates, otherChanges }: ResourceDifference): string[] => [
  ...Object.entries(propertyUpdates).flatMap(([member, { oldValue, newValue }]) =>
    changedPaths(member, oldValue, newValue),
  ),
  ...Object.entries(otherChanges)
    .filter(([attribute]) => attributesThatCount.has(attribute))
    .flatMap(([attribute, { oldValue, newValue }]) => changedPaths(attribute, oldValue, newValue)),
];

/** `Ref` and functions are values to a reader, not objects with members. */
const isFunction = (value: Readonly<Record<string, unknown>>): boolean =>
  Object.keys(value).every((key) => key === 'Ref' || key.startsWith('Fn::'));

/** As deep as both sides are objects; lists are told as a whole. */
function changedPaths(path: string, before: unknown, after: unknown): string[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (!isObject(before) || !isObject(after) || isFunction(before) || isFunction(after)) return [path];
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.flatMap((key) => changedPaths(`${path}/${key}`, before[key], after[key]));
}

type Differences = Readonly<Record<string, ResourceDifference>>;

/**
 * A group follows the latest version of its launch template. That stands in both templates in the same words, but when
 * the launch template changes, so does what they mean: the group's instances are replaced one after the other.
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
