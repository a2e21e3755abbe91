import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { QueryOf, SuccessOf } from '../../contract/route.ts';
import type { listData } from '../../contract/v3/data.ts';
import { exchange } from '../api/call.ts';
import { readAgain } from '../api/read.ts';
import { after } from '../clock.ts';
import type { Tone } from '../parts/status/status.ts';
import { useStackList } from '../stacks/stack-list.ts';

export type DataStore = SuccessOf<typeof listData>[number];
type Query = QueryOf<typeof listData>;
type State = DataStore['state'];
type Kind = DataStore['kind'];

export const states: Readonly<Record<State, { tone: Tone; word: string }>> = {
  expected: { tone: 'work', word: 'Expected' },
  in_use: { tone: 'good', word: 'In use' },
  kept: { tone: 'warn', word: 'Kept' },
  forgotten: { tone: 'none', word: 'Forgotten' },
  gone: { tone: 'none', word: 'Gone' },
  lost: { tone: 'bad', word: 'Lost' },
};

export const kinds: Readonly<Record<Kind, string>> = {
  database: 'Database',
  cache: 'Cache',
  files: 'Files',
  disk: 'Disk',
};

/** What the address of the page may say. */
export type Search = Readonly<Record<string, string>>;

const isState = (text: string): text is State => Object.hasOwn(states, text);
const isKind = (text: string): text is Kind => Object.hasOwn(kinds, text);

export function filtersOf({ stack_id, state = '', kind = '' }: Search): Query {
  return {
    ...(stack_id ? { stack_id } : {}),
    ...(isState(state) || state === 'all' ? { state } : {}),
    ...(isKind(kind) ? { kind } : {}),
  };
}

/** The same as a command. */
export function commandOf(search: Search): string {
  const { stack_id: stack, state, kind } = filtersOf(search);
  const flags = Object.entries({ stack, state, kind }).filter(([, value]) => value);
  return ['alm data list', ...flags.map(([name, value]) => `--${name} ${value}`)].join(' ');
}

const path = '/v3/alm/data';
const pageSize = 100;

interface StorePage {
  stores: readonly DataStore[];
  /** Where the older ones begin; null: there are none. */
  next: string | null;
}

export const useStores = (search: Search): UseQueryResult<StorePage> => {
  const { cursor } = search;
  const query = { ...filtersOf(search), limit: pageSize, ...(cursor ? { cursor } : {}) };
  return useQuery({
    queryKey: [path, query],
    queryFn: async ({ signal }) => {
      const { body, headers } = await exchange<typeof listData>('GET', path, { query, signal });
      return { stores: body, next: headers.get('x-next-cursor') };
    },
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
};

export const readStoresAgain = (): Promise<void> => readAgain(path);

/** Many stacks may change at once. */
const rereadAfter = 500;
let rereads = false;

/** Stores change with their stacks. */
export function useRereadWithStacks(): void {
  const { data: stacks } = useStackList();
  useEffect(() => {
    if (!stacks || rereads) return;
    rereads = true;
    after(rereadAfter, () => {
      rereads = false;
      void readStoresAgain();
    });
  }, [stacks]);
}
