import type { StackModel } from '../../../src/model/stack-model.ts';
import type { ObservedStore } from '../../../src/vendors/data.ts';
import { type AlicloudWorld, newStack } from './world.ts';

/** A stack that is complete in version `v1`. */
export async function makeStack(world: AlicloudWorld, model: StackModel) {
  const at = world.on(newStack());
  await at.apply(model, 'v1');
  await world.passAll();
  const seen = await at.observe();
  if (seen.kind !== 'settled') throw new Error(JSON.stringify(seen));
  return at;
}

export type MadeStack = Awaited<ReturnType<typeof makeStack>>;

export const storesAt = async (at: MadeStack): Promise<readonly ObservedStore[]> =>
  (await at.view()).stores ?? [];
export const idsAt = async (at: MadeStack): Promise<string[]> => (await storesAt(at)).map(({ id }) => id);
