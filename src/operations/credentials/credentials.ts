import { withCallLimit } from '../../basics/calls/call-limit.ts';
import { Failure, notFound } from '../../basics/failure.ts';
import type { Secret } from '../../basics/secret.ts';
import {
  type CredentialRow,
  deleteCredential,
  findCredential,
  listCredentials,
  listStacksUsing,
  saveCredential,
} from '../../store/access/credentials.ts';
import type { Query } from '../../store/database/database.ts';
import type { VendorName } from '../../vendors/vendor.ts';
import type { Actor } from '../access/access.ts';
import { maySee, maySeeCredential, requireOnCredential } from '../access/permission.ts';
import { limitOf } from '../ask-vendor.ts';
import type { Service } from '../service.ts';
import { type NamedCloud, otherCloud, requireAuthUrl } from './auth-url.ts';
import { credentialRow, driverOf, lockCredential, type NewCredential } from './credential-row.ts';

/** A credential without its secret. */
export interface ListedCredential {
  vendor: string;
  id: string;
  account: string;
  lastModified: number;
  /** The cloud, where the vendor has several. */
  authUrl: string | null;
}

interface SentCredential extends Omit<NewCredential, 'authUrl'> {
  cloud: NamedCloud;
}

export async function describeCredentials(
  service: Service,
  actor: Actor,
  vendor?: VendorName,
): Promise<ListedCredential[]> {
  const rows = await listCredentials(service.database.query, actor.accountId, vendor);
  const shown = rows.filter((row) => maySeeCredential(actor, row));
  return shown.map(({ vendor: name, id, label, updated_at: lastModified, auth_url: authUrl }) => ({
    vendor: name,
    id,
    account: label,
    lastModified,
    authUrl,
  }));
}

/**
 * Saves a credential, replacing an earlier one with the same id. Returns the vendor's verdict; null if it offers no check.
 */
export async function keepCredential(
  service: Service,
  actor: Actor,
  { cloud, ...credential }: SentCredential,
): Promise<string | null> {
  requireOnCredential(actor, 'cred:createCredential', credential);
  const authUrl = requireAuthUrl(service, driverOf(service, credential.vendor, credential.id), cloud);
  const row = credentialRow(service, actor.accountId, { ...credential, authUrl });
  await service.database.transaction(async (query) => {
    await lockCredential(service, query, { accountId: actor.accountId, id: credential.id });
    await refuseOtherCloud(service, actor, { query, row });
    await saveCredential(query, row);
  });
  return verify(service, row, credential.secret);
}

/** Stacks stay where they are: with a credential of another cloud, they would be looked for there, and count as deleted. */
async function refuseOtherCloud(
  service: Service,
  actor: Actor,
  { query, row }: { query: Query; row: CredentialRow },
): Promise<void> {
  const key = { accountId: row.account_id, vendor: row.vendor, id: row.id };
  const before = await findCredential(query, key);
  const advice = before && otherCloud(service, before, row);
  if (advice === undefined) return;
  const users = await listStacksUsing(query, key);
  if (users.length > 0) throw inUse(actor, users, { id: row.id, advice });
}

/** Never an error: a key that does not work yet may work soon, because permissions take a while to propagate. */
async function verify(service: Service, row: CredentialRow, secret: Secret): Promise<string | null> {
  const vendor = service.vendors.get(row.driver);
  if (!vendor?.verify) return null;
  const access = {
    accountId: row.account_id,
    credentialId: row.id,
    secret,
    role: row.role,
    authUrl: row.auth_url,
  };
  const answer = await withCallLimit(
    limitOf(service, row.account_id),
    async () => vendor.verify?.(access) ?? null,
  ).catch(() => null);
  if (!answer) return 'Saved, but the vendor could not be reached to check the key.';
  return answer.accepted
    ? 'The vendor accepts the key.'
    : `Saved, but the vendor does not accept the key: ${answer.reason}`;
}

export async function removeCredential(
  service: Service,
  actor: Actor,
  { vendor, id }: { vendor: VendorName; id: string },
): Promise<void> {
  const { accountId } = actor;
  requireOnCredential(actor, 'cred:deleteCredential', { vendor, id });
  await service.database.transaction(async (query) => {
    await lockCredential(service, query, { accountId, id });
    const users = await listStacksUsing(query, { accountId, vendor, id });
    const advice = 'Delete these stacks first; without the credential they cannot be deleted.';
    if (users.length > 0) throw inUse(actor, users, { id, advice });
    if (!(await deleteCredential(query, { accountId, vendor, id })))
      throw notFound(`Credential of vendor ${vendor}`, id);
  });
}

type StackUsing = Awaited<ReturnType<typeof listStacksUsing>>[number];

const maxNamed = 10;

/** Names only stacks the caller may see, and counts the others. */
function inUse(actor: Actor, users: readonly StackUsing[], { id, advice }: { id: string; advice: string }) {
  const visible = users.filter((stack) => maySee(actor, stack));
  const named = visible.slice(0, maxNamed).map((stack) => `${stack.nickname} (${stack.id})`);
  const rest = users.length - named.length;
  const others = rest > 0 ? [`${rest} ${named.length > 0 ? 'more' : 'stacks'}`] : [];
  return new Failure('conflict', `Credential ${id} is in use by ${[...named, ...others].join(', ')}`, {
    description: advice,
  });
}
