import type { Database } from '../../store/database/database.ts';
import { Remembered } from '../../store/database/remembered.ts';
import type { StackFilter } from '../../store/stacks/stacks.ts';

/** In characters. What is kept in memory is a few times as large. */
export const keptBounds = {
  max: 1000,
  maxSize: 4_000_000,
  sizeOf: (value: object) => JSON.stringify(value).length,
};

/** Longer pages would take too much memory. */
const maxListed = 200;

interface Page<Row> {
  accountId: string;
  filter: StackFilter;
  read: () => Promise<readonly Row[]>;
}

/** Pages of stacks of an account, visible to a caller or not, for as long as no stack and no version changes. */
export class RememberedPages<Row> {
  readonly #pages = new Remembered<readonly Row[] | undefined>(['stacks', 'versions'], keptBounds);

  async read(database: Database, { accountId, filter, read }: Page<Row>): Promise<readonly Row[]> {
    let listed: readonly Row[] = [];
    const kept = await this.#pages.read(database, `${accountId} ${JSON.stringify(filter)}`, async () => {
      listed = await read();
      return listed.length > maxListed ? undefined : listed;
    });
    return kept ?? listed;
  }
}
