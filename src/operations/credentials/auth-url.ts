import { Failure } from '../../basics/failure.ts';
import { normalAuthUrl } from '../../basics/net/auth-url.ts';
import { type CredentialRow, nameCloud } from '../../store/access/credentials.ts';
import type { Query } from '../../store/database/database.ts';
import { type AuthUrls, currentAuthUrl, findAuthUrl } from '../../vendors/auth-urls.ts';
import type { Service } from '../service.ts';

/** The cloud that a caller names for a credential; null: none. */
export interface NamedCloud {
  authUrl: string | null;
  /** Where the caller wrote it, or could have. */
  path: string;
}

const notAnAddress =
  'must be an http:// or https:// URL without user, query and fragment, such as https://cloud.example:5000/v3';

type AuthUrlResult = { url: string | null } | { reason: string };

/** Errors never quote the input: it may be the secret, in the wrong place. */
export function resolveAuthUrl(
  { vendors }: Pick<Service, 'vendors'>,
  driver: string,
  authUrl: string | null,
): AuthUrlResult {
  const allowed = vendors.get(driver)?.authUrls;
  if (!allowed) return { url: null };
  // The credential of a cloud that the operator has not listed yet is kept, as that of any unsupported vendor.
  if (authUrl === null && allowed.urls.length === 0) return { url: null };
  const wanted = authUrl === null ? null : normalAuthUrl(authUrl);
  return wanted === undefined ? { reason: notAnAddress } : findAuthUrl(allowed, wanted);
}

/** The cloud to save with a credential, or a failure that names the setting of the operator. */
export function requireAuthUrl(
  service: Pick<Service, 'vendors'>,
  driver: string,
  { authUrl, path }: NamedCloud,
): string | null {
  const result = resolveAuthUrl(service, driver, authUrl);
  if ('url' in result) return result.url;
  const message = `${path}: ${result.reason}`;
  throw new Failure('invalid_request', message, { problems: [{ path, message: result.reason }] });
}

/** The cloud that a credential leads to; null: none yet, or any of several. */
function cloudOf(allowed: AuthUrls, authUrl: string | null): string | null {
  if (authUrl !== null) return currentAuthUrl(allowed, authUrl);
  const only = findAuthUrl(allowed, null);
  return 'url' in only ? only.url : null;
}

/**
 * The credential with the cloud that it leads to, stored if it named none so far: what it was used for is in that cloud, and
 * another list of clouds must not lead it to another one.
 */
export async function pinCloud(
  { vendors }: Pick<Service, 'vendors'>,
  query: Query,
  row: CredentialRow,
): Promise<CredentialRow> {
  const allowed = vendors.get(row.driver)?.authUrls;
  const url = allowed && row.auth_url === null ? cloudOf(allowed, null) : null;
  return url === null ? row : nameCloud(query, row, url);
}

/**
 * Why the stacks of a credential would be lost if it were saved with another address; undefined: they would not. That the old
 * address is no longer listed does not mean that the stacks are gone: the cloud may still run, and be listed again.
 */
export function otherCloud(
  { vendors }: Pick<Service, 'vendors'>,
  before: CredentialRow,
  after: CredentialRow,
): string | undefined {
  const allowed = vendors.get(before.driver)?.authUrls;
  if (!allowed || cloudOf(allowed, before.auth_url) === after.auth_url) return undefined;
  const { setting } = allowed;
  const otherId = 'Save the credential of another cloud with another id, such as user@domain/project@domain.';
  return before.auth_url === null
    ? `The credential does not say in which cloud these stacks are. The operator of this server can list only that cloud in ${setting} for a while: the credential then belongs to it. ${otherId}`
    : `These stacks are in the cloud at ${before.auth_url}. ${otherId} If that cloud itself has a new address, the operator of this server writes ${before.auth_url}=<new address> in ${setting}.`;
}
