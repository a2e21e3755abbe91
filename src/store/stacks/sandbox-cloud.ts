import type { Database, Query } from '../database/database.ts';
import { JsonColumn } from '../database/json-column.ts';

/** The state of one simulated cloud account. Its records are opaque to the store. */
interface SandboxState<Stack, Faults> {
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

const pageSize = 5_000;

/** From an index alone: the records are large. */
async function readRevisions(query: Query, cloudAccount: string): Promise<ReadonlyMap<string, number>> {
  const revisions = new Map<string, number>();
  for (let after = ''; ; ) {
    const page = await query
      .selectFrom('sandbox_stacks')
      .select(['stack_id', 'revision'])
      .where('cloud_account', '=', cloudAccount)
      .where('stack_id', '>', after)
      .orderBy('stack_id')
      .limit(pageSize)
      .execute();
    for (const { stack_id, revision } of page) revisions.set(stack_id, revision);
    if (page.length < pageSize) return revisions;
    after = page.at(-1)?.stack_id ?? '';
  }
}

interface AccountChange {
  before: Map<string, string>;
  after: Map<string, string>;
}

async function writeStacks(
  query: Query,
  cloudAccount: string,
  { before, after }: AccountChange,
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
        .values({ cloud_account: cloudAccount, stack_id: stackId, record, revision: 0 })
        .onConflict((conflict) =>
          conflict.columns(['cloud_account', 'stack_id']).doUpdateSet((row) => ({
            record,
            revision: row('sandbox_stacks.revision', '+', 1),
          })),
        )
        .execute();
}

const writeFaults = async (query: Query, cloudAccount: string, record: string): Promise<void> => {
  await query
    .insertInto('sandbox_faults')
    .values({ cloud_account: cloudAccount, record })
    .onConflict((conflict) => conflict.column('cloud_account').doUpdateSet({ record }))
    .execute();
};

/** Keeps the simulated cloud in the database, so that it survives a crash of the server as a real cloud would. */
export function storedSandboxCloud<Stack, Faults>(database: Database, noFaults: () => Faults) {
  const stackColumn = new JsonColumn<Stack>('sandbox_stacks.record');
  const faultsColumn = new JsonColumn<Faults>('sandbox_faults.record');

  const parseFaults = (text: string | undefined, cloudAccount: string): Faults =>
    text === undefined ? noFaults() : faultsColumn.parse(text, cloudAccount);

  return {
    async read(cloudAccount: string, stackId: string): Promise<Stack | undefined> {
      const row = await database.query
        .selectFrom('sandbox_stacks')
        .select('record')
        .where('cloud_account', '=', cloudAccount)
        .where('stack_id', '=', stackId)
        .executeTakeFirst();
      return row && stackColumn.parse(row.record, stackId);
    },

    readFaults: async (cloudAccount: string): Promise<Faults> =>
      parseFaults(await readFaultsText(database.query, cloudAccount), cloudAccount),

    readRevisions: (cloudAccount: string): Promise<ReadonlyMap<string, number>> =>
      readRevisions(database.query, cloudAccount),

    change: <T>(cloudAccount: string, change: (state: SandboxState<Stack, Faults>) => T): Promise<T> =>
      database.transaction(async (query) => {
        await database.lock(query, `sandbox ${cloudAccount}`);
        const before = await readAccount(query, cloudAccount);
        const stacks = new Map([...before].map(([id, text]) => [id, stackColumn.parse(text, id)]));
        const faultsText = await readFaultsText(query, cloudAccount);
        const state = { stacks, faults: parseFaults(faultsText, cloudAccount) };
        const result = change(state);
        const after = new Map([...state.stacks].map(([id, stack]) => [id, stackColumn.format(stack)]));
        await writeStacks(query, cloudAccount, { before, after });
        const faultsAfter = faultsColumn.format(state.faults);
        if (faultsAfter !== faultsText) await writeFaults(query, cloudAccount, faultsAfter);
        return result;
      }),
  };
}
