import { Secret } from '../../basics/secret.ts';
import { readMeta, setMetaOnce } from '../../store/database/meta.ts';
import {
  type AccountChoices,
  type AccountCredentials,
  insertNewAccount,
  prepareAccount,
} from '../accounts/new-account.ts';
import type { Service } from '../service.ts';

export type FirstChoices = Omit<AccountChoices, 'name' | 'clientKind'>;

export const keyCheckContext = 'key check';

export const wrongKey = (cause?: unknown): Error =>
  new Error(
    'The secrets in this database are sealed with another key. Set that key in ALM_SECRET_KEY, or restore its file as secret.key in ALM_DATA.',
    { cause },
  );

/** A new key could not unseal them. */
export const hasSealedSecrets = async ({ query }: Pick<Service['database'], 'query'>): Promise<boolean> =>
  (await readMeta(query, 'key_check')) !== undefined;

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

/** Creates the first account on the first start. Returns null on a later one, or if another server was first. */
export async function startFirstTime(
  service: Service,
  choices: FirstChoices,
): Promise<AccountCredentials | null> {
  const account = await prepareAccount(service, { ...choices, name: '', clientKind: 'owner' });
  return service.database.transaction(async (query) => {
    if (!(await setMetaOnce(query, 'first_account', account.id))) return null;
    await insertNewAccount(service, query, account);
    return account.credentials;
  });
}
