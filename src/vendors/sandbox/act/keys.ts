import { createHmac, createPrivateKey } from 'node:crypto';
import { Secret } from '../../../basics/secret.ts';
import type { SandboxStack } from '../cloud.ts';
import * as names from '../names.ts';
import { worldAt } from '../world.ts';

/** What stands before the 32 secret bytes of an Ed25519 key in PKCS #8 (RFC 8410). */
const keyHeader = Buffer.from('302e020100300506032b657004220420', 'hex');

/** A real private key that is stored nowhere: the same key pair and the same access secret always give the same. */
export function privateKeyOf(
  stack: SandboxStack | undefined,
  flag: string,
  accessSecret: Secret,
  now: number,
): Secret | undefined {
  const pair = stack && worldAt(stack.base, stack.steps, now).find(isReadyKeyOf(flag))?.resource;
  if (!pair) return undefined;
  const seed = createHmac('sha256', accessSecret.reveal()).update(`private key of ${pair.id}`).digest();
  const key = createPrivateKey({ key: Buffer.concat([keyHeader, seed]), format: 'der', type: 'pkcs8' });
  return new Secret(key.export({ format: 'pem', type: 'pkcs8' }).toString());
}

const isReadyKeyOf =
  (flag: string) =>
  ({ resource, state }: ReturnType<typeof worldAt>[number]): boolean =>
    resource.name === names.keyPair(flag) && (state === 'ready' || state === 'updating');
