import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { SuccessOf } from '../../contract/route.ts';
import type { describePermissions, describeSession } from '../../contract/v3/sign-in/session.ts';
import { callAsAnyone } from '../api/call.ts';
import { hasStatus } from '../api/failure.ts';
import { queries, useRead } from '../api/read.ts';
import { openGate, signedInAgain } from '../api/sign-in-gate.ts';

export type Session = SuccessOf<typeof describeSession>;

export type Action = string;

const sessionPath = '/v3/session';
const sessionKey = [sessionPath];

const sessionQuery = { queryKey: sessionKey, queryFn: () => readSession(), staleTime: 60_000 };

export const useSession = (): UseQueryResult<Session> => useQuery(sessionQuery);

export const loadSession = (): Promise<Session> => queries.fetchQuery(sessionQuery);

export const reloadSession = (): Promise<void> => queries.invalidateQueries({ queryKey: sessionKey });

export type Login =
  | {
      username: string;
      password: string;
      /** Code of the second factor. */
      otp?: string;
    }
  /** The answer of a device. */
  | { passkey: object };

/** Who the page belongs to, once someone has signed in. */
let owner: string | null = null;

const ownerOf = ({ user }: Session): string | null => user && `${user.account_id}/${user.name}`;

type Message = 'signed out' | 'signed in';

const channel = new BroadcastChannel('almanac session');
const tellOthers = (message: Message): void => channel.postMessage(message);

const readSession = async (): Promise<Session> =>
  (await callAsAnyone({ method: 'GET', path: sessionPath })) as Session;

/** Everything that was read or typed belongs to the user who leaves. */
function leave(): void {
  queries.clear();
  location.reload();
}

/** The browser has a cookie again: requests that waited for it are repeated, unless it is that of another user. */
function continueAs(session: Session): void {
  if (owner !== null && ownerOf(session) !== owner) return leave();
  queries.setQueryData(sessionKey, session);
  openGate();
}

export async function signIn(login: Login): Promise<void> {
  await callAsAnyone({ method: 'POST', path: sessionPath, body: login });
  const session = await readSession();
  tellOthers('signed in');
  continueAs(session);
}

export async function signOut(): Promise<void> {
  await callAsAnyone({ method: 'DELETE', path: sessionPath });
  tellOthers('signed out');
  leave();
}

/** What other tabs of the browser do counts for this one: they share the cookie. */
export function followOtherTabs(): void {
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data === 'signed out') leave();
    else void readSession().then(continueAs, () => undefined);
  });
}

/**
 * The session that the page shows. After it has expired, the page stays as it is and a dialog asks for the password: nothing that
 * was typed is lost. If another user has signed in, the page starts again.
 */
export function useKeptSession(session: Session | undefined): Session | undefined {
  const last = useRef<Session | undefined>(undefined);
  if (session?.user) last.current = session;
  useEffect(() => {
    if (session === undefined) return;
    if (session.user === null && owner !== null) void signedInAgain();
    if (session.user !== null && owner !== null && ownerOf(session) !== owner) leave();
    owner ??= ownerOf(session);
  }, [session]);
  return last.current ?? session;
}

export interface Permission {
  allowed: boolean;
  reason: string;
}

const unknown: Permission = { allowed: true, reason: '' };

/** The service says no more of a stack that a user may not see. */
const unseen: Permission = {
  allowed: false,
  reason: 'The stack was deleted, or your roles do not show it to you any more.',
};

/** Whether the user may do this, and if not, why. Until it is known, buttons are on: the service decides anyway. */
export function usePermission(action: Action, stackId?: string): Permission {
  const { data, error } = useRead<typeof describePermissions>('/v3/session/permissions', {
    query: stackId === undefined ? {} : { stack_id: stackId },
  });
  if (hasStatus(error, 404)) return unseen;
  return data?.actions[action] ?? unknown;
}
