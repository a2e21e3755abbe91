import { Failure } from '../../../basics/failure.ts';
import { Registry } from '../../../registry/registry.ts';
import type { Service } from '../../service.ts';
import { registryUrl } from '../registry-address.ts';
import { signRegistryToken } from '../sign-token.ts';

/** Whom the registry names as the actor of our own requests. */
export const ownSubject = 'almanac';

const noRegistry = (): Failure =>
  new Failure('not_found', 'This server has no container registry', {
    description: 'The operator sets ALM_REGISTRY_URL, or starts one to try it: almanac registry up.',
  });

/** Address of the registry as clients reach it. Fails if there is none. */
export async function requireRegistryUrl(service: Service): Promise<string> {
  const url = await registryUrl(service);
  if (url === '') throw noRegistry();
  return url;
}

/** The registry of this server, called in its own name: callers are checked before. */
export async function openRegistry(service: Service): Promise<Registry> {
  const publicUrl = await requireRegistryUrl(service);
  const { internalUrl, timeoutMs } = service.settings.registry;
  return new Registry({
    url: internalUrl || publicUrl,
    timeoutMs,
    token: async (access) => (await signRegistryToken(service, { access, subject: ownSubject })).token,
  });
}
