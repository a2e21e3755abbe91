import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { SuccessOf } from '../../contract/route.ts';
import type { describePermissions, describeSession } from '../../contract/v3/sign-in/session.ts';
import { callAsAnyone } from '../api/call.ts';
import { queries, useRead } from '../api/read.ts';

export type Session = SuccessOf<typeof describeSession>;

export type Action = string;

const sessionPath = '/v3/session';
const sessionKey = [sessionPath];

export const useSession = (): UseQueryResult<Session> =>
  useQuery({
    queryKey: sessionKey,
    queryFn: async () => (await callAsAnyone({ method: 'GET', path: sessionPath })) as Session,
    staleTime: 60_000,
  });

export interface Login {
  username: string;
  password: string;
  /** Code of the second factor. */
  otp?: string;
}

export async function signIn(login: Login): Promise<void> {
  await callAsAnyone({ method: 'POST', path: sessionPath, body: login });
  await queries.invalidateQueries({ queryKey: sessionKey });
}

const channel = new BroadcastChannel('almanac session');

export async function signOut(): Promise<void> {
  await callAsAnyone({ method: 'DELETE', path: sessionPath });
  channel.postMessage('signed out');
  leave();
}

/** Everything that was read belongs to the user who leaves. */
function leave(): void {
  queries.clear();
  location.reload();
}

export const followSignOut = (): void => {
  channel.addEventListener('message', leave);
};

export interface Permission {
  allowed: boolean;
  reason: string;
}

const unknown: Permission = { allowed: true, reason: '' };

/** Whether the user may do this, and if not, why. Until it is known, buttons are on: the service decides anyway. */
export function usePermission(action: Action, stackId?: string): Permission {
  const { data } = useRead<typeof describePermissions>('/v3/session/permissions', {
    query: stackId === undefined ? {} : { stack_id: stackId },
  });
  return data?.actions[action] ?? unknown;
}
