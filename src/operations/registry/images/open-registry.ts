import { Failure } from '../../../basics/failure.ts';
import { Registry } from '../../../registry/registry.ts';
import type { Service } from '../../service.ts';
import { type RegistryAddress, registryAddress } from '../address.ts';
import { signRegistryToken } from '../sign-token.ts';

/** Whom the registry names as the actor of our own requests. No user or client can have this name: it has a space. */
export const ownSubject = 'almanac server';

const noRegistry = (): Failure =>
  new Failure('not_found', 'This server has no container registry', {
    description: 'The operator sets ALM_REGISTRY_URL, or starts one to try it: almanac registry up.',
  });

async function requireAddress(service: Service): Promise<RegistryAddress> {
  const address = await registryAddress(service);
  if (!address) throw noRegistry();
  return address;
}

/** What the names of images in templates start with. Fails if there is no registry. */
export const registryHost = async (service: Service): Promise<string> =>
  new URL((await requireAddress(service)).url).host;

/** The registry of this server, called in its own name: callers are checked before. */
export async function openRegistry(service: Service): Promise<Registry> {
  const { internalUrl } = await requireAddress(service);
  return new Registry({
    url: internalUrl,
    timeoutMs: service.settings.registry.timeoutMs,
    token: async (access) => (await signRegistryToken(service, { access, subject: ownSubject })).token,
  });
}
