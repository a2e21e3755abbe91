import { randomText } from '../../basics/random.ts';
import { Secret } from '../../basics/secret.ts';
import { type ClientKind, isReservedClientId } from '../../model/client-kinds.ts';
import { newAccountId, newClientId, newClientSecret } from '../../model/names.ts';
import { insertAccount, insertApiClient, insertUser } from '../../store/access/accounts.ts';
import { saveCredential } from '../../store/access/credentials.ts';
import type { Query } from '../../store/database/database.ts';
import { hashChosen, hashGenerated } from '../access/secret-hash.ts';
import { credentialRow } from '../credentials/credential-row.ts';
import type { Service } from '../service.ts';

/** Values the operator may choose; null is generated. */
export interface AccountChoices {
  /** Name of the account. May be empty. */
  name: string;
  clientId: string | null;
  clientSecret: Secret | null;
  clientKind: ClientKind;
  username: string;
  password: Secret | null;
}

/** Printed once; later only digests are known. */
export interface AccountCredentials {
  clientId: string;
  clientSecret: Secret;
  username: string;
  password: Secret;
  /** Only generated secrets are printed, not those the operator chose. */
  generated: { clientSecret: boolean; password: boolean };
}

/** An account that is not stored yet. */
export interface PreparedAccount {
  id: string;
  name: string;
  clientKind: ClientKind;
  credentials: AccountCredentials;
  passwordHash: string;
  secretHash: string;
}

/** Hashes the secrets, which takes long, before the transaction begins. */
export async function prepareAccount(service: Service, choices: AccountChoices): Promise<PreparedAccount> {
  const id = newAccountId();
  const { name, username, clientKind, clientSecret, password } = choices;
  const credentials: AccountCredentials = {
    clientId: choices.clientId ?? newClientId(id),
    clientSecret: clientSecret ?? new Secret(newClientSecret()),
    username,
    password: password ?? new Secret(randomText(20)),
    generated: { clientSecret: !clientSecret, password: !password },
  };
  const run = service.hashing.of('new accounts');
  const passwordHash = await hashChosen(run, credentials.password.reveal());
  const secretHash = clientSecret
    ? await hashChosen(run, clientSecret.reveal())
    : hashGenerated(credentials.clientSecret.reveal());
  return { id, name, clientKind, credentials, passwordHash, secretHash };
}

/** Only when the account is stored: later starts ignore the setting. */
function refuseReservedClientId(id: string): void {
  if (isReservedClientId(id))
    throw new Error(
      `ALM_CLIENT_ID must not be ${id}: alm, gateway, personal and ids that start with mo- are reserved. Choose another id, or leave it empty to generate one.`,
    );
}

/** Stores an account with its master user, its first API client and the built-in credentials. */
export async function insertNewAccount(
  service: Service,
  query: Query,
  { id, name, clientKind, credentials, passwordHash, secretHash }: PreparedAccount,
): Promise<void> {
  refuseReservedClientId(credentials.clientId);
  const created_at = service.clock.now();
  await insertAccount(query, { id, name, created_at });
  await insertUser(query, {
    id,
    account_id: id,
    username: credentials.username,
    email: `${credentials.username}@localhost`,
    password_hash: passwordHash,
    master: 1,
    created_at,
  });
  await insertApiClient(query, {
    id: credentials.clientId,
    account_id: id,
    secret_hash: secretHash,
    created_at,
    label: 'first',
    kind: clientKind,
  });
  await saveBuiltInCredentials(service, query, id);
}

async function saveBuiltInCredentials(service: Service, query: Query, accountId: string): Promise<void> {
  for (const { name, builtInCredential } of service.vendors.values()) {
    if (!builtInCredential) continue;
    const { id, secret, savedUnder } = builtInCredential;
    for (const vendor of savedUnder) {
      const credential = { vendor, id, secret: new Secret(secret), account: name };
      await saveCredential(query, credentialRow(service, accountId, credential));
    }
  }
}
