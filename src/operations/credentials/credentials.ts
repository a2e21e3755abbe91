import { Failure, notFound } from '../../basics/failure.ts';
import type { Secret } from '../../basics/secret.ts';
import {
  type CredentialRow,
  deleteCredential,
  listCredentials,
  listStacksUsing,
  saveCredential,
} from '../../store/access/credentials.ts';
import type { VendorName } from '../../vendors/vendor.ts';
import type { Actor } from '../access/access.ts';
import { maySee, maySeeCredential, requireOnCredential } from '../access/permission.ts';
import type { Service } from '../service.ts';
import { credentialRow, lockCredential, type NewCredential } from './credential-row.ts';

/** A credential without its secret. */
export interface ListedCredential {
  vendor: string;
  id: string;
  account: string;
  lastModified: number;
}

export async function describeCredentials(
  service: Service,
  actor: Actor,
  vendor?: VendorName,
): Promise<ListedCredential[]> {
  const rows = await listCredentials(service.database.query, actor.accountId, vendor);
  const shown = rows.filter((row) => maySeeCredential(actor, row));
  return shown.map(({ vendor: name, id, label, updated_at: lastModified }) => ({
    vendor: name,
    id,
    account: label,
    lastModified,
  }));
}

/** Saves a credential, replacing an earlier one with the same id. Returns the vendor's verdict; null if it offers no check. */
export async function keepCredential(
  service: Service,
  actor: Actor,
  credential: NewCredential,
): Promise<string | null> {
  requireOnCredential(actor, 'cred:createCredential', credential);
  const row = credentialRow(service, actor.accountId, credential);
  await saveCredential(service.database.query, row);
  return verify(service, row, credential.secret);
}

/** Never an error: a key that does not work yet may work soon, because permissions take a while to propagate. */
async function verify(service: Service, row: CredentialRow, secret: Secret): Promise<string | null> {
  const vendor = service.vendors.get(row.driver);
  if (!vendor?.verify) return null;
  const access = { accountId: row.account_id, credentialId: row.id, secret, role: row.role };
  const answer = await vendor.verify(access).catch(() => null);
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
    if (users.length > 0)
      throw inUse(
        id,
        users.filter((stack) => maySee(actor, stack)),
        users.length,
      );
    if (!(await deleteCredential(query, { accountId, vendor, id })))
      throw notFound(`Credential of vendor ${vendor}`, id);
  });
}

const maxNamed = 10;

/** Names only stacks the caller may see, and counts the others. */
function inUse(id: string, visible: readonly { id: string; nickname: string }[], count: number): Failure {
  const named = visible.slice(0, maxNamed).map((stack) => `${stack.nickname} (${stack.id})`);
  const rest = count - named.length;
  const others = rest > 0 ? [`${rest} ${named.length > 0 ? 'more' : 'stacks'}`] : [];
  return new Failure('conflict', `Credential ${id} is in use by ${[...named, ...others].join(', ')}`, {
    description: 'Delete these stacks first; without the credential they cannot be deleted.',
  });
}
