import type { ObservedStore, Release } from '../../data.ts';
import { Refusal } from '../errors.ts';
import type { CloudStack } from '../observe/list-stacks.ts';
import { phaseOf } from '../observe/stack-phase.ts';
import type { Region } from '../region.ts';
import { dropBackups, keepDatabase } from './keep-databases.ts';
import { keepFiles } from './keep-files.ts';

/** The data that a step would delete, and the words of callers about it. */
export interface Losses {
  stack: CloudStack;
  stores: readonly ObservedStore[];
  releases: readonly Release[];
  /** Equal in every retry of one request. */
  intent: string;
}

interface Released {
  store: ObservedStore;
  choice: Release['choice'];
}

/** By its id: another store of the same resource is other data, and files share their resource with disks. */
function releasedAs(store: ObservedStore, releases: readonly Release[]): Released | undefined {
  const release = releases.find(({ storeId }) => storeId === store.id);
  return release && { store, choice: release.choice };
}

const named = (stores: readonly ObservedStore[]): string =>
  stores.map(({ resource, id }) => `${resource} (${id})`).join(' and ');

/** The last look before data is deleted: the core asks before, and knows what it asked about. */
function releasedOf({ stores, releases }: Losses): Released[] {
  const data = stores.filter(({ usable }) => usable);
  const unreleased = data.filter((store) => !releasedAs(store, releases));
  if (unreleased.length > 0)
    throw new Refusal(
      `This would delete the data of ${named(unreleased)}, and no request said so. Nothing was changed. ` +
        'Repeat the request with data=keep or data=delete.',
    );
  return data.flatMap((store) => releasedAs(store, releases) ?? []);
}

async function canKeep({ databases, pollMs }: Region, { kind, id }: ObservedStore): Promise<boolean> {
  if (kind !== 'database') return kind === 'files';
  return (await databases.get(pollMs)).value.get(id)?.engine === 'mysql';
}

/**
 * Prepares a step that deletes stores: makes what is to be kept, and sees to it that nothing else stays. False: not everything
 * that is to be kept is complete yet; call again later. Makes nothing if something cannot be kept.
 */
export async function prepareLosses(region: Region, losses: Losses): Promise<boolean> {
  const released = releasedOf(losses);
  const lost: ObservedStore[] = [];
  for (const { store, choice } of released)
    if (choice === 'keep' && !(await canKeep(region, store))) lost.push(store);
  if (lost.length > 0)
    throw new Refusal(
      `Alibaba Cloud cannot keep the data of ${named(lost)}. Back it up by hand, then use data=delete.`,
    );
  // A backup that is made while another operation runs would be out of date when the step begins.
  if (phaseOf(losses.stack.status).kind === 'busy' && released.some(({ choice }) => choice === 'keep'))
    return false;
  const isReady = await Promise.all(released.map((each) => prepareLoss(region, losses, each)));
  return isReady.every(Boolean);
}

async function prepareLoss(
  region: Region,
  { stack, intent }: Losses,
  { store, choice }: Released,
): Promise<boolean> {
  const { stackId } = stack;
  if (choice === 'keep' && store.kind === 'files') return keepFiles(region, { stackId, store, intent });
  if (choice === 'keep') return keepDatabase(region, { stackId, store, intent });
  if (store.kind === 'database' && (await canKeep(region, store))) await dropBackups(region, store.id);
  return true;
}
