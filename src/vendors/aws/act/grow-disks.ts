import { type Answer, accepted } from '../../vendor.ts';
import { ignoreError } from '../errors.ts';
import type { Region } from '../region.ts';

/** Another Almanac server may have just asked for the same. */
const alreadyGrowing = { name: /^IncorrectModificationState$/ };

/** Grows volumes to these sizes in GiB, while they are in use. CloudFormation would replace the server instead. */
export async function growDisks(region: Region, sizes: ReadonlyMap<string, number>): Promise<Answer> {
  const ec2 = await region.clients.ec2();
  for (const [VolumeId, Size] of sizes) {
    await ignoreError(alreadyGrowing, () => ec2.modifyVolume({ VolumeId, Size }));
    region.grown.set(VolumeId, Size);
  }
  return accepted;
}
