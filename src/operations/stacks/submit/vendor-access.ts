import { Failure } from '../../../basics/failure.ts';
import type { Placement } from '../../../languages/language.ts';
import { type CredentialRow, findCredential, saveCredential } from '../../../store/access/credentials.ts';
import type { Query } from '../../../store/database/database.ts';
import { readMeta } from '../../../store/database/meta.ts';
import type { StackRow } from '../../../store/stacks/stacks.ts';
import { type Driver, type Vendor, type VendorAccess, vendorNames } from '../../../vendors/vendor.ts';
import type { Actor } from '../../access/access.ts';
import { requireOnCredential, requireUse } from '../../access/permission.ts';
import { credentialRow, driverOf, findVendorName, lockCredential } from '../../credentials/credential-row.ts';
import { refuseDocument } from '../../documents/refuse-document.ts';
import { type Service, sealedFor } from '../../service.ts';

/** Vendor and credential selected for a stack. */
export interface SelectedVendor {
  vendor: Vendor;
  credential: CredentialRow;
  /** The document contains the credential's secret: save it together with the stack. */
  isNew: boolean;
  places: Places;
}

/** Paths of vendor and credential in a document of one language, and how to provide an unknown credential. */
interface Places {
  vendor: string;
  credential: string;
  advice: string;
}

const placesIn: Readonly<Record<StackRow['language'], (vendor: string) => Places>> = {
  v2: () => ({ vendor: 'vendor', credential: 'cred', advice: 'save it with POST /v2/credentials first' }),
  v3: (vendor) => ({
    vendor: `vendor/${vendor}`,
    credential: `vendor/${vendor}/cred`,
    advice: 'save it first, or send its secret',
  }),
};

const refusePlacement = (path: string, message: string): never => refuseDocument([{ path, message }]);

const offered = ({ name, builtInCredential }: Vendor): string =>
  builtInCredential ? `${name} (credential ${builtInCredential.id})` : name;

function drivenBy({ vendors }: Service, driver: string, path: string): Vendor {
  const supported = [...vendors.values()].map(offered).join(', ');
  return (
    vendors.get(driver) ??
    refusePlacement(path, `this server does not support vendor ${driver}; supported: ${supported}`)
  );
}

/** Refuses accounts that the operator does not allow to use a vendor. */
async function refuseRestricted(
  { database }: Service,
  restriction: NonNullable<Vendor['restriction']>,
  { accountId, path }: { accountId: string; path: string },
): Promise<void> {
  const { accounts, message } = restriction;
  if (accounts.includes('*') || accounts.includes(accountId)) return;
  if (accounts.length === 0 && (await readMeta(database.query, 'first_account')) === accountId) return;
  refusePlacement(path, message);
}

export interface PlacementRequest {
  placement: Placement;
  language: StackRow['language'];
}

/** Selects the vendor and credential a document names. */
export async function selectVendor(
  service: Service,
  actor: Actor,
  { placement, language }: PlacementRequest,
): Promise<SelectedVendor> {
  const { accountId } = actor;
  const { credentialId, secret } = placement;
  const places = placesIn[language](placement.vendor);
  const vendor = findVendorName(placement.vendor);
  if (!vendor)
    return refusePlacement(
      places.vendor,
      `unknown vendor ${placement.vendor}; use one of: ${vendorNames.join(', ')}`,
    );
  requireUse(actor, vendor, credentialId); // before the lookup, so that a refusal does not reveal what exists
  const restriction = service.vendors.get(driverOf(service, vendor, credentialId))?.restriction;
  if (restriction) await refuseRestricted(service, restriction, { accountId, path: places.vendor });
  const known = await findCredential(service.database.query, { accountId, vendor, id: credentialId });
  if (known)
    return {
      vendor: drivenBy(service, known.driver, places.vendor),
      credential: known,
      isNew: false,
      places,
    };
  if (!secret)
    return refusePlacement(places.credential, `unknown credential ${credentialId}; ${places.advice}`);
  requireOnCredential(actor, 'cred:createCredential', { vendor, id: credentialId });
  const credential = credentialRow(service, accountId, {
    vendor,
    id: credentialId,
    secret,
    account: credentialId,
  });
  return { vendor: drivenBy(service, credential.driver, places.vendor), credential, isNew: true, places };
}

/** Locks the credential in the transaction that creates the stack: it can no longer be deleted while the stack uses it. */
export async function holdCredential(
  service: Service,
  query: Query,
  { credential, isNew, places }: SelectedVendor,
): Promise<void> {
  const { account_id: accountId, vendor, id } = credential;
  await lockCredential(service, query, { accountId, id });
  if (await findCredential(query, { accountId, vendor, id })) return; // it existed, or a concurrent request saved it
  if (!isNew) refusePlacement(places.credential, `credential ${id} was just deleted`);
  await saveCredential(query, credential);
}

interface PlacedStack {
  account_id: string;
  vendor: string;
  credential_id: string;
}

export async function credentialOf(query: Query, stack: PlacedStack): Promise<CredentialRow> {
  const row = await findCredential(query, {
    accountId: stack.account_id,
    vendor: stack.vendor,
    id: stack.credential_id,
  });
  if (row) return row;
  throw new Failure(
    'conflict',
    `Credential ${stack.credential_id} of vendor ${stack.vendor} is no longer saved`,
    { description: 'Save the credential again. The stack needs it for every request to its cloud.' },
  );
}

/** Inside a transaction, pass its query. */
export async function vendorOf(
  service: Service,
  stack: PlacedStack,
  query: Query = service.database.query,
): Promise<Vendor> {
  return drivenBy(service, (await credentialOf(query, stack)).driver, `vendor/${stack.vendor}`);
}

/** Unseals the secret, for one connection only. */
export function accessWith(service: Service, credential: CredentialRow): VendorAccess {
  const { account_id: accountId, vendor, id, sealed_secret: sealed, role } = credential;
  const secret = service.sealer.unseal(sealed, sealedFor.credential(accountId, vendor, id));
  return { accountId, credentialId: id, secret, role };
}

export async function connectVendor(service: Service, stack: PlacedStack): Promise<Driver> {
  const credential = await credentialOf(service.database.query, stack);
  const vendor = drivenBy(service, credential.driver, `vendor/${stack.vendor}`);
  return vendor.connect(accessWith(service, credential));
}
