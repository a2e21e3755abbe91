import { ifNew } from '../../../docker-engine/errors.ts';
import type { Engine } from '../../../docker-engine/types.ts';
import { keepRecordName } from '../names.ts';
import { type KeptVolume, type RecordedVolume, recordLabels } from './record.ts';

/** An image of no files, for containers that never run. It does not depend on the images of `images/build.sh`. */
const recordImage = 'almanac/record:latest';
const emptyArchive = Buffer.alloc(1024);

/** Records that a volume is kept. Idempotent: the first record counts. False: there is one already. */
export async function keepVolume({ images, containers }: Engine, kept: KeptVolume): Promise<boolean> {
  if (!(await images.inspect(recordImage))) await images.import(emptyArchive, recordImage);
  return ifNew(
    containers.create({
      name: keepRecordName(kept.volume),
      image: recordImage,
      entrypoint: ['/never-runs'],
      labels: recordLabels(kept),
      mounts: [{ kind: 'volume', volume: kept.volume, target: '/data', readOnly: true }],
    }),
  );
}

/** Removes the record: the volume is in use again. Idempotent. */
export const releaseVolume = async ({ containers }: Engine, volume: string): Promise<void> =>
  void (await containers.remove(keepRecordName(volume), { force: true }));

/**
 * Removes exactly this record, not a newer one of the same volume. Only who removed it may decide about the volume; false:
 * a stack uses the volume again, or someone else has changed the record.
 */
export const claimVolume = ({ containers }: Engine, { recordId }: RecordedVolume): Promise<boolean> =>
  containers.remove(recordId, { force: true });
