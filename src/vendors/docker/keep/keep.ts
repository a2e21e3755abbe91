import { ifNew } from '../../../docker-engine/errors.ts';
import type { Engine } from '../../../docker-engine/types.ts';
import { keepRecordName } from '../names.ts';
import { type KeptVolume, recordLabels } from './record.ts';

/** An image of no files, for containers that never run. It does not depend on the images of `images/build.sh`. */
const recordImage = 'almanac/record:latest';
const emptyArchive = Buffer.alloc(1024);

/** Records that a volume is kept. Idempotent: the first record counts. */
export async function keepVolume({ images, containers }: Engine, kept: KeptVolume): Promise<void> {
  if (!(await images.inspect(recordImage))) await images.import(emptyArchive, recordImage);
  await ifNew(
    containers.create({
      name: keepRecordName(kept.volume),
      image: recordImage,
      entrypoint: ['/never-runs'],
      labels: recordLabels(kept),
      mounts: [{ kind: 'volume', volume: kept.volume, target: '/data', readOnly: true }],
    }),
  );
}

/** Removes the record: the volume is in use again, or about to be removed. Idempotent. */
export const releaseVolume = async ({ containers }: Engine, volume: string): Promise<void> =>
  void (await containers.remove(keepRecordName(volume), { force: true }));
