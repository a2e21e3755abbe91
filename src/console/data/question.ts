import type { ErrorBody } from '../../contract/error-body.ts';
import { CallFailed } from '../api/failure.ts';

export type AskedStore = NonNullable<ErrorBody['stores']>[number];

/** What the service asks before it does something to data. */
export type Question = Readonly<Required<Pick<ErrorBody, 'stores' | 'returning'>>>;

/** The question of a refusal; null if it is another error. */
export function questionOf(error: unknown): Question | null {
  if (!(error instanceof CallFailed)) return null;
  const { stores = [], returning = [] } = error.body ?? {};
  return stores.length + returning.length > 0 ? { stores, returning } : null;
}

/** One thing to decide: a store, or everything that one parameter decides. */
export interface Decision {
  id: string;
  title: string;
  /** Each has the parameter that chooses it, and what becomes of the data, in the words of the service. */
  options: readonly { parameter: string; sentences: readonly string[] }[];
}

interface Asked {
  confirm: readonly string[];
  sentences: readonly string[];
}

const together = (id: string, title: string, stores: readonly Asked[]): Decision[] => {
  const [longest] = stores.toSorted((one, other) => other.confirm.length - one.confirm.length);
  if (!longest) return [];
  const options = longest.confirm.map((parameter) => ({
    parameter,
    // A store without this choice has only one.
    sentences: stores.flatMap(
      ({ confirm, sentences }) => sentences[confirm.indexOf(parameter)] ?? sentences[0] ?? [],
    ),
  }));
  return [{ id, title, options }];
};

const isDisk = ({ confirm }: AskedStore): boolean => confirm.includes('servers=replace');

export const decisionsOf = ({ stores, returning }: Question): Decision[] => [
  ...together('restore', 'Data of an earlier time', returning),
  ...stores.filter((store) => !isDisk(store)).flatMap((store) => together(store.id, store.resource, [store])),
  ...together('servers', 'Disks of servers', stores.filter(isDisk)),
];

/** What the user says about data. */
export interface Word {
  /** `keep` or `delete`, by the id of the store. */
  data?: Readonly<Record<string, string>>;
  servers?: 'replace';
  /** `latest` or `empty`. */
  restore?: string;
}

/** The word with the parameter that was chosen for a decision. */
export function withChoice(word: Word, { id }: Pick<Decision, 'id'>, parameter: string): Word {
  const [name, value = ''] = parameter.split('=');
  if (name === 'data') return { ...word, data: { ...word.data, [id]: value } };
  return name === 'servers' ? { ...word, servers: 'replace' } : { ...word, restore: value };
}

const isKeptWhole = (data: NonNullable<Word['data']>): boolean =>
  Object.values(data).every((choice) => choice === 'keep');

/** `<id>:keep,<id>:delete` */
export const eachStore = (data: NonNullable<Word['data']>): string =>
  Object.entries(data)
    .map(([id, choice]) => `${id}:${choice}`)
    .join(',');

/** The parameters of the request. A deletion of data names each store: it was read for these, and for no other. */
export const queryOf = ({ data, ...others }: Word = {}) => ({
  ...others,
  ...(data ? { data: isKeptWhole(data) ? 'keep' : eachStore(data) } : {}),
});

/** The same for `alm`, each with a space before it. */
export function flagsOf({ data, servers, restore }: Word = {}): string {
  const stores = data
    ? isKeptWhole(data)
      ? [' --keep-data']
      : Object.entries(data).map(([id, choice]) => ` --data ${id}=${choice}`)
    : [];
  return [...stores, servers ? ' --replace-servers' : '', restore ? ` --restore ${restore}` : ''].join('');
}
