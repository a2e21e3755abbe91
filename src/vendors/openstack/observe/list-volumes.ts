import type { ObservedStore } from '../../data.ts';
import type { Client } from '../client.ts';
import { observing } from '../errors.ts';
import { storeIn, volumeType } from '../layout/stores.ts';
import { releaseKey, stackKey, storeKey } from '../names.ts';
import { type Page, readPages } from '../rest/pages.ts';

/** A volume with the data of a stack. Heat never deletes one, so that it may outlive its stack. */
export interface DataVolume extends ObservedStore {
  stackId: string;
  status: string;
  isAttached: boolean;
  /** What its release asked for: see `act/data/volumes.ts`. Empty: it was never released. */
  release: string;
}

interface VolumeRow {
  id: string;
  status: string;
  size: number;
  attachments?: readonly unknown[];
  metadata?: Readonly<Record<string, string>>;
}

/** States in which it has never been in use. */
const unused = /^(creating|downloading|error)$/;

function volumeOf({ id, status, size, attachments = [], metadata = {} }: VolumeRow): DataVolume[] {
  const store = storeIn(metadata[storeKey] ?? '', volumeType);
  const stackId = metadata[stackKey];
  if (!store || stackId === undefined) return [];
  const isAttached = attachments.length > 0;
  const release = metadata[releaseKey] ?? '';
  return [
    { ...store, id, usable: !unused.test(status), sizeGib: size, stackId, status, isAttached, release },
  ];
}

const pageSize = 1000;

/** Lists the volumes with data of all stacks in a region, in one paged call. */
export async function listVolumes(client: Client): Promise<readonly DataVolume[]> {
  const service = 'volumev3';
  if (!(await client.session()).endpoint(service, client.region)) return [];
  const rows = await readPages<VolumeRow>((path) => observing(() => client.read<Page>({ service, path })), {
    path: `/volumes/detail?limit=${pageSize}`,
    member: 'volumes',
    limit: pageSize,
  });
  return rows.flatMap(volumeOf);
}

const keepMark = 'keep ';
const deleteMark = 'delete ';

/** Kept outside its stack since a time. */
export const keepRelease = (since: number): string => `${keepMark}${new Date(since).toISOString()}`;
/** Deleted when the stack has reached a version, or is gone. */
export const deleteRelease = (version: string): string => `${deleteMark}${version}`;

export const isDeleteRelease = (release: string): boolean => release.startsWith(deleteMark);

/** When its data was kept; undefined: it is in use, or will be deleted. */
export const keptSince = ({ release, isAttached }: DataVolume): number | undefined =>
  release.startsWith(keepMark) && !isAttached ? Date.parse(release.slice(keepMark.length)) : undefined;

/** Whether the stack that has reached the version no longer needs it, and its release was to delete it. */
export const isCondemned = (volume: DataVolume, version: string): boolean =>
  volume.release === deleteRelease(version) &&
  !volume.isAttached &&
  /^(available|error)$/.test(volume.status);
