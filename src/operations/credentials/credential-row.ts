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
  /** What people call the account behind it. */
  account: string;
  role?: string | null | undefined;
}

export const sandboxCredentialId = 'SANDBOX';

/** The sandbox is reached under every vendor's name, so that documents for any of them can be tried. */
const driverOf = (vendor: VendorName, id: string): VendorName =>
  id === sandboxCredentialId ? 'sandbox' : vendor;

/** A credential as it is kept: its secret sealed for this account and id. */
export const credentialRow = (
  service: Pick<Service, 'sealer' | 'clock'>,
  accountId: string,
  { vendor, id, secret, account, role = null }: NewCredential,
): CredentialRow => ({
  account_id: accountId,
  vendor,
  id,
  driver: driverOf(vendor, id),
  label: account,
  sealed_secret: service.sealer.seal(secret, sealedFor.credential(accountId, vendor, id)),
  updated_at: service.clock.now(),
  role,
});

/** A vendor by its name in any case, also as older clients write it (`AliCloud`, `K5Cloud`). */
export function findVendorName(written: string): VendorName | undefined {
  const word = written.trim().toLowerCase();
  return vendorNames.find((known) => known === word || `${known}cloud` === word);
}

export function vendorNamed(written: string): VendorName {
  const name = findVendorName(written);
  if (name) return name;
  const message = 'vendor is not the name of a vendor';
  throw new Failure('invalid_request', message, {
    description: `The vendors are: ${vendorNames.join(', ')}.`,
    problems: [{ path: 'vendor', message }],
  });
}

/** Nobody deletes a credential between a stack's finding it and the stack's being there. */
export const lockCredential = (
  service: Service,
  query: Query,
  accountId: string,
  id: string,
): Promise<void> => service.database.lock(query, `credential ${id} of ${accountId}`);
