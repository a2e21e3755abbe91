import { expect } from 'vitest';
import type { StackModel } from '../../../../src/model/stack-model.ts';
import { fateOf, fates, removalFates, saysItKeeps, storeBefore, type Word } from '../fates.ts';
import type { Life } from '../life.ts';
import { modelWith, modelWithout } from '../models.ts';
import { dataParts, type Part, parts } from '../world.ts';
import type { Verb } from './verb.ts';

/** An update of a stack that has the part, and the fate of its store; undefined: the vendor does not accept the document. */
async function updated(life: Life, part: Part, { model, word }: { model: StackModel; word: Word }) {
  const before = await storeBefore(life, part);
  const outcome = await life.offer(model);
  if (!outcome.ok) {
    expect(outcome.problems).not.toEqual([]);
    return undefined;
  }
  const document = outcome.value;
  const isNamed = (await life.ending(document)).some(({ id }) => id === before.id);
  const all = await life.releases(document, word === 'none' ? 'keep' : word);
  const releases = word === 'none' ? all.filter(({ kind }) => kind === 'disk') : all;
  const answer = await life.update({ version: 'v2', document, releases });
  return { fate: await fateOf(life, part, { before, answer }), isNamed };
}

const removing =
  (word: Word): Verb['act'] =>
  async (life, part) => {
    await life.settle('v1', modelWith([part]));
    expect(await saysItKeeps(life, part)).toBe(life.can.keeps[part] !== undefined);
    const result = await updated(life, part, { model: modelWithout(part), word });
    expect(result?.isNamed).toBe(true);
    expect(removalFates(life, part, word)).toContain(result?.fate);
    return result?.fate ?? fates.refused;
  };

/** What a replacement makes of a store that a removal would make this of. */
function inReplacement(fate: string): string {
  if (fate === fates.refused) return fate;
  return fate === fates.deleted ? fates.replaced : `${fates.replaced}, ${fate}`;
}

const replacing =
  (word: Word): Verb['act'] =>
  async (life, part) => {
    const change = life.can.replaces[part];
    if (!change) return fates.neverReplaced;
    await life.settle('v1', modelWith([part]));
    const result = await updated(life, part, { model: change(modelWith([part])), word });
    if (!result) return fates.refused;
    expect(result.isNamed).toBe(true);
    expect(removalFates(life, part, word).map(inReplacement)).toContain(result.fate);
    return result.fate;
  };

async function changing(life: Life, part: Part): Promise<string> {
  await life.settle('v1', modelWith([part]));
  const model = life.can.changes[part](modelWith([part]));
  const result = await updated(life, part, { model, word: 'none' });
  if (!result) return fates.refused;
  const isReplaced = part === 'disk' && !life.can.growsDisks;
  expect(result).toEqual({ isNamed: isReplaced, fate: isReplaced ? fates.replaced : fates.stays });
  return isReplaced ? result.fate : fates.changed;
}

async function replacingServer(life: Life, part: Part): Promise<string> {
  const change = life.can.replaces.disk;
  if (!change) return fates.neverReplaced;
  await life.settle('v1', modelWith([part]));
  const { filesOutliveServers } = life.can;
  const word = filesOutliveServers ? 'none' : 'delete';
  const result = await updated(life, part, { model: change(modelWith([part])), word });
  if (!result) return fates.refused;
  const fate = filesOutliveServers ? fates.stays : fates.replaced;
  expect(result).toEqual({ isNamed: !filesOutliveServers, fate });
  return fate;
}

export const updates: readonly Verb[] = [
  {
    does: 'An update removes it, `data=keep`',
    guarantee:
      'an update that removes it with data=keep keeps it as announced, or is refused and changes nothing',
    parts: dataParts,
    act: removing('keep'),
  },
  {
    does: 'An update removes it, `data=delete` (a disk: `servers=replace`)',
    guarantee: 'an update that removes it with data=delete leaves nothing of it',
    parts,
    act: removing('delete'),
  },
  {
    does: 'An update removes it, and no request released it',
    guarantee: 'an update that removes it without a release keeps it, or is refused and changes nothing',
    parts: dataParts,
    act: removing('none'),
  },
  {
    does: 'An update replaces it, `data=keep`',
    guarantee:
      'an update that replaces it with data=keep says so before and keeps the former data, or is refused',
    parts: dataParts,
    act: replacing('keep'),
  },
  {
    does: 'An update replaces it, `data=delete` (a disk: `servers=replace`)',
    guarantee:
      'an update that replaces it with data=delete says so before and leaves nothing of the former data',
    parts,
    act: replacing('delete'),
  },
  {
    does: 'An update replaces it, and no request released it',
    guarantee: 'an update that replaces it without a release keeps the former data, or is refused',
    parts: dataParts,
    act: replacing('none'),
  },
  {
    does: 'An update enlarges it, or changes what uses it',
    guarantee:
      'an update that changes it in place needs no release and keeps its data, or says before that it replaces it',
    parts,
    act: changing,
  },
  {
    does: 'An update replaces the server that uses it',
    guarantee: 'an update that replaces its server leaves it as it is, or says before that it replaces both',
    parts: ['files'],
    act: replacingServer,
  },
];
