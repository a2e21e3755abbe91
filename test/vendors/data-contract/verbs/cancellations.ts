import { expect } from 'vitest';
import { type Before, fateOf, fates, removalFates, storeBefore, unmade } from '../fates.ts';
import type { Life } from '../life.ts';
import { modelWith, modelWithout } from '../models.ts';
import { type Part, parts } from '../world.ts';
import type { Verb } from './verb.ts';

/** What a caller says about a part that an update removes. */
const wordFor = (life: Life, part: Part) => (life.can.keeps[part] === undefined ? 'delete' : 'keep');

/** Starts an update that removes the part. */
async function startRemoval(life: Life, part: Part) {
  await life.settle('v1', modelWith([part]));
  const before = await storeBefore(life, part);
  const document = await life.compiled(modelWithout(part));
  const releases = await life.releases(document, wordFor(life, part));
  await life.begin({ version: 'v2', document, releases });
  await life.world.passMoment();
  return before;
}

/** The vendor says that the update can no longer be cancelled, and the update ends as announced. */
async function goesOn(life: Life, part: Part, before: Before): Promise<string> {
  expect(await life.cancel('v2')).toEqual({ cancelled: false, reason: expect.stringMatching(/./) });
  const word = wordFor(life, part);
  await life.settle('v2', modelWithout(part), word);
  expect(removalFates(life, part, word)).toContain(await fateOf(life, part, { before }));
  return fates.refused;
}

async function inProgress(life: Life, part: Part): Promise<string> {
  const before = await startRemoval(life, part);
  if (life.can.removesFirst) return goesOn(life, part, before);
  expect(await life.cancel('v2')).toEqual({ cancelled: true });
  expect(await life.cancel('v2')).toEqual({ cancelled: true });
  await life.world.passAll();
  expect(await life.cancel('v2')).toEqual({ cancelled: true });
  await life.settle('v1', modelWith([part]));
  const fate = await fateOf(life, part, { before });
  expect(fate).toBe(fates.stays);
  return fate;
}

async function neverStarted(life: Life, part: Part): Promise<string> {
  await life.settle('v1', modelWith([part]));
  const before = await storeBefore(life, part);
  expect(await life.cancel('v2')).toEqual({ cancelled: true });
  expect(await life.observe()).toMatchObject({ kind: 'settled', version: 'v1' });
  const fate = await fateOf(life, part, { before });
  expect(fate).toBe(fates.stays);
  return fate;
}

async function tooLate(life: Life, part: Part): Promise<string> {
  await life.settle('v1', modelWith([part]));
  const before = await storeBefore(life, part);
  const word = wordFor(life, part);
  await life.settle('v2', modelWithout(part), word);
  const answer = await life.cancel('v2');
  if (!answer.cancelled) {
    expect(answer.reason).not.toBe('');
    expect(removalFates(life, part, word)).toContain(await fateOf(life, part, { before }));
    return fates.refused;
  }
  await life.settle('v1', modelWith([part]));
  expect(await life.data(part)).toBe(before.data);
  return fates.returned;
}

async function whileMade(life: Life, part: Part): Promise<string> {
  await life.settle('v1', modelWith([]));
  const document = await life.compiled(modelWith([part], 4));
  await life.apply({ version: 'v2', document, releases: [] });
  await life.untilSeen(part);
  expect(await life.cancel('v2')).toEqual({ cancelled: true });
  await life.world.passAll();
  await life.settle('v1', modelWith([]));
  return unmade(life, part);
}

/** The update is not cancelled, but the next version has the part again. */
async function overtaken(life: Life, part: Part): Promise<string> {
  const before = await startRemoval(life, part);
  await life.settle('v3', modelWith([part]), wordFor(life, part));
  const fate = await fateOf(life, part, { before });
  if (wordFor(life, part) === 'keep') expect(fate).not.toBe(fates.replaced);
  return fate;
}

export const cancellations: readonly Verb[] = [
  {
    does: 'An update that removes it is cancelled in progress',
    guarantee:
      'is the same after an update that removes it was cancelled in progress, however often, or the cancellation is refused',
    parts,
    act: inProgress,
  },
  {
    does: 'An update that removes it is cancelled before it starts',
    guarantee: 'is not touched by cancelling an update that was never started',
    parts,
    act: neverStarted,
  },
  {
    does: 'An update that removed it is cancelled too late',
    guarantee: 'is never said to be safe by a cancellation that comes too late to give it back',
    parts,
    act: tooLate,
  },
  {
    does: 'An update that adds it is cancelled in progress',
    guarantee: 'is gone after the update that was making it was cancelled, and nothing else is',
    parts,
    act: whileMade,
  },
  {
    does: 'An update that removes it (`data=keep`, if that is possible) is overtaken by one that has it',
    guarantee:
      'is the same or kept, if it can be, after an update that removes it was overtaken in progress by one that has it',
    parts,
    act: overtaken,
  },
];
