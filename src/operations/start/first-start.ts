import { randomText } from '../../basics/random.ts';
import { Secret } from '../../basics/secret.ts';
import { newAccountId, newClientId, newClientSecret } from '../../model/names.ts';
import { insertAccount, insertApiClient, insertUser } from '../../store/access/accounts.ts';
import { saveCredential } from '../../store/access/credentials.ts';
import type { Query } from '../../store/database/database.ts';
import { readMeta, setMetaOnce } from '../../store/database/meta.ts';
import { hashChosen, hashGenerated } from '../access/secret-hash.ts';
import { credentialRow, sandboxCredentialId } from '../credentials/credential-row.ts';
import type { Service } from '../service.ts';

/** What the operator may choose beforehand; the rest is generated. */
export interface FirstChoices {
  clientId: string | null;
  clientSecret: Secret | null;
  username: string;
  password: Secret | null;
}

/** Shown once, at the only moment it is known. */
export interface FirstCredentials {
  clientId: string;
  clientSecret: Secret;
  username: string;
  password: Secret;
  /** Only what was generated is shown; what the operator chose is known and stays unprinted. */
  generated: { clientSecret: boolean; password: boolean };
}

export const keyCheckContext = 'key check';

const otherKey = (cause?: unknown): Error =>
  new Error(
    'The secrets in this database were sealed with another key. Give the right one in ALM_SECRET_KEY, or put its file back as secret.key in ALM_DATA.',
    { cause },
  );

/** Where something is sealed already, a lost key is not replaced by a new one, which opens nothing. */
export async function refuseIfSealed({ query }: Pick<Service['database'], 'query'>): Promise<void> {
  if ((await readMeta(query, 'key_check')) !== undefined) throw otherKey();
}

/** Refuses to run with a key that does not open what is stored, before anything is sealed with the wrong one. */
export async function checkSealingKey(service: Pick<Service, 'database' | 'sealer'>): Promise<void> {
  const { query } = service.database;
  await setMetaOnce(query, 'key_check', service.sealer.seal(new Secret('almanac'), keyCheckContext));
  try {
    service.sealer.unseal((await readMeta(query, 'key_check')) ?? '', keyCheckContext);
  } catch (cause) {
    throw otherKey(cause);
  }
}

/** Makes the master account on the very first start; says nothing on any later one, or when another server was first. */
export async function startFirstTime(
  service: Service,
  choices: FirstChoices,
): Promise<FirstCredentials | null> {
  const accountId = newAccountId();
  const credentials: FirstCredentials = {
    clientId: choices.clientId ?? newClientId(accountId),
    clientSecret: choices.clientSecret ?? new Secret(newClientSecret()),
    username: choices.username,
    password: choices.password ?? new Secret(randomText(20)),
    generated: { clientSecret: !choices.clientSecret, password: !choices.password },
  };
  const passwordHash = await hashChosen(credentials.password.reveal());
  const secretHash = choices.clientSecret
    ? await hashChosen(choices.clientSecret.reveal())
    : hashGenerated(credentials.clientSecret.reveal());
  return service.database.transaction(async (query) => {
    const now = service.clock.now();
    if (!(await setMetaOnce(query, 'first_account', accountId))) return null;
    await insertAccount(query, accountId, now);
    await insertUser(query, {
      id: accountId,
      account_id: accountId,
      username: credentials.username,
      email: `${credentials.username}@localhost`,
      password_hash: passwordHash,
      master: 1,
      created_at: now,
    });
    await insertApiClient(query, {
      id: credentials.clientId,
      account_id: accountId,
      secret_hash: secretHash,
      created_at: now,
      label: 'first',
    });
    await giveSandboxCredential(service, query, accountId);
    return credentials;
  });
}

/** Filed under both names, so that the interface's own examples (vendor `aws`) run with no cloud account. */
async function giveSandboxCredential(service: Service, query: Query, accountId: string): Promise<void> {
  for (const vendor of ['aws', 'sandbox'] as const) {
    const credential = { vendor, id: sandboxCredentialId, secret: new Secret('sandbox'), account: 'sandbox' };
    await saveCredential(query, credentialRow(service, accountId, credential));
  }
}
