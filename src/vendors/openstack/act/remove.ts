import type { RemoveRequest } from '../../data.ts';
import { type Answer, accepted, notBegun, type StackOnVendor } from '../../vendor.ts';
import { toAnswer } from '../errors.ts';
import { type HeatStack, readByName } from '../observe/list-stacks.ts';
import { isLost } from '../observe/lost-engine.ts';
import type { Region } from '../region.ts';
import { noVersion, releaseData, releaseVolumes } from './data/release.ts';
import { readStackResources } from './data/stores.ts';
import { sweep } from './sweep.ts';
import { deleteUnlessDeleting } from './twins.ts';

/** Deletes the stack and its twins, whatever they are doing; then what they left. */
export const remove = (region: Region, { id }: StackOnVendor, request: RemoveRequest): Promise<Answer> =>
  toAnswer(async () => {
    const existing = await readByName(region.client, id);
    if (existing && !(await isReleased(region, existing, request))) return notBegun;
    await releaseVolumes(region, id, request.releases);
    if (!existing) return sweep(region, id);
    let requested = false;
    for (const stack of [existing, ...existing.twins])
      requested = (await deleteUnlessDeleting(region, stack)) || requested;
    if (requested) region.operations.accept(id, { doing: 'remove', version: existing.version });
    return accepted;
  });

/**
 * A creation may be stopped at any time, and a deletion in progress cannot be, unless its engine is gone. If a creation failed, its
 * databases may be in use.
 */
const mayHoldData = async (region: Region, stack: HeatStack): Promise<boolean> =>
  !/^(CREATE_IN_PROGRESS|DELETE_(IN_PROGRESS|COMPLETE))$/.test(stack.status) || isLost(region, stack);

/** Asks Heat what there is: tags may be wrong. False: the data is not kept yet. */
async function isReleased(
  region: Region,
  stack: HeatStack,
  { releases, intent }: RemoveRequest,
): Promise<boolean> {
  if (!(await mayHoldData(region, stack))) return true;
  const { stores } = await readStackResources(region, stack);
  return releaseData(region, stack, { stores, releases, version: noVersion, key: intent });
}
