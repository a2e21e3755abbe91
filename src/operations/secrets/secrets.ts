import { Failure, notFound } from '../../basics/failure.ts';
import type { Secret } from '../../basics/secret.ts';
import type { Query } from '../../store/database/database.ts';
import {
  deleteSecret,
  findSecret,
  listSecrets,
  listSecretUsers,
  type SecretFacts,
  saveSecret,
} from '../../store/secrets/secrets.ts';
import { type Actor, nameOf } from '../access/access.ts';
import { maySee } from '../access/permission.ts';
import { type Service, sealedFor } from '../service.ts';
import { maySeeSecretName, ownedSecret, requireOnSecret } from './rights.ts';
import { secretsLock } from './used-secrets.ts';

export interface ListedSecret {
  row: SecretFacts;
  /** Stacks that use it and that the caller may see. */
  stacks: readonly { id: string; nickname: string }[];
}

export async function describeSecrets({ database }: Service, actor: Actor): Promise<ListedSecret[]> {
  const rows = await listSecrets(database.query, actor.accountId);
  const users = await listSecretUsers(database.query, actor.accountId);
  const visible = users.filter((stack) => maySee(actor, stack));
  return rows
    .filter((row) => maySeeSecretName(actor, ownedSecret(row)))
    .map((row) => ({
      row,
      stacks: visible.filter(({ secret }) => secret === row.name),
    }));
}

export interface NewSecret {
  name: string;
  value: Secret;
}

/** Environment variables cannot have more on all systems, and a file of this size is a small one. */
const maxSecretBytes = 64 * 1024;
const maxSecrets = 1000;

function checkValue({ name, value }: NewSecret): void {
  const text = value.reveal();
  const problem =
    (text === '' && 'is empty. To remove the secret, delete it.') ||
    (text.includes('\0') && 'contains a NUL character, which neither a variable nor a text file can have.') ||
    (Buffer.byteLength(text) > maxSecretBytes && `is larger than ${maxSecretBytes} bytes.`);
  if (problem) throw new Failure('invalid_request', `The value of secret ${name} ${problem}`);
}

/** Stores a value, or refuses it. Undefined: the secret has this value already. */
export async function storeSecret(
  service: Service,
  query: Query,
  { actor, name, value }: NewSecret & { actor: Actor },
): Promise<SecretFacts | undefined> {
  checkValue({ name, value });
  const { accountId } = actor;
  await service.database.lock(query, secretsLock(accountId));
  const before = await findSecret(query, { accountId, name });
  requireOnSecret(actor, 'secret:setSecret', before ? ownedSecret(before) : { name, owner: nameOf(actor) });
  const context = sealedFor.accountSecret(accountId, name);
  if (before && service.sealer.unseal(before.sealed_value, context).reveal() === value.reveal())
    return undefined;
  if (!before && (await listSecrets(query, accountId)).length >= maxSecrets)
    throw new Failure('conflict', `The account has ${maxSecrets} secrets already`, {
      description: 'Delete a secret that is no longer needed: alm secret delete <name>.',
    });
  const row = {
    account_id: accountId,
    name,
    sealed_value: service.sealer.seal(value, context),
    revision: (before?.revision ?? 0) + 1,
    // Nothing uses a new one yet.
    given_revision: before?.given_revision ?? 1,
    created_by: before?.created_by ?? nameOf(actor),
    updated_by: nameOf(actor),
    updated_at: service.clock.now(),
  };
  await saveSecret(query, row);
  return row;
}

const maxNamed = 10;

export async function removeSecret({ database }: Service, actor: Actor, name: string): Promise<void> {
  const { accountId } = actor;
  await database.transaction(async (query) => {
    await database.lock(query, secretsLock(accountId));
    const row = await findSecret(query, { accountId, name });
    if (!row || !maySeeSecretName(actor, ownedSecret(row)))
      throw notFound('Secret', name, { denied: row !== undefined });
    requireOnSecret(actor, 'secret:deleteSecret', ownedSecret(row));
    const users = (await listSecretUsers(query, accountId)).filter(({ secret }) => secret === name);
    if (users.length > 0) throw inUse(actor, name, users);
    await deleteSecret(query, { accountId, name });
  });
}

type Users = Awaited<ReturnType<typeof listSecretUsers>>;

/** Names only stacks that the caller may see, and counts the others. */
function inUse(actor: Actor, name: string, users: Users): Failure {
  const named = users
    .filter((stack) => maySee(actor, stack))
    .slice(0, maxNamed)
    .map(({ id, nickname }) => `${nickname} (${id})`);
  const rest = users.length - named.length;
  const others = rest > 0 ? [`${rest} ${named.length > 0 ? 'more' : 'stacks'}`] : [];
  return new Failure('conflict', `Secret ${name} is in use by ${[...named, ...others].join(', ')}`, {
    description:
      'Remove it from container_secrets of their templates first. A stack that is being updated also holds the secrets of the version before.',
  });
}
