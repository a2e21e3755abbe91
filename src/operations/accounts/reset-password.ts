import { Failure } from '../../basics/failure.ts';
import { randomText } from '../../basics/random.ts';
import { Secret } from '../../basics/secret.ts';
import { changePassword, listUsers } from '../../store/access/users.ts';
import { endAccessOf } from '../access/end-access-of.ts';
import { refuseWeakPassword } from '../access/password-rules.ts';
import { hashChosen } from '../access/secret-hash.ts';
import { recordByOperator } from '../audit/write-entries.ts';
import type { Service } from '../service.ts';
import { lockAccount } from './change-account.ts';
import { accountNamed } from './find-account.ts';

interface NewPassword {
  accountId: string;
  /** Name of the master user. */
  username: string;
  password: Secret;
}

/** For a master who lost the password: nobody in the account can help. Ends all sign-ins, tokens and passkeys of the master. */
export async function resetMasterPassword(
  service: Service,
  idOrName: string,
  chosen: Secret | null,
): Promise<NewPassword> {
  const { id: accountId } = await accountNamed(service.database.query, idOrName);
  const password = chosen ?? new Secret(randomText(20));
  if (chosen) await refuseWeakPassword(chosen, { accountId, username: 'root' });
  const passwordHash = await hashChosen(service.hashing.of('operator'), password.reveal());
  return service.database.transaction(async (query) => {
    await lockAccount(service, query, accountId);
    const master = (await listUsers(query, accountId)).find((user) => user.master === 1);
    if (!master || !(await changePassword(query, master, passwordHash)))
      throw new Failure('conflict', `Account ${accountId} has no master`);
    await endAccessOf(query, master.id);
    const detail = `set another password of the master ${master.username}`;
    await recordByOperator(service, query, { accountId, command: 'account reset-password', detail });
    return { accountId, username: master.username, password };
  });
}
