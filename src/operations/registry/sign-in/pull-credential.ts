import { createHmac } from 'node:crypto';
import { Secret } from '../../../basics/secret.ts';
import { isStackId } from '../../../model/names.ts';
import { repositoryOn } from '../../../model/registry/image-reference.ts';
import { findStackById } from '../../../store/stacks/stacks.ts';
import type { Actor } from '../../access/access.ts';
import { equalTexts } from '../../access/secret-hash.ts';
import type { Service } from '../../service.ts';
import { registryAddress } from '../address.ts';
import { registrySecrets } from '../keys/signing-keys.ts';

/**
 * What agents pull with: the stack and a password that ends soon, so that an instance has nothing that lasts. The same for half an
 * hour, because agents save a changed configuration. Nothing is stored: the server recognizes what it signed.
 */
export interface PullCredential {
  username: string;
  password: Secret;
}

const windowMs = 30 * 60_000;

const sign = (secret: Secret, stackId: string, end: number): string =>
  createHmac('sha256', secret.reveal()).update(`${stackId} until ${end}`).digest('base64url');

/** Valid for 30 to 60 minutes. */
async function newPullCredential(service: Service, stackId: string): Promise<PullCredential> {
  const [secret] = await registrySecrets(service, 'pull');
  const end = (Math.floor(service.clock.now() / windowMs) + 2) * windowMs;
  return { username: stackId, password: new Secret(`${end}-${sign(secret, stackId, end)}`) };
}

/** Null: the image is not on the registry of this service. */
export async function pullCredentialFor(
  service: Service,
  stackId: string,
  image: string | null,
): Promise<PullCredential | null> {
  const address = image === null ? null : await registryAddress(service);
  if (image === null || !address) return null;
  return repositoryOn(new URL(address.url).host, image) === null ? null : newPullCredential(service, stackId);
}

/** Null: it is wrong or has ended, or the stack was deleted. */
export async function actorOfPullCredential(
  service: Service,
  stackId: string,
  password: string,
): Promise<Actor | null> {
  const [, end, signature] = /^(\d{1,15})-([\w-]{43})$/.exec(password) ?? [];
  if (!isStackId(stackId) || end === undefined || signature === undefined) return null;
  if (Number(end) <= service.clock.now()) return null;
  const secrets = await registrySecrets(service, 'pull');
  if (!secrets.some((secret) => equalTexts(sign(secret, stackId, Number(end)), signature))) return null;
  const stack = await findStackById(service.database.query, stackId);
  if (!stack || stack.deleted_at !== null) return null;
  return { kind: 'stack', stackId, accountId: stack.account_id, clientId: stackId, clientKind: 'agent' };
}
