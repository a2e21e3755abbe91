import type { SuccessOf } from '../../../contract/route.ts';
import type { replayScope } from '../../../contract/v3/role-rehearsal.ts';
import { countStatements, withOtherRoles } from './scope.ts';

type Replay = SuccessOf<typeof replayScope>;
export type Change = Replay['changes'][number];

export interface Rehearsal {
  requests: number;
  refused: number;
  allowed: number;
  /** Newest first. */
  changes: readonly Change[];
}

/** A user and the scopes of the other roles that the user has. */
interface Holder {
  username: string;
  otherScopes: readonly string[];
}

/** Whom to rehearse with: null stands for all users, as if the draft were their only role. */
export type Cast = readonly Holder[] | null;

export type AskReplay = (question: { scope: string; username?: string }) => Promise<Replay>;

/** The deciding statement by its number in the draft, or as one of another role. */
function inWords(why: string, ownStatements: number): string {
  const found = /^Statement (\d+) of role "draft"(.*)$/.exec(why);
  if (!found) return why;
  const [, number, rest] = found;
  return Number(number) < ownStatements ? `Statement ${number}${rest}` : `Another role of the user${rest}`;
}

/** What the draft would have decided otherwise. Each user is asked about with all of their roles. */
export async function rehearse(draft: string, cast: Cast, ask: AskReplay): Promise<Rehearsal> {
  const own = countStatements(draft);
  const replays =
    cast === null
      ? [await ask({ scope: draft })]
      : await Promise.all(
          cast.map(({ username, otherScopes }) =>
            ask({ scope: withOtherRoles(draft, otherScopes), username }),
          ),
        );
  const changes = replays
    .flatMap((replay) => replay.changes)
    .map((change) => Object.assign({}, change, { why: inWords(change.why, own) }))
    .toSorted((a, b) => b.number - a.number);
  return {
    requests: replays.reduce((sum, { requests }) => sum + requests, 0),
    refused: changes.filter(({ would_be }) => would_be === 'denied').length,
    allowed: changes.filter(({ would_be }) => would_be === 'allowed').length,
    changes,
  };
}

const past = (days: number): string => (days === 7 ? 'last week' : `the last ${days} days`);

/** The effect of saving, for the button: "3 requests of last week would be refused". */
export function effectInWords({ refused, allowed }: Rehearsal, days: number): string {
  const requests = (count: number): string => (count === 1 ? '1 request' : `${count} requests`);
  if (refused > 0) return `${requests(refused)} of ${past(days)} would be refused`;
  if (allowed > 0) return `${requests(allowed)} of ${past(days)} would now be allowed`;
  return `nothing changes for the requests of ${past(days)}`;
}
