import type { Service } from '../service.ts';

/** Address of the registry, as clients and container engines reach it. Empty: there is none. */
export const registryUrl = ({ settings }: Pick<Service, 'settings'>): Promise<string> =>
  Promise.resolve(settings.registry.url);

/** What names of images on the registry start with; empty: there is none. */
export const registryHost = async (service: Pick<Service, 'settings'>): Promise<string> => {
  const url = await registryUrl(service);
  return url === '' ? '' : new URL(url).host;
};
