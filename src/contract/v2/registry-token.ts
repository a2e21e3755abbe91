import { route } from '../route.ts';
import { getRegistryToken, postRegistryToken } from '../v3/registry/token.ts';

export const registryTokenRoutes = [
  route({ ...getRegistryToken, name: 'v2GetRegistryToken', path: '/v2/docker/token' }),
  route({ ...postRegistryToken, name: 'v2ExchangeRegistryToken', path: '/v2/docker/token' }),
] as const;
