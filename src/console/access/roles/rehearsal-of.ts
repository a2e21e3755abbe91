import { useMemo } from 'react';
import { useSearchValues } from '../../address/search.ts';
import type { Person } from '../people.ts';
import type { Cast } from './rehearsal.ts';
import { castOf, holdersOf, type Rehearsing, useRehearsal } from './use-rehearsal.ts';

/** Whose requests are rehearsed, as the address says it. */
const everyone = 'everyone';
const holders = 'holders';

export const isOneUser = (of: string): boolean => of !== everyone && of !== holders;

export interface ChosenRehearsal extends Rehearsing {
  days: number;
  of: string;
  cast: Cast;
  /** Whether saving the role concerns these people: then the button says so. */
  isEffect: boolean;
  choose: (changes: { days?: string; of?: string }) => void;
}

interface Rehearsed {
  roleId: string;
  text: string;
  people: readonly Person[];
}

function castFor(of: string, roleId: string, people: readonly Person[]): Cast {
  if (of === everyone) return null;
  if (of === holders) return castOf(roleId, holdersOf(roleId, people));
  return castOf(
    roleId,
    people.filter(({ username }) => username === of),
  );
}

/** The rehearsal that the address asks for: by default of those who have the role; of everyone while nobody has it. */
export function useRehearsalOf({ roleId, text, people }: Rehearsed): ChosenRehearsal {
  const [search, choose] = useSearchValues();
  const hasHolders = holdersOf(roleId, people).length > 0;
  const of = search['of'] ?? (hasHolders ? holders : everyone);
  const days = Number(search['days']) || 7;
  const cast = useMemo(() => castFor(of, roleId, people), [of, roleId, people]);
  const rehearsing = useRehearsal(text, cast, days);
  return { ...rehearsing, days, of, cast, choose, isEffect: hasHolders && of === holders };
}

export const choices = (people: readonly Person[]): { value: string; label: string }[] => [
  { value: holders, label: 'those who have it' },
  { value: everyone, label: 'everyone, as their only role' },
  ...people.filter(({ master }) => !master).map(({ username }) => ({ value: username, label: username })),
];
