import { Failure } from '../../basics/failure.ts';
import type { Secret } from '../../basics/secret.ts';
import { defaultClientKind } from '../../model/client-kinds.ts';
import { findAccountsNamed } from '../../store/access/account-rows.ts';
import { refuseWeakPassword } from '../access/password-rules.ts';
import { checkUsername } from '../access/users.ts';
import { recordByOperator } from '../audit/write-entries.ts';
import type { Service } from '../service.ts';
import { checkAccountName, requireStarted } from './find-account.ts';
import { insertNewAccount, type PreparedAccount, prepareAccount } from './new-account.ts';

export interface NewAccount {
  name: string;
  username: string;
  /** Null: generated. */
  password: Secret | null;
}

const minPasswordLength = 8;

async function checkMaster({ name, username, password }: NewAccount): Promise<void> {
  // `root` is the name of every master, and of no other user.
  if (username !== 'root') checkUsername(username);
  if (password && password.reveal().length < minPasswordLength)
    throw new Failure('invalid_request', `The password must have at least ${minPasswordLength} characters`);
  if (password) await refuseWeakPassword(password, { username, accountId: name });
}

/** Creates an account with its master user and first API client. Running servers accept its users immediately. */
export async function createAccount(service: Service, request: NewAccount): Promise<PreparedAccount> {
  const { database } = service;
  const { name } = request;
  checkAccountName(name);
  await checkMaster(request);
  await requireStarted(database.query);
  const account = await prepareAccount(service, {
    ...request,
    clientId: null,
    clientSecret: null,
    clientKind: defaultClientKind,
  });
  await database.transaction(async (query) => {
    await database.lock(query, 'accounts');
    if ((await findAccountsNamed(query, name)).length > 0)
      throw new Failure('duplicate', `An account with the name "${name}" already exists`);
    await insertNewAccount(service, query, account);
    const detail = `created the account "${name}" with the master user ${account.credentials.username}`;
    await recordByOperator(service, query, { accountId: account.id, command: 'account create', detail });
  });
  return account;
}
