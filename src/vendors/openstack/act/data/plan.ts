import { releasedResources } from '../../../data.ts';
import { replacedStores, storesOf } from '../../data.ts';
import type { OpenStackDocument, Template } from '../../document.ts';
import { observing, Refusal, unlessDeleted } from '../../errors.ts';
import { volumeType } from '../../layout/stores.ts';
import type { HeatStack } from '../../observe/list-stacks.ts';
import { isLost } from '../../observe/lost-engine.ts';
import { pathOf } from '../../observe/stack-path.ts';
import { phaseOf } from '../../observe/stack-phase.ts';
import { preview } from '../../preview.ts';
import type { Region } from '../../region.ts';
import type { OpenStackApplyRequest } from '../requests.ts';
import { growing } from './grow-volumes.ts';
import { type DataStore, gibOf, type StackResources } from './stores.ts';

/** How an update is sent so that Heat replaces no data. */
export interface DataPlan {
  /** Resources of the new template that Heat must not replace, whatever happened to them. */
  kept: readonly string[];
  /** Heat's way back after a failure would change data again: shrink a volume, or make what was removed. */
  mayUndo: boolean;
  /** A volume is being enlarged that the new version wants smaller: its size is known when that has ended. */
  mustWait: boolean;
  /** The stores that the update removes or replaces. */
  lost: readonly DataStore[];
  /** What Heat has; undefined: nothing, or it does not matter. */
  before: Template | undefined;
}

const dataIn = (document: OpenStackDocument): string[] =>
  storesOf(document)
    .filter(({ kind }) => kind !== 'disk')
    .map(({ resource }) => resource);

/** All resources with data: in a new stack, none can be replaced. */
export const keepAll = (document: OpenStackDocument): readonly string[] => dataIn(document);

interface Planned extends StackResources {
  existing: HeatStack;
  request: OpenStackApplyRequest;
}

/** Refuses what Heat would try without success: the failure would end with data in a resource that Heat calls broken. */
export async function planForData(
  region: Region,
  { existing, resources, stores, request }: Planned,
): Promise<DataPlan> {
  const { document, releases = [] } = request;
  const inNew = dataIn(document);
  const hasVolumes = Object.values(document.template.resources).some(({ type }) => type === volumeType);
  if (inNew.length + stores.length === 0 && !hasVolumes)
    return { kept: [], mayUndo: true, mustWait: false, lost: [], before: undefined };
  const before = await readTemplate(region, existing);
  const isBusy = phaseOf(existing.status).kind === 'busy' && !(await isLost(region, existing));
  const confirmed = new Set(releasedResources(releases));
  const held = stores.filter(({ resource }) => !confirmed.has(resource.name));
  for (const store of held) refuseUnclear(store);
  const mustWait =
    isBusy && held.some(({ resource: { name }, isHidden }) => !isHidden && shrinks(before, document, name));
  if (!mustWait) for (const store of held) refuseToShrink(store, { before, document });
  if (!isBusy) refuseUnhealable(region, held);
  return {
    kept: keptNames(inNew, { resources, stores, confirmed }),
    mayUndo:
      phaseOf(existing.status).kind === 'settled' &&
      !changesData(before, document) &&
      growing({ before, document }).length === 0,
    mustWait,
    lost: lostIn({ before, document, stores, confirmed }),
    before,
  };
}

interface Losing {
  before: Template | undefined;
  document: OpenStackDocument;
  stores: readonly DataStore[];
  confirmed: ReadonlySet<string>;
}

/** Stores that the document does not have, and those that it replaces with the consent of the caller: Heat refuses to replace others. */
function lostIn({ before, document, stores, confirmed }: Losing): DataStore[] {
  const desired = document.template.resources;
  const older = before && { ...document, template: before };
  const replaced = older ? replacedStores({ before: older, after: document }) : [...confirmed];
  return stores.filter(
    ({ resource: { name } }) =>
      !Object.hasOwn(desired, name) || (confirmed.has(name) && replaced.includes(name)),
  );
}

async function readTemplate({ client }: Region, stack: HeatStack): Promise<Template | undefined> {
  const path = `${pathOf(stack)}/template`;
  return observing(() => unlessDeleted(() => client.read<Template>({ service: 'orchestration', path })));
}

/** New ones too: Heat undoes a later update by the rules of this one. What exists without data may be made again. */
function keptNames(
  inNew: readonly string[],
  { resources, stores, confirmed }: StackResources & { confirmed: ReadonlySet<string> },
): string[] {
  const existing = new Set(resources.map(({ name }) => name));
  const holding = new Set(stores.map(({ resource }) => resource.name));
  return inNew.filter((name) => !confirmed.has(name) && (holding.has(name) || !existing.has(name)));
}

function changesData(before: Template | undefined, document: OpenStackDocument): boolean {
  if (!before) return true;
  const older = { ...document, template: before };
  const names = new Set([...dataIn(older), ...dataIn(document)]);
  return preview(older, document).some(({ resource }) => names.has(resource));
}

const gibIn = (template: Template | undefined, name: string): number => {
  const resource = template?.resources[name];
  return resource ? gibOf(resource) : 0;
};

const shrinks = (before: Template | undefined, { template }: OpenStackDocument, name: string): boolean =>
  gibIn(template, name) > 0 && gibIn(template, name) < gibIn(before, name);

function refuseToShrink(
  { resource: { name }, gib }: DataStore,
  { before, document }: { before: Template | undefined; document: OpenStackDocument },
): void {
  const wanted = gibIn(document.template, name);
  const real = gib ?? gibIn(before, name);
  if (wanted === 0 || wanted >= real) return;
  throw new Refusal(
    `${name} has a volume of ${real} GiB, which cannot shrink to ${wanted} GiB. ` +
      `Update the stack with the same document and at least ${real} GiB for it.`,
  );
}

function refuseUnclear({ resource: { name }, unclear }: DataStore): void {
  if (!unclear) return;
  throw new Refusal(
    `There are two of ${name}, ${unclear.join(' and ')}, and Heat no longer has the events that tell which of them has the data. ` +
      'Nothing was changed. Look into both, delete the one without the data in the cloud, then update the stack again.',
  );
}

/** An old Heat replaces what failed, and has no marks for what is healthy. */
function refuseUnhealable({ dialect }: Region, stores: readonly DataStore[]): void {
  const failed = stores.filter(({ resource }) => resource.status.endsWith('_FAILED'));
  if (dialect.capabilities.patch || failed.length === 0) return;
  throw new Refusal(
    `${dialect.label} would replace ${failed.map(({ resource }) => resource.name).join(' and ')} by an empty one, because its last change failed. ` +
      'Back up its data, then delete the stack with data=delete and create it again.',
  );
}
