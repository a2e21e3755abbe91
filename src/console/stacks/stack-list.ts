import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { StackSummary } from '../../contract/v3/schemas/stack-summary.ts';
import type { ListStackSummaries } from '../../contract/v3/stacks.ts';
import { exchange } from '../api/call.ts';
import { queries } from '../api/read.ts';
import { type StackChange, withChanges } from './changes.ts';

const path = '/v3/alm/stack';
const key = [path, 'summary'];

/** Where the stream continues after the list that was read last. */
let cursor: string | null = null;

export const listCursor = (): string | null => cursor;

/** Changes that arrived while the list was read: the answer may be older. One entry for each read under way. */
const readsUnderWay = new Set<StackChange[]>();

async function readList({ signal }: { signal: AbortSignal }): Promise<readonly StackSummary[]> {
  const changes: StackChange[] = [];
  readsUnderWay.add(changes);
  try {
    const input = { query: { view: 'summary' as const }, signal };
    const { body, headers } = await exchange<ListStackSummaries>('GET', path, input);
    cursor = headers.get('alm-cursor');
    return withChanges(body, changes);
  } finally {
    readsUnderWay.delete(changes);
  }
}

const listQuery = { queryKey: key, queryFn: readList, staleTime: Number.POSITIVE_INFINITY };

/** All stacks the user may see. The stream of the account keeps it current. */
export const useStackList = (): UseQueryResult<readonly StackSummary[]> => useQuery(listQuery);

export const loadStackList = (): Promise<readonly StackSummary[]> => queries.fetchQuery(listQuery);

/** Reads the list from the service, even if no component shows it. */
export const rereadStackList = (): Promise<readonly StackSummary[]> =>
  queries.fetchQuery({ ...listQuery, staleTime: 0 });

export const reloadStackList = (): Promise<void> => queries.invalidateQueries({ queryKey: key });

export const applyChanges = (changes: readonly StackChange[]): void => {
  for (const missed of readsUnderWay) missed.push(...changes);
  queries.setQueryData<readonly StackSummary[]>(key, (rows) => rows && withChanges(rows, changes));
};
