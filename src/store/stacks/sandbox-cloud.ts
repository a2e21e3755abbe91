import type { Database, Query } from '../database/database.ts';
import { parseColumn } from '../database/json-column.ts';

/** The pretend cloud's state as the store sees it: records of the sandbox's own, kept as text. */
export interface SandboxState<Stack, Faults> {
  stacks: Map<string, Stack>;
  faults: Faults;
}

const readAccount = async (query: Query, cloudAccount: string): Promise<Map<string, string>> => {
  const rows = await query
    .selectFrom('sandbox_stacks')
    .selectAll()
    .where('cloud_account', '=', cloudAccount)
    .execute();
  return new Map(rows.map((row) => [row.stack_id, row.record]));
};

const readFaultsText = async (query: Query, cloudAccount: string): Promise<string | undefined> =>
  (
    await query
      .selectFrom('sandbox_faults')
      .select('record')
      .where('cloud_account', '=', cloudAccount)
      .executeTakeFirst()
  )?.record;

async function writeStacks(
  query: Query,
  cloudAccount: string,
  before: Map<string, string>,
  after: Map<string, string>,
): Promise<void> {
  for (const stackId of before.keys())
    if (!after.has(stackId))
      await query
        .deleteFrom('sandbox_stacks')
        .where('cloud_account', '=', cloudAccount)
        .where('stack_id', '=', stackId)
        .execute();
  for (const [stackId, record] of after)
    if (before.get(stackId) !== record)
      await query
        .insertInto('sandbox_stacks')
        .values({ cloud_account: cloudAccount, stack_id: stackId, record })
        .onConflict((conflict) => conflict.columns(['cloud_account', 'stack_id']).doUpdateSet({ record }))
        .execute();
}

const writeFaults = async (query: Query, cloudAccount: string, record: string): Promise<void> => {
  await query
    .insertInto('sandbox_faults')
    .values({ cloud_account: cloudAccount, record })
    .onConflict((conflict) => conflict.column('cloud_account').doUpdateSet({ record }))
    .execute();
};

/** Keeps the pretend cloud in the database, so that it survives a crash of ours as a real one would. */
export function storedSandboxCloud<Stack, Faults>(database: Database, noFaults: () => Faults) {
  const stackFrom = (id: string, text: string): Stack =>
    parseColumn<Stack>(text, `sandbox_stacks.record of ${id}`);
  const faultsFrom = (text: string | undefined): Faults =>
    text === undefined ? noFaults() : parseColumn<Faults>(text, 'sandbox_faults.record');

  return {
    async read(cloudAccount: string, stackId: string): Promise<Stack | undefined> {
      const row = await database.query
        .selectFrom('sandbox_stacks')
        .select('record')
        .where('cloud_account', '=', cloudAccount)
        .where('stack_id', '=', stackId)
        .executeTakeFirst();
      return row && stackFrom(stackId, row.record);
    },

    readFaults: async (cloudAccount: string): Promise<Faults> =>
      faultsFrom(await readFaultsText(database.query, cloudAccount)),

    change: <T>(cloudAccount: string, change: (state: SandboxState<Stack, Faults>) => T): Promise<T> =>
      database.transaction(async (query) => {
        await database.lock(query, `sandbox ${cloudAccount}`);
        const before = await readAccount(query, cloudAccount);
        const stacks = new Map([...before].map(([id, text]) => [id, stackFrom(id, text)]));
        const state = { stacks, faults: faultsFrom(await readFaultsText(query, cloudAccount)) };
        const result = change(state);
        const after = new Map([...state.stacks].map(([id, stack]) => [id, JSON.stringify(stack)]));
        await writeStacks(query, cloudAccount, before, after);
        await writeFaults(query, cloudAccount, JSON.stringify(state.faults));
        return result;
      }),
  };
}
