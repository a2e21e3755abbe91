import { afterAll, beforeAll } from 'vitest';
import type { Clock } from '../../../src/basics/clock.ts';
import { registrySecrets } from '../../../src/operations/registry/keys/signing-keys.ts';
import { type Answer, type Json, type ServedAlmanac, useServedAlmanac } from '../served-almanac.ts';
import { StandInRegistry } from './stand-in-registry.ts';

export type Tags = Record<string, Json & { digest: string; platforms: string[] }>;

/** An Almanac with a stand-in for its registry, and the calls about images. As the master, unless another token is given. */
export class ImageCaller {
  readonly almanac: ServedAlmanac;

  constructor(almanac: ServedAlmanac) {
    this.almanac = almanac;
  }

  async call<Body = Json>(
    method: string,
    path: string,
    query: Record<string, string> = {},
    token?: string,
  ): Promise<Answer<Body>> {
    return this.almanac.call<Body>(
      method,
      `/v3/alm/registry${path}?${new URLSearchParams(query).toString()}`,
      {
        token: token ?? (await this.almanac.userToken()),
      },
    );
  }

  list = (token?: string) => this.call<Json[]>('GET', '', {}, token);
  describe = (repository: string, token?: string) =>
    this.call<(Json & { tags: Tags })[]>(
      'GET',
      '',
      { targetKey: 'repository', targetValue: repository },
      token,
    );
  tags = (image_id: string, token?: string) => this.call('GET', '/imagetags', { image_id }, token);
  delete = (image_id: string, query: Record<string, string> = {}, token?: string) =>
    this.call('DELETE', '/image', { image_id, ...query }, token);
  preview = (image_id: string, token?: string) => this.call('GET', '/image/deletion', { image_id }, token);
  setVisibility = (image_id: string, visibility: string, token?: string) =>
    this.call('PUT', '/visibility', { image_id, visibility }, token);
  setDescription = (image_id: string, description: string, token?: string) =>
    this.call('PUT', '/description', { image_id, description }, token);

  names = async (token?: string) => (await this.list(token)).body.map(({ repository }) => repository);

  /** Sends events as the registry does, and waits until they are in the index. */
  async notify(events: readonly object[], secret?: string): Promise<Answer<Json>> {
    const answer = await this.announce(events, secret);
    await this.almanac.service.registryEvents.idle();
    return answer;
  }

  /** Sends events as the registry does. */
  async announce(events: readonly object[], secret?: string): Promise<Answer<Json>> {
    const [current] = await registrySecrets(this.almanac.service, 'notifications');
    return this.almanac.call('POST', '/v3/docker/notifications', {
      token: secret ?? current.reveal(),
      raw: JSON.stringify({ events }),
      headers: { 'content-type': 'application/vnd.docker.distribution.events.v1+json' },
    });
  }
}

interface WithRegistry {
  almanac: ServedAlmanac;
  images: ImageCaller;
  /** Only in tests and hooks. */
  registry: () => StandInRegistry;
}

export function useAlmanacWithRegistry(
  settings: Readonly<Record<string, string>> = {},
  clock?: Clock,
): WithRegistry {
  const environment: Record<string, string> = { ...settings };
  let standIn: StandInRegistry | null = null;
  beforeAll(async () => {
    standIn = await StandInRegistry.start();
    environment['ALM_REGISTRY_URL'] = standIn.url;
  });
  const almanac = useServedAlmanac({ environment, ...(clock ? { clock } : {}) });
  afterAll(() => standIn?.stop());
  const registry = () => {
    if (standIn) return standIn;
    throw new Error('The stand-in registry is not running; use it in tests and hooks only');
  };
  return { almanac, images: new ImageCaller(almanac), registry };
}

/** A template whose container runs an image. */
export const running = (image: string) => ({
  version: '2017-03-03',
  label: 'with an image',
  description: '',
  vendor: { aws: { cred: 'SANDBOX', region: 'ap-northeast-1' } },
  configurations: [
    {
      role: 'web',
      flag: 'web0',
      provision: {
        image: '${computed}',
        instance_type: 't2.micro',
        instance_count: 1,
        availability_zone: 'ap-northeast-1a',
      },
      container: { image },
    },
  ],
});
