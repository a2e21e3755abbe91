import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { replayScope } from '../../../contract/v3/role-rehearsal.ts';
import { call } from '../../api/call.ts';
import { useSettled } from '../../parts/forms/settled.ts';
import type { Person } from '../people.ts';
import { type Cast, type Rehearsal, rehearse } from './rehearsal.ts';
import { missingIn } from './scope.ts';

/** People who have the role and are limited by it. */
export const holdersOf = (roleId: string, people: readonly Person[]): Person[] =>
  people.filter(({ master, roles }) => !master && roles.some(({ role_id }) => role_id === roleId));

export function castOf(roleId: string, chosen: readonly Person[]): Cast {
  return chosen.map(({ username, roles }) => ({
    username,
    otherScopes: roles.filter(({ role_id }) => role_id !== roleId).map(({ scope }) => scope),
  }));
}

export interface Rehearsing {
  /** Of the text as it is now; undefined while it is on its way. */
  rehearsal: Rehearsal | undefined;
  error: UseQueryResult['error'];
  /** What the draft lacks before it can be rehearsed. */
  missing: string | null;
}

/** Rehearses the draft, a moment after each change. */
export function useRehearsal(text: string, cast: Cast, days: number): Rehearsing {
  const settled = useSettled(text);
  const missing = missingIn(text);
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ['rehearsal', settled, cast, days],
    queryFn: ({ signal }) =>
      rehearse(settled, cast, (question) =>
        call<typeof replayScope>('POST', '/v3/role/replay', { body: { ...question, days }, signal }),
      ),
    enabled: missing === null && missingIn(settled) === null,
    retry: false,
    staleTime: 10_000,
  });
  const current = settled === text && !isPlaceholderData && missing === null;
  return { rehearsal: current ? data : undefined, error: current ? error : null, missing };
}
