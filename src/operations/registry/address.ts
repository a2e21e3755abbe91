import { type NamedAccountUser, namespaceOfUser } from '../../model/registry/repository-name.ts';
import { deleteMeta, readMeta, writeMeta } from '../../store/database/meta.ts';
import type { Service } from '../service.ts';

/** Inside a transaction, `query` is the transaction's. */
export type RegistryReader = { database: Pick<Service['database'], 'query'> } & Pick<Service, 'settings'>;

export interface RegistryAddress {
  /** As clients and container engines reach it. */
  url: string;
  /** As this server reaches it. */
  internalUrl: string;
}

/** Where `almanac registry up` records the registry that it runs. */
const key = 'registry_url';

/** The registry of the settings, else the one that `almanac registry up` runs now. Null: there is none. */
export async function registryAddress({
  database,
  settings,
}: RegistryReader): Promise<RegistryAddress | null> {
  const { url, internalUrl } = settings.registry;
  if (url !== '') return { url, internalUrl };
  const recorded = await readMeta(database.query, key);
  return recorded === undefined ? null : { url: recorded, internalUrl: internalUrl || recorded };
}

/** For servers whose settings name no registry. */
export const recordRegistry = ({ database }: Pick<RegistryReader, 'database'>, url: string): Promise<void> =>
  writeMeta(database.query, key, url);

export const forgetRegistry = ({ database }: Pick<RegistryReader, 'database'>, url: string): Promise<void> =>
  deleteMeta(database.query, key, url);

/** The namespace of a user; null if the registry does not accept the user name. */
export const namespaceFor = async (
  { database }: Pick<RegistryReader, 'database'>,
  user: NamedAccountUser,
): Promise<string | null> => namespaceOfUser(user, (await readMeta(database.query, 'first_account')) ?? '');
