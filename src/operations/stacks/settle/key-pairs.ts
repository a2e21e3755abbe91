import type { Secret } from '../../../basics/secret.ts';
import { keyPairName } from '../../../model/names.ts';
import { newKeyPair } from '../../../ssh/private-key.ts';
import {
  findSealedKey,
  insertStackKeys,
  readPublicKeys,
  type StackKeyRow,
} from '../../../store/ssh/stack-keys.ts';
import { lockClaim } from '../../../store/stacks/schedule.ts';
import type { StackRow } from '../../../store/stacks/stacks.ts';
import { readDesiredModel } from '../../../store/stacks/versions.ts';
import { type Service, sealedFor } from '../../service.ts';
import { vendorOf } from '../submit/vendor-access.ts';

function newRow({ clock, sealer }: Service, stackId: string, flag: string): StackKeyRow {
  const { publicKey, privateKey } = newKeyPair(keyPairName(stackId, flag.replaceAll(/[^\w-]/g, '-')));
  return {
    stack_id: stackId,
    flag,
    public_key: publicKey,
    sealed_key: sealer.seal(privateKey, sealedFor.stackKey(stackId, flag)),
    created_at: clock.now(),
  };
}

/**
 * The public keys of a stack's layers by flag, where the vendor makes no key pairs. A pair is made once for each layer and kept
 * as long as the stack, also while the layer is gone: an update that is rolled back, or a later version, brings it back with the
 * same key, so that every server has the key that Almanac has.
 */
export async function publicKeysFor(service: Service, stack: StackRow): Promise<Map<string, string>> {
  const { query } = service.database;
  const { needsPublicKeys = false } = await vendorOf(service, stack);
  if (!needsPublicKeys) return new Map();
  const { model } = await readDesiredModel(query, stack);
  const known = await readPublicKeys(query, stack.id);
  const missing = model.layers.filter(({ flag, keyPair }) => keyPair && !known.has(flag));
  if (missing.length === 0) return known;
  const rows = missing.map(({ flag }) => newRow(service, stack.id, flag));
  await service.database.transaction(async (locked) => {
    if (!(await lockClaim(locked, stack))) throw new Error('Another server works on the stack.');
    await insertStackKeys(locked, rows);
  });
  // Another server may have been faster: what is stored counts.
  return readPublicKeys(query, stack.id);
}

/** The private half of a pair that Almanac made; undefined: there is none yet. */
export async function readStackKey(
  { database, sealer }: Service,
  stackId: string,
  flag: string,
): Promise<Secret | undefined> {
  const sealed = await findSealedKey(database.query, stackId, flag);
  return sealed === undefined ? undefined : sealer.unseal(sealed, sealedFor.stackKey(stackId, flag));
}
