import { Failure } from '../basics/failure.ts';
import type { Placement } from '../languages/language.ts';
import { type CredentialRow, findCredential, saveCredential } from '../store/credentials.ts';
import type { Query } from '../store/database.ts';
import { type Driver, type Vendor, vendorNames } from '../vendors/vendor.ts';
import { refuseDocument } from './refuse-document.ts';
import { type Service, sealedFor } from './service.ts';

/** The credential a document names: known already, or brought along with its secret. */
export interface VendorChoice {
  vendor: Vendor;
  /** To be saved together with the stack; null when it was known. */
  newCredential: CredentialRow | null;
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
  const { vendor, credentialId, secret } = placement;
  if (!vendorNames.some((name) => name === vendor))
    refusePlacement(
      `vendor/${vendor}`,
      `there is no vendor ${vendor}; the vendors are: ${vendorNames.join(', ')}`,
    );
  const known = await findCredential(service.database.query, accountId, vendor, credentialId);
  if (known) return { vendor: drivenBy(service, known.driver, `vendor/${vendor}`), newCredential: null };
  if (!secret)
    return refusePlacement(
      `vendor/${vendor}/cred`,
      `credential ${credentialId} is not known; save it first, or give its secret`,
    );
  const context = sealedFor.credential(accountId, vendor, credentialId);
  return {
    vendor: drivenBy(service, vendor, `vendor/${vendor}`),
    newCredential: {
      account_id: accountId,
      vendor,
      id: credentialId,
      driver: vendor,
      label: credentialId,
      sealed_secret: service.sealer.seal(secret, context),
      updated_at: service.clock.now(),
    },
  };
}

export const keepNewCredential = async (query: Query, choice: VendorChoice): Promise<void> => {
  if (choice.newCredential) await saveCredential(query, choice.newCredential);
};

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
