import { Failure } from '../../../basics/failure.ts';
import type { Placement } from '../../../languages/language.ts';
import { type CredentialRow, findCredential, saveCredential } from '../../../store/access/credentials.ts';
import type { Query } from '../../../store/database/database.ts';
import { readMeta } from '../../../store/database/meta.ts';
import type { StackRow } from '../../../store/stacks/stacks.ts';
import { type Driver, type Vendor, type VendorAccess, vendorNames } from '../../../vendors/vendor.ts';
import type { Actor } from '../../access/access.ts';
import { requireOnCredential, requireUse } from '../../access/permission.ts';
import {
  credentialRow,
  findVendorName,
  lockCredential,
  sandboxCredentialId,
} from '../../credentials/credential-row.ts';
import { type Service, sealedFor } from '../../service.ts';
import { refuseDocument } from './refuse-document.ts';

/** The credential a document names: known already, or brought along with its secret. */
export interface VendorChoice {
  vendor: Vendor;
  credential: CredentialRow;
  /** To be saved together with the stack. */
  isNew: boolean;
  places: Places;
}

/** Where a document of a language says its vendor and credential, and how it can bring one that is not known. */
interface Places {
  vendor: string;
  credential: string;
  advice: string;
}

const placesIn = (language: StackRow['language'], vendor: string): Places =>
  language === 'v2'
    ? { vendor: 'vendor', credential: 'cred', advice: 'save it with POST /v2/credentials first' }
    : {
        vendor: `vendor/${vendor}`,
        credential: `vendor/${vendor}/cred`,
        advice: 'save it first, or give its secret',
      };

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

/** Who makes containers on this machine can do a lot to it, so not every account may. */
async function refuseOnMachine(
  { database, settings }: Service,
  accountId: string,
  path: string,
): Promise<void> {
  const { dockerAccounts: allowed } = settings;
  if (allowed.includes('*') || allowed.includes(accountId)) return;
  if (allowed.length === 0 && (await readMeta(database.query, 'first_account')) === accountId) return;
  refusePlacement(
    path,
    'this account may not use the containers of this machine; ALM_DOCKER_ACCOUNTS names those that may',
  );
}

export async function chooseVendor(
  service: Service,
  actor: Actor,
  placement: Placement,
  language: StackRow['language'] = 'v3',
): Promise<VendorChoice> {
  const { accountId } = actor;
  const { credentialId, secret } = placement;
  const places = placesIn(language, placement.vendor);
  const vendor = findVendorName(placement.vendor);
  if (!vendor)
    return refusePlacement(
      places.vendor,
      `there is no vendor ${placement.vendor}; the vendors are: ${vendorNames.join(', ')}`,
    );
  requireUse(actor, vendor, credentialId); // before looking, so that it tells nothing of what is there
  if (vendor === 'docker' && credentialId !== sandboxCredentialId)
    await refuseOnMachine(service, accountId, places.vendor);
  const known = await findCredential(service.database.query, { accountId, vendor, id: credentialId });
  if (known)
    return {
      vendor: drivenBy(service, known.driver, places.vendor),
      credential: known,
      isNew: false,
      places,
    };
  if (!secret)
    return refusePlacement(places.credential, `credential ${credentialId} is not known; ${places.advice}`);
  requireOnCredential(actor, 'cred:createCredential', { vendor, id: credentialId });
  const credential = credentialRow(service, accountId, {
    vendor,
    id: credentialId,
    secret,
    account: credentialId,
  });
  return { vendor: drivenBy(service, credential.driver, places.vendor), credential, isNew: true, places };
}

/** In the transaction that makes the stack: from then on nobody can delete the credential under it. */
export async function holdCredential(
  service: Service,
  query: Query,
  { credential, isNew, places }: VendorChoice,
): Promise<void> {
  const { account_id: accountId, vendor, id } = credential;
  await lockCredential(service, query, accountId, id);
  if (await findCredential(query, { accountId, vendor, id })) return; // known, or saved by somebody else meanwhile
  if (!isNew) refusePlacement(places.credential, `credential ${id} was deleted just now`);
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
    'vendor_trouble',
    `Credential ${stack.credential_id} of vendor ${stack.vendor} is no longer saved`,
  );
}

/** Inside a transaction, give its query. */
export async function vendorOf(
  service: Service,
  stack: PlacedStack,
  query: Query = service.database.query,
): Promise<Vendor> {
  return drivenBy(service, (await credentialOf(query, stack)).driver, `vendor/${stack.vendor}`);
}

/** The secret is unsealed for the connection only. */
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
