import { expect } from 'vitest';
import type { DataChoice } from '../../../../src/model/data-choice.ts';
import { fateOf, fates, keptAs, storeBefore } from '../fates.ts';
import type { Life } from '../life.ts';
import { modelWith, modelWithout } from '../models.ts';
import { dataParts, type Part } from '../world.ts';

/** Tests of several stores or steps. The table has no rows for them. */
export interface Guarantee {
  guarantee: string;
  act: (life: Life) => Promise<void>;
}

const dataPartsOf = ({ can, world: { together = can.has } }: Life): Part[] =>
  dataParts.filter((part) => together.includes(part));

/** Every other part is kept, if the vendor can. */
function alternating(life: Life, all: readonly Part[], first: 0 | 1): Map<Part, DataChoice> {
  const isKept = (part: Part, index: number) => index % 2 === first && life.can.keeps[part] !== undefined;
  return new Map(all.map((part, index) => [part, isKept(part, index) ? 'keep' : 'delete']));
}

async function allStores(life: Life, all: readonly Part[]) {
  await life.settle('v1', modelWith(all));
  const found = new Map<Part, Awaited<ReturnType<typeof storeBefore>>>();
  for (const part of all) found.set(part, await storeBefore(life, part));
  return found;
}

async function expectFates(
  life: Life,
  stores: Awaited<ReturnType<typeof allStores>>,
  choices: ReadonlyMap<Part, DataChoice>,
): Promise<void> {
  for (const [part, before] of stores) {
    const ended = choices.get(part) === 'keep' ? keptAs(life, part) : fates.deleted;
    expect(await fateOf(life, part, { before })).toBe(choices.has(part) ? ended : fates.stays);
  }
}

async function mixedUpdate(life: Life, first: 0 | 1): Promise<void> {
  const all = dataPartsOf(life);
  const stores = await allStores(life, all);
  const [stays = 'database', ...removed] = first === 0 ? all : all.toReversed();
  const choices = alternating(life, removed, first);
  await life.settle('v2', modelWith([stays]), Object.fromEntries(choices));
  await expectFates(life, stores, choices);
}

async function mixedDeletion(life: Life, first: 0 | 1): Promise<void> {
  const all = dataPartsOf(life);
  const stores = await allStores(life, all);
  const choices = alternating(life, all, first);
  const releases = await life.releases(null, Object.fromEntries(choices));
  expect(await life.removed(releases)).toEqual({ accepted: true });
  await expectFates(life, stores, choices);
}

/** Each call is made by another driver, as after a crash. */
async function repeatedUpdate(life: Life): Promise<void> {
  const all = dataPartsOf(life);
  const stores = await allStores(life, all);
  const [part = 'database'] = all;
  const choices = alternating(life, [part], 0);
  const document = await life.compiled(modelWithout(part, all));
  const releases = await life.releases(document, Object.fromEntries(choices));
  const update = { version: 'v2', document, releases };
  await life.apply(update);
  await life.apply(update);
  await life.world.passMoment();
  await life.apply(update);
  expect(await life.update(update)).toEqual({ accepted: true });
  await life.apply(update);
  await life.world.passAll();
  await life.check();
  await expectFates(life, stores, choices);
}

async function repeatedDeletion(life: Life): Promise<void> {
  const all = dataPartsOf(life);
  const stores = await allStores(life, all);
  const choices = alternating(life, all, 0);
  const releases = await life.releases(null, Object.fromEntries(choices));
  await life.remove(releases);
  await life.remove(releases);
  await life.world.passMoment();
  expect(await life.removed(releases)).toEqual({ accepted: true });
  await life.remove(releases);
  await life.world.passAll();
  await life.check();
  await expectFates(life, stores, choices);
}

async function otherStack(life: Life): Promise<void> {
  const all = dataPartsOf(life);
  const other = life.another();
  await allStores(life, all);
  const stores = await allStores(other, all);
  expect(await life.removed(await life.releases(null, 'delete'))).toEqual({ accepted: true });
  await other.check();
  await expectFates(other, stores, new Map());
}

/** A store is first being made, then usable, and stays so while it is changed and removed. */
async function staysUsable(life: Life): Promise<void> {
  const all = dataPartsOf(life);
  const usable = new Set<string>();
  const changed = all.reduce((model, part) => life.can.changes[part](model), modelWith(all));
  for (const [index, model] of [modelWith(all), changed, modelWith([])].entries()) {
    const document = await life.compiled(model);
    const releases = await life.releases(document, 'delete');
    const update = { version: `v${index}`, document, releases };
    await life.apply(update);
    for (let moment = 0; moment < 3; moment += 1) {
      await life.world.passMoment();
      await expectStillUsable(life, usable);
    }
    expect(await life.update(update)).toEqual({ accepted: true });
    await expectStillUsable(life, usable);
  }
  expect(usable.size).toBeGreaterThanOrEqual(all.length);
}

async function expectStillUsable(life: Life, usable: Set<string>): Promise<void> {
  const stores = await life.stores();
  for (const { id } of stores.filter((store) => store.usable)) usable.add(id);
  expect(stores.filter((store) => !store.usable && usable.has(store.id))).toEqual([]);
}

export const guarantees: readonly Guarantee[] = [
  {
    guarantee: 'an update does to each store what was chosen for it, and leaves the others alone',
    act: (life) => mixedUpdate(life, 0),
  },
  {
    guarantee: 'an update does to each store what was chosen for it, with the opposite choices too',
    act: (life) => mixedUpdate(life, 1),
  },
  {
    guarantee: 'a deletion does to each store what was chosen for it',
    act: (life) => mixedDeletion(life, 0),
  },
  {
    guarantee: 'a deletion does to each store what was chosen for it, with the opposite choices too',
    act: (life) => mixedDeletion(life, 1),
  },
  {
    guarantee:
      'an update that is repeated after restarts, in progress and when complete, keeps each store once',
    act: repeatedUpdate,
  },
  {
    guarantee:
      'a deletion that is repeated after restarts, in progress and when complete, keeps each store once',
    act: repeatedDeletion,
  },
  { guarantee: 'a deletion with data=delete touches no store of another stack', act: otherStack },
  {
    guarantee: 'a store that was usable never looks as if it were being made, while it is changed or removed',
    act: staysUsable,
  },
];
