import { Failure } from '../../../basics/failure.ts';
import { hasLiveStackNamed } from '../../../store/access/account-usage.ts';
import type { Query } from '../../../store/database/database.ts';
import type { Actor } from '../../access/access.ts';
import type { Service } from '../../service.ts';

/** Refuses a name that clients would take for the id of a stack. */
export function refuseIdAsName(nickname: string | undefined): void {
  if (nickname?.startsWith('mo-'))
    throw new Failure('invalid_request', `"${nickname}" cannot be the name of a stack`, {
      description: 'Ids of stacks begin with "mo-". Use another name.',
    });
}

interface Named {
  actor: Actor;
  nickname: string | undefined;
}

/** Refuses the name of another stack. Runs in the transaction that inserts the stack, under a lock. */
export async function refuseUsedName(
  { database }: Service,
  query: Query,
  { actor: { accountId }, nickname }: Named,
): Promise<void> {
  if (!nickname) return;
  await database.lock(query, `name ${nickname} of ${accountId}`);
  if (await hasLiveStackNamed(query, accountId, nickname))
    throw new Failure('conflict', `A stack named "${nickname}" exists already`, {
      description:
        'To update it: alm up, or alm stack update. To create another one with the same name: alm stack create --another, or another=true.',
    });
}
