import { Failure } from '../basics/failure.ts';
import type { Placement } from '../languages/language.ts';
import { type CredentialRow, findCredential, saveCredential } from '../store/credentials.ts';
import type { Query } from '../store/database.ts';
import { type Driver, type Vendor, vendorNames } from '../vendors/vendor.ts';
import { credentialRow, findVendorName, lockCredential } from './credential-row.ts';
import { refuseDocument } from './refuse-document.ts';
import { type Service, sealedFor } from './service.ts';

/** The credential a document names: known already, or brought along with its secret. */
export interface VendorChoice {
  vendor: Vendor;
  credential: CredentialRow;
  /** To be saved together with the stack. */
  isNew: boolean;
}

const refusePlacement = (path: string, message: string): never => refuseDocument([{ path, message }]);

function drivenBy(service: Service, driver: string, path: string): Vendor {
  const vendor = service.vendors.get(driver);
  if (vendor) return vendor;
  const offered = [...service.vendors.keys()].join(', ');
  return refusePlacement(
    path,
    `this server cannot drive ${driver}; it drives: ${offered} (credential SANDBOX)`,
  );
}

export async function chooseVendor(
  service: Service,
  accountId: string,
  placement: Placement,
): Promise<VendorChoice> {
  const { credentialId, secret } = placement;
  const path = `vendor/${placement.vendor}`;
  const vendor = findVendorName(placement.vendor);
  if (!vendor)
    return refusePlacement(
      path,
      `there is no vendor ${placement.vendor}; the vendors are: ${vendorNames.join(', ')}`,
    );
  const known = await findCredential(service.database.query, accountId, vendor, credentialId);
  if (known) return { vendor: drivenBy(service, known.driver, path), credential: known, isNew: false };
  if (!secret)
    return refusePlacement(
      `${path}/cred`,
      `credential ${credentialId} is not known; save it first, or give its secret`,
    );
  const credential = credentialRow(service, accountId, {
    vendor,
    id: credentialId,
    secret,
    account: credentialId,
  });
  return { vendor: drivenBy(service, credential.driver, path), credential, isNew: true };
}

/** In the transaction that makes the stack: from then on nobody can delete the credential under it. */
export async function holdCredential(
  service: Service,
  query: Query,
  { credential, isNew }: VendorChoice,
): Promise<void> {
  const { account_id: accountId, vendor, id } = credential;
  await lockCredential(service, query, accountId, id);
  if (isNew) await saveCredential(query, credential);
  else if (!(await findCredential(query, accountId, vendor, id)))
    refusePlacement(`vendor/${vendor}/cred`, `credential ${id} was deleted just now`);
}

interface PlacedStack {
  account_id: string;
  vendor: string;
  credential_id: string;
}

async function credentialOf(service: Service, stack: PlacedStack): Promise<CredentialRow> {
  const row = await findCredential(
    service.database.query,
    stack.account_id,
    stack.vendor,
    stack.credential_id,
  );
  if (row) return row;
  throw new Failure(
    'vendor_trouble',
    `Credential ${stack.credential_id} of vendor ${stack.vendor} is no longer saved`,
  );
}

export async function vendorOf(service: Service, stack: PlacedStack): Promise<Vendor> {
  return drivenBy(service, (await credentialOf(service, stack)).driver, `vendor/${stack.vendor}`);
}

/** The secret is unsealed for the connection only. */
export async function connectVendor(service: Service, stack: PlacedStack): Promise<Driver> {
  const credential = await credentialOf(service, stack);
  const context = sealedFor.credential(stack.account_id, stack.vendor, credential.id);
  return drivenBy(service, credential.driver, `vendor/${stack.vendor}`).connect({
    accountId: stack.account_id,
    credentialId: credential.id,
    secret: service.sealer.unseal(credential.sealed_secret, context),
  });
}
