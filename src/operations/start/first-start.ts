import { randomText } from '../../basics/random.ts';
import { Secret } from '../../basics/secret.ts';
import { newAccountId, newClientId, newClientSecret } from '../../model/names.ts';
import { insertAccount, insertApiClient, insertUser } from '../../store/access/accounts.ts';
import { saveCredential } from '../../store/access/credentials.ts';
import type { Query } from '../../store/database/database.ts';
import { readMeta, setMetaOnce } from '../../store/database/meta.ts';
import { hashChosen, hashGenerated } from '../access/secret-hash.ts';
import { credentialRow } from '../credentials/credential-row.ts';
import type { Service } from '../service.ts';

/** Values the operator may choose; null is generated. */
export interface FirstChoices {
  clientId: string | null;
  clientSecret: Secret | null;
  username: string;
  password: Secret | null;
}

/** Printed once; later only digests are known. */
export interface FirstCredentials {
  clientId: string;
  clientSecret: Secret;
  username: string;
  password: Secret;
  /** Only generated secrets are printed, not those the operator chose. */
  generated: { clientSecret: boolean; password: boolean };
}

export const keyCheckContext = 'key check';

const wrongKey = (cause?: unknown): Error =>
  new Error(
    'The secrets in this database are sealed with another key. Set that key in ALM_SECRET_KEY, or restore its file as secret.key in ALM_DATA.',
    { cause },
  );

/** Refuses to generate a new key for a database that already has sealed secrets: it could not unseal them. */
export async function refuseIfSealed({ query }: Pick<Service['database'], 'query'>): Promise<void> {
  if ((await readMeta(query, 'key_check')) !== undefined) throw wrongKey();
}

/** Refuses to run with a key that cannot unseal the stored secrets, before anything is sealed with it. */
export async function checkSealingKey(service: Pick<Service, 'database' | 'sealer'>): Promise<void> {
  const { query } = service.database;
  await setMetaOnce(query, 'key_check', service.sealer.seal(new Secret('almanac'), keyCheckContext));
  try {
    service.sealer.unseal((await readMeta(query, 'key_check')) ?? '', keyCheckContext);
  } catch (cause) {
    throw wrongKey(cause);
  }
}

const chosenOrGenerated = (choices: FirstChoices, accountId: string): FirstCredentials => ({
  clientId: choices.clientId ?? newClientId(accountId),
  clientSecret: choices.clientSecret ?? new Secret(newClientSecret()),
  username: choices.username,
  password: choices.password ?? new Secret(randomText(20)),
  generated: { clientSecret: !choices.clientSecret, password: !choices.password },
});

/** Creates the master account on the first start. Returns null on a later one, or if another server was first. */
export async function startFirstTime(
  service: Service,
  choices: FirstChoices,
): Promise<FirstCredentials | null> {
  const accountId = newAccountId();
  const credentials = chosenOrGenerated(choices, accountId);
  const passwordHash = await hashChosen(credentials.password.reveal());
  const secretHash = choices.clientSecret
    ? await hashChosen(choices.clientSecret.reveal())
    : hashGenerated(credentials.clientSecret.reveal());
  return service.database.transaction(async (query) => {
    const now = service.clock.now();
    if (!(await setMetaOnce(query, 'first_account', accountId))) return null;
    await insertAccount(query, { id: accountId, name: '', created_at: now });
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
      kind: 'owner',
    });
    await saveBuiltInCredentials(service, query, accountId);
    return credentials;
  });
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
