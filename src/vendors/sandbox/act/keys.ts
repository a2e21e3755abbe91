import { createHmac } from 'node:crypto';
import { ed25519Key, openSshPrivateKey } from '../../../basics/open-ssh-key.ts';
import { Secret } from '../../../basics/secret.ts';
import type { SandboxStack } from '../cloud.ts';
import * as names from '../names.ts';
import { resourceStatesAt } from '../timeline.ts';

/** A valid private key in the format of OpenSSH, derived from the key pair's id and the access secret, and not stored. */
export function privateKeyOf(keyPairId: string, accessSecret: Secret): Secret {
  const seed = createHmac('sha256', accessSecret.reveal()).update(`private key of ${keyPairId}`).digest();
  return new Secret(openSshPrivateKey(ed25519Key(seed, keyPairId)));
}

/** The id of a layer's key pair; undefined: it does not exist or is not ready. */
export const keyPairIdOf = (stack: SandboxStack | undefined, flag: string, now: number): string | undefined =>
  (stack ? resourceStatesAt(stack, now) : []).find(
    ({ resource, state }) =>
      resource.name === names.keyPair(flag) && (state === 'ready' || state === 'updating'),
  )?.resource.id;
