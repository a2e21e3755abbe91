import { expect } from 'vitest';
import { fateOf, fates, keptFrom, removalFates, storeBefore, unmade, type Word } from '../fates.ts';
import type { Life } from '../life.ts';
import { modelWith } from '../models.ts';
import { dataParts, type Part, parts } from '../world.ts';
import type { Verb } from './verb.ts';

const deleting =
  (word: Word): Verb['act'] =>
  async (life, part) => {
    await life.settle('v1', modelWith([part]));
    const before = await storeBefore(life, part);
    const all = await life.releases(null, word === 'none' ? 'keep' : word);
    const releases = word === 'none' ? all.filter(({ kind }) => kind === 'disk') : all;
    const answer = await life.removed(releases);
    const fate = await fateOf(life, part, { before, answer });
    expect(removalFates(life, part, word)).toContain(fate);
    return fate;
  };

/** A store that is being made holds nothing, and is not released: each attempt releases those that are ready by then. */
async function whileMade(life: Life, part: Part): Promise<string> {
  const document = await life.compiled(modelWith([part]));
  await life.apply({ version: 'v1', document, releases: [] });
  await life.untilSeen(part);
  const answer = await life.removed(async () => {
    const usable = new Set((await life.stores()).filter((store) => store.usable).map(({ id }) => id));
    return (await life.releases(null, 'delete')).filter(({ storeId }) => usable.has(storeId));
  });
  expect(answer).toEqual({ accepted: true });
  return unmade(life, part);
}

/** A store was kept, and a new one of the same name is deleted with the stack. */
async function afterKept(life: Life, part: Part): Promise<string> {
  if (life.can.keeps[part] === undefined) return fates.notKept;
  await life.settle('v1', modelWith([part]));
  const before = await storeBefore(life, part);
  await life.settle('v2', modelWith([]), 'keep');
  expect(await keptFrom(life, before)).toHaveLength(1);
  await life.settle('v3', modelWith([part]));
  if ((await life.data(part)) === before.data) return fates.returned;
  expect(await life.removed(await life.releases(null, 'delete'))).toEqual({ accepted: true });
  expect(await keptFrom(life, before)).toHaveLength(1);
  return 'stays kept';
}

export const deletions: readonly Verb[] = [
  {
    does: 'The stack is deleted, `data=keep`',
    guarantee:
      'a deletion of the stack with data=keep keeps it as announced, or is refused and changes nothing',
    parts: dataParts,
    act: deleting('keep'),
  },
  {
    does: 'The stack is deleted, `data=delete`',
    guarantee: 'a deletion of the stack with data=delete leaves nothing of it',
    parts,
    act: deleting('delete'),
  },
  {
    does: 'The stack is deleted, and no request released it',
    guarantee: 'a deletion of the stack without a release keeps it, or is refused and changes nothing',
    parts: dataParts,
    act: deleting('none'),
  },
  {
    does: 'The stack is deleted while it is made',
    guarantee: 'is gone after a deletion of the stack that was making it',
    parts,
    act: whileMade,
  },
  {
    does: 'The stack is deleted, `data=delete`, after an update kept it',
    guarantee: 'stays kept when the stack is deleted later with data=delete',
    parts: dataParts,
    act: afterKept,
  },
];
