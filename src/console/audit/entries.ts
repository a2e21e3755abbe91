import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { SuccessOf } from '../../contract/route.ts';
import type { listAudit } from '../../contract/v3/audit.ts';
import { exchange } from '../api/call.ts';
import { filtersOf, type Search } from './filters.ts';

export type Entry = SuccessOf<typeof listAudit>[number];

interface EntryPage {
  entries: Entry[];
  /** Where the older entries begin; null: there are none. */
  next: string | null;
}

const pageSize = 50;

export const useEntries = (search: Search): UseQueryResult<EntryPage> => {
  const { cursor } = search;
  const query = { ...filtersOf(search), limit: pageSize, ...(cursor ? { cursor } : {}) };
  return useQuery({
    queryKey: ['/v3/audit', query],
    queryFn: async ({ signal }) => {
      const { body, headers } = await exchange<typeof listAudit>('GET', '/v3/audit', { query, signal });
      return { entries: body, next: headers.get('x-next-cursor') };
    },
    // Looking at the log adds to it.
    staleTime: 5000,
    placeholderData: keepPreviousData,
  });
};
