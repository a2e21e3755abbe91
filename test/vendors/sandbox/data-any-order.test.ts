import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Release } from '../../../src/vendors/data.ts';
import { modelWith, replacing } from '../data-contract/models.ts';
import { dataParts } from '../data-contract/world.ts';
import { longEnough, sandboxWorld, stackNamed, viewOf } from './world.ts';

const replaceDatabase = replacing.database ?? ((model) => model);
const models = [
  modelWith([]),
  modelWith(['database']),
  modelWith(dataParts),
  modelWith(['files', 'cache'], 3),
  replaceDatabase(modelWith(dataParts)),
];

/** Which of the stores that exist a request releases, and how: by the position of the store. */
const words = fc.array(fc.constantFrom('keep' as const, 'delete' as const, 'none' as const), {
  minLength: 1,
  maxLength: 5,
});
type Words = ('keep' | 'delete' | 'none')[];

const command = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('apply' as const), model: fc.nat(models.length - 1), words }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), words }) },
  { weight: 2, arbitrary: fc.constant({ do: 'cancel' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('fail' as const), position: fc.integer({ min: 1, max: 9 }) }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('advance' as const), ms: fc.nat(9_000) }) },
);
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

function lives(speed: number) {
  const { clock, driver, ...world } = sandboxWorld(speed);
  const stack = stackNamed('data');
  const on = world.on(stack);
  /** The ids of all data stores that were ever usable, and of those that a request released for deletion. */
  const used = new Set<string>();
  const released = new Set<string>();
  let versions = 0;

  const releasesFor = async (said: Words): Promise<Release[]> =>
    (viewOf(await driver.observe(stack)).stores ?? []).flatMap(({ id, resource, kind }, index) => {
      const word = said[index % said.length] ?? 'none';
      if (word === 'delete') released.add(id);
      return word === 'none' ? [] : [{ storeId: id, resource, kind, choice: word }];
    });

  const act = async (next: Command): Promise<void> => {
    if (next.do === 'advance') clock.advance(next.ms);
    if (next.do === 'fail') await on.inject({ kind: 'fail_resource', position: next.position });
    if (next.do === 'cancel') await driver.cancelUpdate(stack, `v${versions}`);
    if (next.do === 'remove')
      await driver.remove(stack, { releases: await releasesFor(next.words), intent: `delete ${++versions}` });
    if (next.do === 'apply')
      await on.apply(models[next.model] ?? modelWith([]), `v${++versions}`, await releasesFor(next.words));
  };

  const check = async (): Promise<void> => {
    const stores = viewOf(await driver.observe(stack)).stores ?? [];
    for (const { id } of stores.filter(({ kind, usable }) => kind !== 'disk' && usable)) used.add(id);
    const kept = (await driver.listKept?.(stack))?.map(({ storeId }) => storeId) ?? [];
    expect(new Set(kept).size).toBe(kept.length);
    const safe = new Set([...stores.map(({ id }) => id), ...kept, ...released]);
    expect([...used].filter((id) => !safe.has(id))).toEqual([]);
  };
  return { act, check, clock };
}

it.each([0, 1])(
  'whatever is requested and fails, data that was in use exists, is kept once, or was released for deletion, at speed %d',
  async (speed) => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 20 }), async (commands) => {
        const { act, check, clock } = lives(speed);
        for (const next of commands) {
          await act(next);
          await check();
        }
        clock.advance(longEnough);
        await check();
      }),
      { numRuns: 150 },
    );
  },
);

it('an update that is cancelled at any time either stops and leaves all data as it was, or says that it is too late', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(40_000), async (ms) => {
      const { clock, driver, ...world } = sandboxWorld();
      const stack = stackNamed('cancelled');
      const on = world.on(stack);
      const dataIds = async () =>
        (viewOf(await driver.observe(stack)).stores ?? [])
          .filter(({ kind }) => kind !== 'disk')
          .map(({ id }) => id);
      await on.apply(modelWith(dataParts), 'v1');
      clock.advance(longEnough);
      const before = await dataIds();
      await on.apply(modelWith(['database'], 3), 'v2');
      clock.advance(ms);
      const answer = await driver.cancelUpdate(stack, 'v2');
      clock.advance(longEnough);
      if (answer.cancelled) {
        expect(await dataIds()).toEqual(before);
        expect(await driver.listKept?.(stack)).toEqual([]);
      } else expect(answer.reason).not.toBe('');
    }),
    { numRuns: 100 },
  );
});
