import { createHmac } from 'node:crypto';
import {
  type Ed25519Key,
  ed25519Key,
  openSshPrivateKey,
  openSshPublicKey,
} from '../../../basics/open-ssh-key.ts';
import { Secret } from '../../../basics/secret.ts';
import { keyPairName } from '../../../model/names.ts';

/**
 * Key pairs in the format every ssh client reads. They are derived from a seed and the layer, and not stored. The random
 * seed is a label of the stack's network, which is readable only with access to the engine.
 */

function keyOf(seed: string, stackId: string, flag: string): Ed25519Key {
  const secretBytes = createHmac('sha256', seed).update(`private key of layer ${flag}`).digest();
  return ed25519Key(secretBytes, keyPairName(stackId, flag));
}

/** One line of an `authorized_keys` file. */
export const publicKeyOf = (seed: string, stackId: string, flag: string): string =>
  openSshPublicKey(keyOf(seed, stackId, flag));

export const privateKeyOf = (seed: string, stackId: string, flag: string): Secret =>
  new Secret(openSshPrivateKey(keyOf(seed, stackId, flag)));
