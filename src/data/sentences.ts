import type { DataChoice } from '../model/data-choice.ts';
import { choiceFor, type Fate, isDisk } from './fates.ts';

/** What becomes of one store: the same sentence in previews, refusals, dialogs, replies and events. */
export function sentenceOf(fate: Fate, choice: DataChoice = choiceFor(fate)): string {
  const { store, action, instead, keptAs } = fate;
  const label = `${store.resource_type} ${store.resource} (${store.store_id})`;
  const what = action === 'remove' ? 'is removed' : `is replaced by ${instead}`;
  if (isDisk(store)) return `${label} ${what}. What is only on its disk is lost.`;
  if (choice === 'keep') return `${label} ${what}. Its data is kept: ${keptAs}`;
  if (keptAs !== '') return `${label} ${what}. Its data is deleted.`;
  return `${label} ${what}. Its data is lost: this vendor cannot keep it.`;
}

export const sentencesOf = (fates: readonly Fate[]): string =>
  fates.map((fate) => sentenceOf(fate)).join(' ');

const dataAdvice = (fates: readonly Fate[]): string => {
  const stores = fates.filter(({ store }) => !isDisk(store));
  if (stores.length === 0) return '';
  return stores.every((fate) => choiceFor(fate) === 'keep')
    ? 'To go on as described, repeat the request with ?data=keep (alm: --keep-data). To delete the data too: ?data=delete (alm: --delete-data).'
    : 'Back up first what cannot be kept. To go on and lose it, repeat the request with ?data=delete (alm: --delete-data).';
};

const diskAdvice = (fates: readonly Fate[]): string =>
  fates.some(({ store }) => isDisk(store))
    ? 'To go on and lose what is only on disks, repeat the request with ?servers=replace (alm: --replace-servers).'
    : '';

/** How to go on after a refusal. */
export const adviceFor = (fates: readonly Fate[]): string =>
  [dataAdvice(fates), diskAdvice(fates)].filter((text) => text !== '').join(' ');
