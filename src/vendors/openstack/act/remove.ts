import { dataChoiceOf, type RemoveRequest } from '../../data.ts';
import { type Answer, accepted, type StackOnVendor } from '../../vendor.ts';
import { Refusal, toAnswer } from '../errors.ts';
import { type HeatStack, readByName } from '../observe/list-stacks.ts';
import { isLost } from '../observe/lost-engine.ts';
import type { Region } from '../region.ts';
import { readStackResources } from './data-stores.ts';
import { sweep } from './sweep.ts';
import { deleteUnlessDeleting } from './twins.ts';

/** Deletes the stack and its twins, whatever they are doing; then what they left. */
export const remove = (region: Region, { id }: StackOnVendor, { releases }: RemoveRequest): Promise<Answer> =>
  toAnswer(async () => {
    const existing = await readByName(region.client, id);
    if (!existing) return sweep(region, id);
    if (dataChoiceOf(releases) === 'keep') await refuseToLose(region, existing);
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

/** Nothing in OpenStack keeps the data of what a stack had. Asks Heat: tags may be wrong. */
async function refuseToLose(region: Region, stack: HeatStack): Promise<void> {
  if (!(await mayHoldData(region, stack))) return;
  const { stores } = await readStackResources(region, stack);
  if (stores.length > 0)
    throw new Refusal(
      `OpenStack cannot keep the data of ${stores.map(({ resource }) => resource.name).join(' and ')} of a deleted stack. ` +
        'Back it up by hand, then delete the stack with data=delete.',
    );
}
