import type { StackOnVendor, VendorDocument } from '../../../src/vendors/vendor.ts';
import type { DataWorld } from '../../vendors/data-contract.ts';
import { serverAndDatabase } from '../../vendors/sample-model.ts';
import { type AlicloudWorld, newStack } from './world.ts';

/** The stack in documents that are compiled in advance; its id is replaced by the real one. */
const placeholder = newStack();

/** The databases of the double that belong to a stack, by their tags. */
export async function databasesOf({ double }: AlicloudWorld, { id }: StackOnVendor): Promise<string[]> {
  const worlds = await double.worlds();
  return worlds
    .flatMap(({ rds = {} }) => Object.values(rds))
    .filter((database) => JSON.stringify(database).includes(id))
    .map((database) => String(database['id']));
}

/** The double for the contract of data. Its databases hold nothing: another id is other data. Backups are those of a stand-in. */
export async function dataWorld(world: AlicloudWorld): Promise<DataWorld> {
  const documents = new Map<boolean, string>();
  for (const hasDatabase of [true, false])
    documents.set(
      hasDatabase,
      JSON.stringify(await world.compiled(placeholder, serverAndDatabase(hasDatabase))),
    );
  const seen = new Map<string, Set<string>>();
  const dataIn = async (stack: StackOnVendor): Promise<string | undefined> => {
    const [id] = await databasesOf(world, stack);
    if (id !== undefined) seen.set(stack.id, (seen.get(stack.id) ?? new Set()).add(id));
    return id;
  };
  return {
    driver: world.driver,
    newStack,
    document: (stack, hasDatabase) =>
      JSON.parse((documents.get(hasDatabase) ?? '').replaceAll(placeholder.id, stack.id)) as VendorDocument,
    passMoment: world.passMoment,
    passAll: async () => {
      world.backups.finish();
      await world.passAll();
    },
    dataIn,
    keptData: async (stack) => {
      const kept = (await world.driver.listKept?.(stack)) ?? [];
      return kept.filter(({ storeId }) => seen.get(stack.id)?.has(storeId)).map(({ reference }) => reference);
    },
  };
}
