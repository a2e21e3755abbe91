import { randomText } from '../../../basics/random.ts';
import { Secret } from '../../../basics/secret.ts';
import { readMeta, setMetaOnce } from '../../../store/database/meta.ts';
import { type Service, sealedFor } from '../../service.ts';

const key = 'registry_http_secret';

/**
 * With which registries behind one address sign the state of an upload. A rotation of the keys does not change it: while registries
 * are restarted one after the other, an upload may reach one with the old configuration and then one with the new.
 */
export async function httpSecret({
  database,
  sealer,
}: Pick<Service, 'database' | 'sealer'>): Promise<Secret> {
  const { query } = database;
  await setMetaOnce(query, key, sealer.seal(new Secret(randomText(32)), sealedFor.registryHttp));
  return sealer.unseal((await readMeta(query, key)) ?? '', sealedFor.registryHttp);
}
