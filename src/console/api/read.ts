import {
  keepPreviousData,
  MutationCache,
  QueryClient,
  type UseQueryResult,
  useQuery,
} from '@tanstack/react-query';
import type { CallInput, LooseInput } from '../../contract/client.ts';
import type { Route, SuccessOf } from '../../contract/route.ts';
import { call } from './call.ts';
import { CallFailed, hasStatus } from './failure.ts';

const mayHelpToRepeat = (error: unknown): boolean =>
  !(error instanceof CallFailed) || error.status === 429 || error.status >= 500;

/** Server state lives here alone. Streams write into it; forms never do. */
export const queries: QueryClient = new QueryClient({
  mutationCache: new MutationCache({ onError: noticeRefusal }),
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (count, error) => count < 3 && mayHelpToRepeat(error),
      retryDelay: (count, error) =>
        error instanceof CallFailed && error.retryAfter !== null ? error.retryAfter * 1000 : 500 * 2 ** count,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always', retry: false },
  },
});

export const queryKey = (path: string, input?: LooseInput): readonly unknown[] => [
  path,
  input?.params ?? {},
  input?.query ?? {},
];

interface ReadOptions {
  enabled?: boolean;
  /** Keep the rows of the last question on the screen while the next is answered. */
  keepPrevious?: boolean;
  staleTime?: number;
  refetchInterval?: number;
}

/** Reads a GET route: `useRead<typeof describeStack>('/v3/alm/stack/{stack_id}', { params })`. */
export const useRead = <R extends Route>(
  path: R['path'],
  input?: CallInput<R>,
  { keepPrevious = false, ...options }: ReadOptions = {},
): UseQueryResult<SuccessOf<R>> => {
  const loose = input as LooseInput | undefined;
  return useQuery({
    queryKey: queryKey(path, loose),
    queryFn: ({ signal }) => call<R>('GET', path, { ...loose, signal } as unknown as CallInput<R>),
    ...(keepPrevious ? { placeholderData: keepPreviousData } : {}),
    ...options,
  });
};

/**
 * If the roles have changed since the page read them, buttons that are no longer allowed go off. What a user may not see does not
 * exist for them.
 */
export function noticeRefusal(error: unknown): void {
  if (hasStatus(error, 403) || hasStatus(error, 404)) void readAgain('/v3/session/permissions');
}

/** Reads again everything of a path, whatever its parameters; with parameters, only those. */
export const readAgain = (path: string, params?: Record<string, unknown>): Promise<void> =>
  queries.invalidateQueries({ queryKey: params ? [path, params] : [path] });
