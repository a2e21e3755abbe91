import { choiceOf, type Release } from '../../../data.ts';
import { Refusal } from '../../errors.ts';
import { volumeType } from '../../layout/stores.ts';
import type { HeatStack } from '../../observe/list-stacks.ts';
import type { Region } from '../../region.ts';
import { backUp } from './backups.ts';
import type { DataStore } from './stores.ts';
import { readDataVolumes, releaseVolume } from './volumes.ts';

/** In place of a version, if the stack is deleted. */
export const noVersion = 'none';

interface Released {
  /** Stores that the request removes or replaces. */
  stores: readonly DataStore[];
  releases: readonly Release[];
  /** The version that the stack gets. */
  version: string;
  /** Equal in every retry of one request. */
  key: string;
}

/** Prepares the stores that a request removes: keeps their data, or lets it be deleted. False: that is not complete yet. */
export async function releaseData(region: Region, stack: HeatStack, released: Released): Promise<boolean> {
  const { stores, releases, version, key } = released;
  refuseUnreleased(stores, releases);
  const kept = stores.filter(({ resource }) => choiceOf(releases, resource.name) === 'keep');
  refuseUnkept(region, kept);
  const databases = kept.filter(({ resource }) => resource.type !== volumeType);
  const isDone = await Promise.all(databases.map((store) => backUp(region, stack, { store, key })));
  if (isDone.includes(false)) return false;
  for (const { id, resource } of stores)
    if (resource.type === volumeType)
      await releaseVolume(region, id, { choice: choiceOf(releases, resource.name), version });
  return true;
}

/** For volumes of a deleted stack that nobody else looks at. */
export async function releaseVolumes(
  region: Region,
  stackId: string,
  releases: readonly Release[],
): Promise<void> {
  const choices = new Map(releases.map(({ storeId, choice }) => [storeId, choice]));
  for (const { id, release } of await readDataVolumes(region, stackId)) {
    const choice = choices.get(id);
    if (choice !== undefined && !release.startsWith(choice))
      await releaseVolume(region, id, { choice, version: noVersion });
  }
}

const namesOf = (stores: readonly DataStore[]): string =>
  stores.map(({ resource }) => resource.name).join(' and ');

/** The last line of defence: the callers of drivers ask before. */
function refuseUnreleased(stores: readonly DataStore[], releases: readonly Release[]): void {
  const released = new Set(releases.map(({ resource }) => resource));
  const others = stores.filter(({ resource }) => !released.has(resource.name));
  if (others.length > 0)
    throw new Refusal(
      `This would delete the data of ${namesOf(others)}, and nobody asked for that. Nothing was changed. ` +
        'Repeat the request with data=keep or data=delete.',
    );
}

/** Only volumes and databases of Trove outlive the removal. */
function refuseUnkept({ dialect }: Region, kept: readonly DataStore[]): void {
  const lost = kept.filter(({ resource: { type } }) => type !== volumeType && type !== 'OS::Trove::Instance');
  if (lost.length > 0)
    throw new Refusal(
      `${dialect.label} cannot keep the data of ${namesOf(lost)}, which goes with it. ` +
        'Back it up by hand, then repeat the request with data=delete.',
    );
}
