import { sql } from 'kysely';
import { prebuilt } from '../database/built/prebuilt.ts';
import type { Database, Query } from '../database/database.ts';
import { JsonColumn } from '../database/json-column.ts';

/** The state of one simulated cloud account. Its records are opaque to the store. */
interface SandboxState<Stack, Faults> {
  stacks: Map<string, Stack>;
  faults: Faults;
}

/** The stacks, and in a row without the id of one the faults, if there are any. */
const recordsOf = prebuilt((query, { account }: { account: string }) =>
  query
    .selectFrom('sandbox_stacks')
    .select(['stack_id', 'record'])
    .where('cloud_account', '=', account)
    .unionAll(
      query
        .selectFrom('sandbox_faults')
        .select([sql<string>`''`.as('stack_id'), 'record'])
        .where('cloud_account', '=', account),
    ),
);

async function readAccount(query: Query, account: string) {
  const stacks = new Map<string, string>();
  let faults: string | undefined;
  for (const { stack_id, record } of await recordsOf.all(query, { account }))
    if (stack_id === '') faults = record;
    else stacks.set(stack_id, record);
  return { stacks, faults };
}

const faultsOf = prebuilt((query, { account }: { account: string }) =>
  query.selectFrom('sandbox_faults').select('record').where('cloud_account', '=', account),
);

const readFaultsText = async (query: Query, account: string): Promise<string | undefined> =>
  (await faultsOf.first(query, { account }))?.record;

/** Both in one query: every look at a stack needs both. */
const oneStack = prebuilt((query, { account, stackId }: { account: string; stackId: string }) =>
  query.selectNoFrom((select) => [
    select
      .selectFrom('sandbox_stacks')
      .select('record')
      .where('cloud_account', '=', account)
      .where('stack_id', '=', stackId)
      .as('stack'),
    select.selectFrom('sandbox_faults').select('record').where('cloud_account', '=', account).as('faults'),
  ]),
);

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

interface StackRecord {
  cloud_account: string;
  stack_id: string;
  record: string;
}

const saving = prebuilt((query, row: StackRecord) =>
  query
    .insertInto('sandbox_stacks')
    .values({ cloud_account: row.cloud_account, stack_id: row.stack_id, record: row.record, revision: 0 })
    .onConflict((conflict) =>
      conflict.columns(['cloud_account', 'stack_id']).doUpdateSet((before) => ({
        record: row.record,
        revision: before('sandbox_stacks.revision', '+', 1),
      })),
    ),
);

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
      await saving.change(query, { cloud_account: cloudAccount, stack_id: stackId, record });
}

const writeFaults = async (query: Query, cloudAccount: string, record: string): Promise<void> => {
  await query
    .insertInto('sandbox_faults')
    .values({ cloud_account: cloudAccount, record })
    .onConflict((conflict) => conflict.column('cloud_account').doUpdateSet({ record }))
    .execute();
};

const maxKnown = 100;

/** Records that were parsed lately, by their text: a change of one stack reads all others of the account. */
class ParsedRecords<Stack> {
  readonly #column = new JsonColumn<Stack>('sandbox_stacks.record');
  readonly #known = new Map<string, Stack>();

  fresh(text: string, id: string): Stack {
    return this.#column.parse(text, id);
  }

  /** Must not be changed. */
  shared(text: string, id: string): Stack {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const parsed = this.#column.parse(text, id);
    if (this.#known.size >= maxKnown) this.#known.clear();
    this.#known.set(text, parsed);
    return parsed;
  }

  format(stack: Stack): string {
    return this.#column.format(stack);
  }
}

/** The stacks of an account during a change of one of them, or of any. */
function openStacks<Stack>(
  records: ParsedRecords<Stack>,
  before: ReadonlyMap<string, string>,
  only: string | undefined,
) {
  const mayChange = (id: string): boolean => only === undefined || id === only;
  const parse = (text: string, id: string): Stack =>
    mayChange(id) ? records.fresh(text, id) : records.shared(text, id);
  const format = (stack: Stack, id: string): string =>
    (mayChange(id) ? undefined : before.get(id)) ?? records.format(stack);
  return {
    stacks: new Map([...before].map(([id, text]) => [id, parse(text, id)])),
    textsOf: (stacks: ReadonlyMap<string, Stack>) =>
      new Map([...stacks].map(([id, stack]) => [id, format(stack, id)])),
  };
}

/** Keeps the simulated cloud in the database, so that it survives a crash of the server as a real cloud would. */
export function storedSandboxCloud<Stack, Faults>(database: Database, noFaults: () => Faults) {
  const records = new ParsedRecords<Stack>();
  const faultsColumn = new JsonColumn<Faults>('sandbox_faults.record');

  const parseFaults = (text: string | null | undefined, cloudAccount: string): Faults =>
    text === undefined || text === null ? noFaults() : faultsColumn.parse(text, cloudAccount);

  return {
    async read(cloudAccount: string, stackId: string): Promise<{ stack: Stack | undefined; faults: Faults }> {
      const row = await oneStack.first(database.query, { account: cloudAccount, stackId });
      const stack = typeof row?.stack === 'string' ? records.fresh(row.stack, stackId) : undefined;
      return { stack, faults: parseFaults(row?.faults, cloudAccount) };
    },

    readFaults: async (cloudAccount: string): Promise<Faults> =>
      parseFaults(await readFaultsText(database.query, cloudAccount), cloudAccount),

    readRevisions: (cloudAccount: string): Promise<ReadonlyMap<string, number>> =>
      readRevisions(database.query, cloudAccount),

    change: <T>(
      cloudAccount: string,
      change: (state: SandboxState<Stack, Faults>) => T,
      only?: string,
    ): Promise<T> =>
      database.transaction(async (query) => {
        await database.lock(query, `sandbox ${cloudAccount}`);
        const before = await readAccount(query, cloudAccount);
        const { stacks, textsOf } = openStacks(records, before.stacks, only);
        const state = { stacks, faults: parseFaults(before.faults, cloudAccount) };
        const result = change(state);
        await writeStacks(query, cloudAccount, { before: before.stacks, after: textsOf(state.stacks) });
        const faultsAfter = faultsColumn.format(state.faults);
        if (faultsAfter !== before.faults) await writeFaults(query, cloudAccount, faultsAfter);
        return result;
      }),
  };
}
