import { expect } from 'vitest';
import { VirtualClock } from '../../../src/basics/clock.ts';
import { deployDue } from '../../../src/operations/automatic/deploy-tracked.ts';
import { eventually } from '../../http.ts';
import { useAlmanacWithRegistry } from '../registry/use-registry.ts';
import type { Json } from '../served-almanac.ts';

const mediaType = 'application/vnd.oci.image.manifest.v1+json';

/** A template with layers of these containers, called `web0`, `web1` … */
export const withContainers = (...containers: object[]) => ({
  version: '2017-03-03',
  label: 'follows',
  description: '',
  vendor: { aws: { cred: 'SANDBOX', region: 'ap-northeast-1' } },
  configurations: containers.map((container, index) => ({
    role: 'web',
    flag: `web${index}`,
    provision: {
      image: '${computed}',
      instance_type: 't2.micro',
      instance_count: 1,
      availability_zone: 'ap-northeast-1a',
    },
    container,
  })),
});

/** An Almanac with a stand-in for its registry and a clock that tests move, and what happens in it after a push. */
export function useAutomatic() {
  const clock = new VirtualClock(Date.UTC(2030, 0, 1));
  const { almanac, images, registry } = useAlmanacWithRegistry({}, clock);
  const host = () => new URL(registry().url).host;

  /** Layers that are due, or that a server is at work on: the server under test also looks every second. */
  const countOpen = async (): Promise<number> => {
    const rows = await almanac.service.database.query.selectFrom('tracked_layers').select('due_at').execute();
    const isLater = (at: number) => at > clock.now() && at <= clock.now() + 10_000;
    return rows.filter(({ due_at: at }) => at !== null && !isLater(at)).length;
  };

  const deploy = async () => {
    await deployDue(almanac.service, (error) => {
      throw error;
    });
    await eventually(countOpen, (count) => count === 0);
  };

  /** Pushes, and tells Almanac as the registry does. Returns the digest. */
  const push = async (repository: string, tag: string, layer = tag): Promise<string> => {
    const digest = registry().push(repository, tag, { layer });
    await announce(repository, tag, digest);
    return digest;
  };

  const announce = async (repository: string, tag: string, digest: string): Promise<void> => {
    const event = {
      action: 'push',
      timestamp: '2020-01-01T00:00:00Z',
      target: { repository, digest, tag, mediaType },
      actor: { name: 'ann' },
    };
    expect((await images.notify([event])).status).toBe(202);
  };

  /** After the time between two automatic versions. */
  const pushAndDeploy = async (repository: string, tag: string, layer = tag): Promise<string> => {
    clock.advance(10_000);
    const digest = await push(repository, tag, layer);
    await deploy();
    return digest;
  };

  const create = async (json: object, token?: string) =>
    almanac.call('POST', '/v3/alm/template', { token: token ?? (await almanac.userToken()), json });

  const versionsOf = async (stackId: string): Promise<Json[]> =>
    (
      await almanac.call<Json[]>('GET', `/v3/alm/template?stack_id=${stackId}`, {
        token: await almanac.userToken(),
      })
    ).body;

  const templateOf = async (stackId: string): Promise<Json> =>
    (await almanac.call('GET', `/v3/alm/template/${stackId}`, { token: await almanac.userToken() })).body;

  /** The images of the layers of the newest version, without the host of the registry. */
  const imagesOf = async (stackId: string): Promise<(string | undefined)[]> => {
    const layers = (await templateOf(stackId))['configurations'] as {
      container: { container_image?: string; image?: string };
    }[];
    return layers.map(({ container }) =>
      (container.container_image ?? container.image)?.replace(`${host()}/`, ''),
    );
  };

  const eventsOf = async (stackId: string): Promise<string[]> => {
    const rows = almanac.service.database.query.selectFrom('events').selectAll();
    return (await rows.where('stack_id', '=', stackId).orderBy('number').execute()).map(
      ({ message }) => message,
    );
  };

  return {
    almanac,
    registry,
    clock,
    host,
    deploy,
    push,
    announce,
    pushAndDeploy,
    create,
    versionsOf,
    templateOf,
    imagesOf,
    eventsOf,
  };
}
