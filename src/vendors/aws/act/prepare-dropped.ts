import { isDeepStrictEqual } from 'node:util';
import type { Release } from '../../data.ts';
import { holdsData } from '../data-stores.ts';
import type { Properties, Template, TemplateResource } from '../document.ts';
import type { CloudStack } from '../observe/list-stacks.ts';
import { dataIn } from '../observe/view.ts';
import type { Region } from '../region.ts';
import { mapResources, policyOf, updatePolicies, withPolicies } from './deletion-policies.ts';
import { readTemplate } from './live-stack.ts';
import { requestToken } from './requests.ts';

interface Target {
  template: Template;
  version: string;
  releases: readonly Release[];
}

/**
 * CloudFormation keeps or deletes what an update removes or replaces by the policies of the template before it. True: an
 * update was sent that makes them match the releases, which must end first.
 */
export async function prepareDropped(region: Region, stack: CloudStack, target: Target): Promise<boolean> {
  const { template, version, releases } = target;
  const dropped = dataIn(stack).filter((id) => template.Resources[id] === undefined);
  const ids = new Set([...dropped, ...releasedData(releases)]);
  if (ids.size === 0) return false;
  const current = await readTemplate(region, stack);
  const wanted = withReplacePolicies(withPolicies(current, releases, ids), releases);
  if (isDeepStrictEqual(wanted, current)) return false;
  // The token of the update to the version: if this fails, so has that version, and cancelling that cancels this.
  const token = requestToken('update', version, stack);
  await updatePolicies(region, stack, { template: wanted, token });
  return true;
}

const releasedData = (releases: readonly Release[]): string[] =>
  releases.filter(({ kind }) => kind !== 'disk').map(({ resource }) => resource);

/** The template that keeps or deletes what is replaced as the releases say. Without a word, it stays as it is. */
export function withReplacePolicies(template: Template, releases: readonly Release[]): Template {
  const released = new Set(releasedData(releases));
  const change = (id: string, resource: TemplateResource): TemplateResource =>
    released.has(id) && holdsData(resource)
      ? { ...resource, UpdateReplacePolicy: policyOf(id, resource, releases) }
      : resource;
  return mapResources(template, change);
}

/** CloudFormation cannot change what a volume was made from. A volume that exists keeps its files. */
export async function withLivingVolumes(
  region: Region,
  stack: CloudStack,
  template: Template,
): Promise<Template> {
  const isRestored = ({ Properties = {} }: TemplateResource): boolean =>
    Properties['SnapshotId'] !== undefined;
  if (!Object.values(template.Resources).some(isRestored)) return template;
  const current = await readTemplate(region, stack);
  const change = (id: string, resource: TemplateResource): TemplateResource => {
    const living = current.Resources[id];
    return living && isRestored(resource)
      ? { ...resource, Properties: sameSource(resource, living) }
      : resource;
  };
  return mapResources(template, change);
}

function sameSource({ Properties = {} }: TemplateResource, living: TemplateResource): Properties {
  const { SnapshotId: _, ...rest } = Properties;
  const source = living.Properties?.['SnapshotId'];
  return source === undefined ? rest : { ...rest, SnapshotId: source };
}
