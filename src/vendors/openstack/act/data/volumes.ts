import type { DataChoice } from '../../../../model/data-choice.ts';
import type { OpenStackDocument } from '../../document.ts';
import { ifThere, observing, Refusal, unlessDeleted } from '../../errors.ts';
import { releaseKey, stackKey, storeKey } from '../../names.ts';
import type { HeatStack } from '../../observe/list-stacks.ts';
import {
  type DataVolume,
  deleteRelease,
  isCondemned,
  keepRelease,
  listVolumes,
} from '../../observe/list-volumes.ts';
import { readResources } from '../../observe/resources.ts';
import type { Region } from '../../region.ts';

/**
 * Volumes with data stay when Heat removes them from a stack or deletes the stack. Their metadata says what a caller wanted: to keep
 * them, or to delete them when the stack has reached the version, or is gone.
 */

const service = 'volumev3';

const putMetadata = async (
  { client, volumes }: Region,
  id: string,
  metadata: Readonly<Record<string, string>>,
): Promise<void> => {
  await client.change({ service, method: 'POST', path: `/volumes/${id}/metadata`, body: { metadata } });
  volumes.forget();
};

interface VolumeRelease {
  choice: DataChoice;
  /** The version that does not have the volume. */
  version: string;
}

export const releaseVolume = (
  region: Region,
  id: string,
  { choice, version }: VolumeRelease,
): Promise<void> =>
  putMetadata(region, id, {
    [releaseKey]: choice === 'keep' ? keepRelease(region.clock.now()) : deleteRelease(version),
  });

/** The volumes of a stack as the cloud has them now. */
export const readDataVolumes = async ({ client }: Region, stackId: string): Promise<DataVolume[]> =>
  (await listVolumes(client)).filter((volume) => volume.stackId === stackId);

/** Deletes what the version of a complete stack was to delete. */
export async function deleteCondemned(region: Region, stack: HeatStack): Promise<void> {
  const volumes = await readDataVolumes(region, stack.stackId);
  const condemned = volumes.filter((volume) => isCondemned(volume, stack.version));
  if (condemned.length === 0) return;
  const used = new Set((await readResources(region.client, stack)).map(({ physicalId }) => physicalId));
  for (const { id } of condemned.filter((volume) => !used.has(volume.id)))
    await ifThere(() => region.client.change({ service, method: 'DELETE', path: `/volumes/${id}` }));
  region.volumes.forget();
}

interface VolumeAnswer {
  volume: {
    attachments?: readonly { server_id?: string }[];
    metadata?: Readonly<Record<string, string>>;
  };
}

/** Gives kept volumes to the stack that is made from them. */
export async function adoptVolumes(
  region: Region,
  stackId: string,
  { template }: OpenStackDocument,
): Promise<void> {
  for (const [name, { external_id: id }] of Object.entries(template.resources)) {
    if (id === undefined) continue;
    const { attachments = [], metadata = {} } = await readVolume(region, id, name);
    const isOwn = metadata[stackKey] === stackId && metadata[storeKey] === name;
    if (isOwn && !metadata[releaseKey]) continue;
    if (attachments.length > 0 && !isOwn)
      throw new Refusal(
        `Volume ${id}, from which ${name} is to be restored, is in use by another server. Detach it first.`,
      );
    await putMetadata(region, id, { [stackKey]: stackId, [storeKey]: name, [releaseKey]: '' });
  }
}

async function readVolume({ client }: Region, id: string, name: string): Promise<VolumeAnswer['volume']> {
  const found = await observing(() =>
    unlessDeleted(() => client.read<VolumeAnswer>({ service, path: `/volumes/${id}` })),
  );
  if (found) return found.volume;
  throw new Refusal(
    `Volume ${id}, from which ${name} was restored, no longer exists. Remove ${name} from the document with data=delete; a later version can have a new one.`,
  );
}
