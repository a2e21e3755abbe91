import { createHmac, createPrivateKey } from 'node:crypto';
import { Secret } from '../../../basics/secret.ts';
import type { SandboxStack } from '../cloud.ts';
import * as names from '../names.ts';
import { resourceStatesAt } from '../timeline.ts';

/** The prefix of the 32 secret bytes of an Ed25519 key in PKCS #8 (RFC 8410). */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/** A valid private key, derived from the key pair's id and the access secret, and not stored. */
export function privateKeyOf(keyPairId: string, accessSecret: Secret): Secret {
  const seed = createHmac('sha256', accessSecret.reveal()).update(`private key of ${keyPairId}`).digest();
  const key = createPrivateKey({ key: Buffer.concat([pkcs8Prefix, seed]), format: 'der', type: 'pkcs8' });
  return new Secret(key.export({ format: 'pem', type: 'pkcs8' }).toString());
}

/** The id of a layer's key pair; undefined: it does not exist or is not ready. */
export const keyPairIdOf = (stack: SandboxStack, flag: string, now: number): string | undefined =>
  resourceStatesAt(stack, now).find(
    ({ resource, state }) =>
      resource.name === names.keyPair(flag) && (state === 'ready' || state === 'updating'),
  )?.resource.id;
