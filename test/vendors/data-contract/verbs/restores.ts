import { expect } from 'vitest';
import { type Before, fates, keptAs, keptFrom, storeBefore } from '../fates.ts';
import type { Life } from '../life.ts';
import { modelWith } from '../models.ts';
import { dataParts, type Part } from '../world.ts';
import type { Verb } from './verb.ts';

/** The document of a stack whose part is made from what was kept. */
async function restoring(life: Life, part: Part, reference: string) {
  const { vendor } = life.world;
  const document = await life.compiled(modelWith([part]));
  const restored = vendor.restore?.(document, new Map([[await life.resourceOf(part), reference]]));
  expect(restored).toBeDefined();
  return restored ?? document;
}

/** A vendor that cannot restore a part says so before anything is made. */
async function refuses(life: Life, part: Part): Promise<string> {
  if (life.world.vendor.restore) await expect(restoring(life, part, 'kept')).rejects.toThrow();
  return fates.refused;
}

async function restoredFrom(kept: { life: Life; before: Before }, life: Life, part: Part): Promise<void> {
  const [found, ...more] = await keptFrom(kept.life, kept.before);
  expect(more).toEqual([]);
  expect(found).toMatchObject({ reference: expect.stringMatching(/./), where: expect.stringMatching(/./) });
  const document = await restoring(life, part, found?.reference ?? '');
  const releases = await life.releases(document, 'keep');
  expect(await life.update({ version: 'v3', document, releases })).toEqual({ accepted: true });
  expect(await life.data(part)).toBe(kept.before.data);
}

async function inItsStack(life: Life, part: Part): Promise<string> {
  if (life.can.keeps[part] === undefined) return fates.notKept;
  if (!life.can.restores.includes(part)) return refuses(life, part);
  await life.settle('v1', modelWith([part]));
  const before = await storeBefore(life, part);
  await life.settle('v2', modelWith([]), 'keep');
  await restoredFrom({ life, before }, life, part);
  const { id } = await storeBefore(life, part);
  // Later documents know nothing of the restore, and must not undo it.
  await life.settle('v4', life.can.changes[part](modelWith([part], 2)));
  expect(await storeBefore(life, part)).toEqual({ id, data: before.data });
  return fates.restored;
}

async function inAnotherStack(life: Life, part: Part): Promise<string> {
  if (life.can.keeps[part] === undefined) return fates.notKept;
  if (!life.can.restores.includes(part)) return refuses(life, part);
  await life.settle('v1', modelWith([part]));
  const before = await storeBefore(life, part);
  expect(await life.removed(await life.releases(null, 'keep'))).toEqual({ accepted: true });
  await restoredFrom({ life, before }, life.another(), part);
  return fates.restored;
}

/** Restoring over a store that is in use leaves it alone, or replaces it and says so before. */
async function overItself(life: Life, part: Part): Promise<string> {
  if (life.can.keeps[part] === undefined) return fates.notKept;
  if (!life.can.restores.includes(part)) return refuses(life, part);
  const other = life.another();
  await other.settle('v1', modelWith([part]));
  const kept = await storeBefore(other, part);
  expect(await other.removed(await other.releases(null, 'keep'))).toEqual({ accepted: true });
  await life.settle('v1', modelWith([part]));
  const before = await storeBefore(life, part);
  const [found] = await keptFrom(other, kept);
  const document = await restoring(life, part, found?.reference ?? '');
  const releases = await life.releases(document, 'keep');
  expect(await life.update({ version: 'v2', document, releases })).toEqual({ accepted: true });
  expect(await life.data(part)).toBe(releases.length === 0 ? before.data : kept.data);
  return releases.length === 0 ? fates.stays : `${fates.restored}, ${keptAs(life, part)}`;
}

export const restores: readonly Verb[] = [
  {
    does: 'It is restored in its stack after an update kept it',
    guarantee:
      'has its content again when it is restored after an update removed it, also after later updates',
    parts: dataParts,
    act: inItsStack,
  },
  {
    does: 'It is restored in another stack after its stack was deleted',
    guarantee: 'has its content again when another stack restores it after its own was deleted',
    parts: dataParts,
    act: inAnotherStack,
  },
  {
    does: 'A restore of other data names it while it is in use',
    guarantee:
      'stays when it is restored from other data while in use, or is kept and the vendor says so before',
    parts: dataParts,
    act: overItself,
  },
];
