import { Failure } from '../../../basics/failure.ts';
import type { Placement } from '../../../languages/language.ts';
import {
  type CredentialRow,
  findCredential,
  recallCredential,
  saveCredential,
} from '../../../store/access/credentials.ts';
import type { Query } from '../../../store/database/database.ts';
import type { StackRow } from '../../../store/stacks/stacks.ts';
import { type Driver, type Vendor, type VendorAccess, vendorNames } from '../../../vendors/vendor.ts';
import type { Actor } from '../../access/access.ts';
import { requireOnCredential, requireUse } from '../../access/permission.ts';
import { type NamedCloud, pinCloud, resolveAuthUrl } from '../../credentials/auth-url.ts';
import {
  credentialRow,
  driverOf,
  findVendorName,
  lockCredential,
  shareCredential,
} from '../../credentials/credential-row.ts';
import { refuseDocument } from '../../documents/refuse-document.ts';
import { type Service, sealedFor } from '../../service.ts';
import { isSetUp, restrictionFor, unsupported } from './supported-vendors.ts';

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
  region: string;
  authUrl: string;
  advice: string;
}

const placesIn: Readonly<Record<StackRow['language'], (vendor: string) => Places>> = {
  v2: () => ({
    vendor: 'vendor',
    credential: 'cred',
    region: 'region',
    authUrl: 'cred',
    advice: 'save it with POST /v2/credentials first',
  }),
  v3: (vendor) => ({
    vendor: `vendor/${vendor}`,
    credential: `vendor/${vendor}/cred`,
    region: `vendor/${vendor}/region`,
    authUrl: `vendor/${vendor}/auth_url`,
    advice: 'save it first, or send its secret',
  }),
};

/** Longer than any region of any cloud. Vendors keep connections by the name of the region, which comes from users. */
const maxRegionLength = 64;

const refusePlacement = (path: string, message: string): never => refuseDocument([{ path, message }]);

function drivenBy({ vendors }: Service, driver: string, path: string): Vendor {
  return vendors.get(driver) ?? refusePlacement(path, unsupported(vendors, driver));
}

/** The vendor of a new stack. */
function chosenVendor(service: Service, driver: string, path: string): Vendor {
  const vendor = drivenBy(service, driver, path);
  return isSetUp(vendor) ? vendor : refusePlacement(path, unsupported(service.vendors, driver));
}

export interface PlacementRequest {
  placement: Placement;
  language: StackRow['language'];
}

function refuseLongRegion({ region }: Placement, places: { region: string }): void {
  if (region.length > maxRegionLength)
    refusePlacement(places.region, `must have at most ${maxRegionLength} characters`);
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
  refuseLongRegion(placement, places);
  requireUse(actor, vendor, credentialId); // before the lookup, so that a refusal does not reveal what exists
  const driver = driverOf(service, vendor, credentialId);
  const restricted = await restrictionFor(service, driver, accountId);
  if (restricted !== undefined) refusePlacement(places.vendor, restricted);
  const known = await recallCredential(service.database, { accountId, vendor, id: credentialId });
  if (known)
    return {
      vendor: chosenVendor(service, known.driver, places.vendor),
      credential: refuseOtherCloud(service, known, { placement, places }),
      isNew: false,
      places,
    };
  if (!secret)
    return refusePlacement(places.credential, `unknown credential ${credentialId}; ${places.advice}`);
  requireOnCredential(actor, 'cred:createCredential', { vendor, id: credentialId });
  const chosen = chosenVendor(service, driver, places.vendor);
  const authUrl = authUrlIn(service, chosen.name, { authUrl: placement.authUrl, path: places.authUrl });
  const created = { vendor, id: credentialId, secret, account: credentialId, authUrl };
  return { vendor: chosen, credential: credentialRow(service, accountId, created), isNew: true, places };
}

function authUrlIn(service: Service, driver: string, { authUrl, path }: NamedCloud): string | null {
  const result = resolveAuthUrl(service, driver, authUrl);
  return 'url' in result ? result.url : refusePlacement(path, result.reason);
}

/** A saved credential leads to its own cloud, whatever else a document names. */
function refuseOtherCloud(
  service: Service,
  known: CredentialRow,
  { placement, places }: { placement: Placement; places: Places },
): CredentialRow {
  const { driver, id, auth_url } = known;
  const own = resolveAuthUrl(service, driver, auth_url);
  if ('reason' in own)
    return refusePlacement(
      places.credential,
      auth_url === null
        ? `save credential ${id} again with its cloud: ${own.reason}`
        : `credential ${id} belongs to the cloud at ${auth_url}; use a credential of a listed cloud with another id: ${own.reason}`,
    );
  const credential = { ...known, auth_url: own.url };
  if (placement.authUrl === null) return credential;
  const named = authUrlIn(service, driver, { authUrl: placement.authUrl, path: places.authUrl });
  if (named === own.url) return credential;
  return refusePlacement(
    places.authUrl,
    `credential ${id} belongs to the cloud at ${own.url}; leave this out, or use a credential of the other cloud`,
  );
}

/**
 * Locks the credential in the transaction that creates the stack: it can no longer be deleted, or lead to another cloud, while
 * the stack uses it.
 */
export async function holdCredential(
  service: Service,
  query: Query,
  { credential, isNew, places }: SelectedVendor,
): Promise<void> {
  const { account_id: accountId, vendor, id } = credential;
  // Creations with a saved credential do not wait for each other.
  await (isNew ? lockCredential : shareCredential)(service, query, { accountId, id });
  const found = await findCredential(query, { accountId, vendor, id });
  if (!found && !isNew) refusePlacement(places.credential, `credential ${id} was just deleted`);
  if (!found) return saveCredential(query, credential);
  // It existed, or a concurrent request saved it.
  const { driver, auth_url } = await pinCloud(service, query, found);
  const own = resolveAuthUrl(service, driver, auth_url);
  if (!('url' in own) || own.url !== credential.auth_url)
    refusePlacement(places.credential, `credential ${id} was just saved for another cloud`);
}

export interface PlacedStack {
  account_id: string;
  vendor: string;
  credential_id: string;
}

async function credentialOf(service: Service, stack: PlacedStack, query?: Query): Promise<CredentialRow> {
  const key = { accountId: stack.account_id, vendor: stack.vendor, id: stack.credential_id };
  const row = await (query ? findCredential(query, key) : recallCredential(service.database, key));
  if (row) return row;
  throw new Failure(
    'conflict',
    `Credential ${stack.credential_id} of vendor ${stack.vendor} is no longer saved`,
    { description: 'Save the credential again. The stack needs it for every request to its cloud.' },
  );
}

/** Inside a transaction, pass its query. */
export async function vendorOf(service: Service, stack: PlacedStack, query?: Query): Promise<Vendor> {
  return drivenBy(service, (await credentialOf(service, stack, query)).driver, `vendor/${stack.vendor}`);
}

/** Unseals the secret, for one connection only. */
export function accessWith(service: Service, credential: CredentialRow): VendorAccess {
  const { account_id: accountId, vendor, id, sealed_secret: sealed, role, auth_url: authUrl } = credential;
  const secret = service.sealer.unseal(sealed, sealedFor.credential(accountId, vendor, id));
  return { accountId, credentialId: id, secret, role, authUrl };
}

/** The credential with which a stack is looked for: always in the same cloud. */
export async function pinnedCredentialOf(service: Service, stack: PlacedStack): Promise<CredentialRow> {
  const { query } = service.database;
  return pinCloud(service, query, await credentialOf(service, stack));
}

export async function connectVendor(service: Service, stack: PlacedStack): Promise<Driver> {
  const credential = await pinnedCredentialOf(service, stack);
  const vendor = drivenBy(service, credential.driver, `vendor/${stack.vendor}`);
  return vendor.connect(accessWith(service, credential));
}
