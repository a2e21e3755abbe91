import { Failure } from '../../basics/failure.ts';
import type { Secret } from '../../basics/secret.ts';
import type { CredentialRow } from '../../store/access/credentials.ts';
import type { Query } from '../../store/database/database.ts';
import { type VendorName, vendorNames } from '../../vendors/vendor.ts';
import { type Service, sealedFor } from '../service.ts';

export interface NewCredential {
  vendor: VendorName;
  id: string;
  secret: Secret;
  /** Display name of the account the credential belongs to. */
  account: string;
  role?: string | null | undefined;
  /** The cloud, where the vendor has several. */
  authUrl?: string | null | undefined;
}

/** Vendor that serves a credential: the one it is saved under, unless its id is that of a built-in credential. */
export const driverOf = ({ vendors }: Pick<Service, 'vendors'>, vendor: VendorName, id: string): VendorName =>
  [...vendors.values()].find(({ builtInCredential }) => builtInCredential?.id === id)?.name ?? vendor;

/** Row of a credential, with its secret sealed for this account and id. */
export const credentialRow = (
  service: Pick<Service, 'sealer' | 'clock' | 'vendors'>,
  accountId: string,
  { vendor, id, secret, account, role = null, authUrl = null }: NewCredential,
): CredentialRow => ({
  account_id: accountId,
  vendor,
  id,
  driver: driverOf(service, vendor, id),
  label: account,
  sealed_secret: service.sealer.seal(secret, sealedFor.credential(accountId, vendor, id)),
  updated_at: service.clock.now(),
  role,
  auth_url: authUrl,
});

/** Finds a vendor by name, ignoring case and the suffix of older clients (`AliCloud`, `K5Cloud`). */
export function findVendorName(text: string): VendorName | undefined {
  const word = text.trim().toLowerCase();
  return vendorNames.find((name) => name === word || `${name}cloud` === word);
}

export function vendorNamed(text: string): VendorName {
  const name = findVendorName(text);
  if (name) return name;
  const message = 'vendor is unknown';
  throw new Failure('invalid_request', message, {
    description: `The vendors are: ${vendorNames.join(', ')}.`,
    problems: [{ path: 'vendor', message }],
  });
}

interface LockedCredential {
  accountId: string;
  id: string;
}

const lockName = ({ accountId, id }: LockedCredential): string => `credential ${id} of ${accountId}`;

/** For changes of a credential. */
export const lockCredential = (service: Service, query: Query, locked: LockedCredential): Promise<void> =>
  service.database.lock(query, lockName(locked));

/** Prevents the deletion of a credential between its lookup for a stack and the insertion of the stack. */
export const shareCredential = (service: Service, query: Query, locked: LockedCredential): Promise<void> =>
  service.database.lockShared(query, lockName(locked));
