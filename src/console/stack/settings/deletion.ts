import type { AskedStore } from '../../data/question.ts';
import { eachStore } from '../../data/question.ts';

export const dataChoices = {
  keep: 'Keep it where the vendor can',
  delete: 'Delete it too',
} as const;

export type DataChoice = keyof typeof dataChoices;

const offers = ({ confirm }: Pick<AskedStore, 'confirm'>, choice: DataChoice): boolean =>
  confirm.includes(`data=${choice}`);

type Affected = Pick<AskedStore, 'id' | 'confirm'>;

/** Empty: there is nothing to choose. */
export const choicesFor = (stores: readonly Affected[]): DataChoice[] =>
  (Object.keys(dataChoices) as DataChoice[]).filter((choice) =>
    stores.some((store) => offers(store, choice)),
  );

/** The parameter for a choice; stores that cannot be kept are named. Undefined: no store needs it. */
export function dataParameter(stores: readonly Affected[], choice: DataChoice): string | undefined {
  const withData = stores.filter((store) => offers(store, 'delete'));
  const each = withData.map((store) => [store.id, offers(store, choice) ? choice : 'delete'] as const);
  const [first] = each;
  if (!first) return undefined;
  return each.every(([, value]) => value === first[1]) ? first[1] : eachStore(Object.fromEntries(each));
}

/** The same for `alm`. */
export const flagsFor = (parameter: string | undefined): string[] => {
  if (parameter === undefined || parameter === 'keep') return [];
  if (parameter === 'delete') return ['--delete-data'];
  return parameter.split(',').map((each) => `--data ${each.replace(':', '=')}`);
};
