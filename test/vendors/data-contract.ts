import { afterAll, describe, expect, it } from 'vitest';
import { fates } from './data-contract/fates.ts';
import { Life } from './data-contract/life.ts';
import { modelWith } from './data-contract/models.ts';
import { DataTable } from './data-contract/table.ts';
import { cancellations } from './data-contract/verbs/cancellations.ts';
import { deletions } from './data-contract/verbs/deletions.ts';
import { restores } from './data-contract/verbs/restores.ts';
import { guarantees } from './data-contract/verbs/together.ts';
import { updates } from './data-contract/verbs/updates.ts';
import type { Verb } from './data-contract/verbs/verb.ts';
import type { DataWorld, Part } from './data-contract/world.ts';

export type { DataWorld, Part } from './data-contract/world.ts';

const verbs: readonly Verb[] = [...updates, ...cancellations, ...deletions, ...restores];

const names: Readonly<Record<Part, string>> = {
  database: 'a database',
  cache: 'a Redis cache',
  files: 'the persistent files of a server',
  shared: 'the shared files of a layer',
  disk: 'the disk of a server',
};

const allParts = Object.keys(names) as Part[];

/** A part that a vendor does not have is refused before anything is made. */
async function isNotOffered(life: Life, part: Part): Promise<string> {
  expect(await life.offer(modelWith([part]))).toMatchObject({ ok: false });
  return fates.notOffered;
}

/**
 * For every vendor: no data is lost unless a caller asked for exactly that, and the vendor says before what it does. Each test looks
 * at the vendor from outside the driver. The results are the table of docs/data.md: ALM_WRITE_DATA_TABLE=1 writes the vendor's part.
 * `some`: the parts that are tested on a slow vendor unless ALM_DATA_CONTRACT is `all`.
 */
export function dataContract(
  name: string,
  makeWorld: () => DataWorld | Promise<DataWorld>,
  some: readonly Part[] = allParts,
): void {
  const tested = process.env['ALM_DATA_CONTRACT'] === 'all' ? allParts : some;
  const table = new DataTable(verbs.map(({ does }) => does));
  const start = async () => new Life(await makeWorld());

  describe(`data on ${name}`, () => {
    for (const { does, guarantee, parts, act } of verbs)
      for (const part of parts.filter((each) => tested.includes(each)))
        it(`${names[part]}: ${guarantee}`, async () => {
          const life = await start();
          const fate = life.can.has.includes(part) ? await act(life, part) : await isNotOffered(life, part);
          table.note(life.world.vendor.name, { verb: does, part, fate });
        });
    for (const { guarantee, act } of guarantees)
      it(guarantee, async ({ skip }) => {
        const life = await start();
        skip(life.world.together?.length === 0);
        await act(life);
      });
    afterAll(() => table.publish());
  });
}
