import { oneServer } from '../world.ts';

interface WebLayer {
  servers?: number;
  /** Further members of the layer. */
  more?: object;
  /** Further members of its provision. */
  provision?: object;
}

/** A template with one layer that runs a container. */
export function web(image: string, { servers = 2, more = {}, provision = {} }: WebLayer = {}) {
  const { configurations, ...rest } = oneServer(servers);
  const [layer] = configurations;
  const container = { container_image: image };
  const only = { ...layer, provision: { ...layer?.provision, ...provision }, container, ...more };
  return { ...rest, configurations: [only] };
}
