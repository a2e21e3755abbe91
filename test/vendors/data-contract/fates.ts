import { expect } from 'vitest';
import type { DataChoice } from '../../../src/model/data-choice.ts';
import type { KeptStore } from '../../../src/vendors/data.ts';
import type { Answer } from '../../../src/vendors/vendor.ts';
import type { Life } from './life.ts';
import type { Part } from './world.ts';

/** A store before a step. */
export interface Before {
  id: string;
  data: string;
}

/** The store of a part, which must exist. */
export async function storeBefore(life: Life, part: Part): Promise<Before> {
  const id = (await life.storeOf(part))?.id;
  const data = await life.data(part);
  expect(id).toBeDefined();
  expect(data).toBeDefined();
  return { id: id ?? '', data: data ?? '' };
}

export const keptFrom = async (life: Life, { id }: Pick<Before, 'id'>): Promise<readonly KeptStore[]> =>
  (await life.listKept()).filter(({ storeId }) => storeId === id);

/** Words for what happened to a store, as the table in docs/data.md has them. */
export const fates = {
  stays: 'stays',
  changed: 'changed in place',
  deleted: 'deleted',
  replaced: 'replaced by an empty one',
  refused: 'refused',
  restored: 'restored',
  returned: 'has its data again',
  neverReplaced: 'no update replaces it',
  notOffered: 'not offered',
  notKept: 'nothing is kept',
} as const;

export const keptAs = (life: Life, part: Part): string => `kept as ${life.can.keeps[part]}`;

/** What happened to a store. Looks at the vendor from outside; nothing is kept twice. */
export async function fateOf(
  life: Life,
  part: Part,
  { before, answer = { accepted: true } }: { before: Before; answer?: Answer },
): Promise<string> {
  if (!answer.accepted) expect(answer.reason).not.toBe('');
  const data = await life.data(part);
  const kept = await keptFrom(life, before);
  expect(kept.length).toBeLessThan(2);
  const isKept = kept.length === 1;
  if (data === before.data) {
    expect(isKept).toBe(false);
    return answer.accepted ? fates.stays : fates.refused;
  }
  if (data === undefined) return isKept ? keptAs(life, part) : fates.deleted;
  return isKept ? `${fates.replaced}, ${keptAs(life, part)}` : fates.replaced;
}

/** What is left of a store that never was in use: at most something kept. */
export async function unmade(life: Life, part: Part): Promise<string> {
  expect(await life.data(part)).toBeUndefined();
  const kept = await life.listKept();
  expect(kept.length).toBeLessThan(2);
  return kept.length === 1 ? keptAs(life, part) : fates.deleted;
}

/** What a caller says. `none`: only disks are released. */
export type Word = DataChoice | 'none';

/** The fates that a part may have when its store is removed. */
export function removalFates(life: Life, part: Part, word: Word): string[] {
  if (word === 'delete') return [fates.deleted];
  const kept = life.can.keeps[part] === undefined ? [] : [keptAs(life, part)];
  if (word === 'keep' && kept.length > 0) return kept;
  return [...kept, fates.refused];
}

/** Whether the vendor says that it keeps the data of a store, before it is asked to. */
export async function saysItKeeps(life: Life, part: Part): Promise<boolean> {
  const { vendor } = life.world;
  const store = await life.storeOf(part);
  expect(store).toBeDefined();
  if (!store) return false;
  const sentence = vendor.keptAs({ stackId: life.stack.id, store, document: life.document });
  return sentence !== '';
}
