import { readFile } from 'node:fs/promises';
import { randomHex } from '../../basics/random.ts';
import type {
  Container,
  ContainerDetails,
  ContainerSpec,
  Mount,
} from '../../docker-engine/container-types.ts';
import type { Engine, Image } from '../../docker-engine/types.ts';
import type { Settings } from '../settings.ts';
import type { Running } from '../state.ts';
import type { Place, Wanted } from '../wanted.ts';

/** How the application's containers of one instance are found at the engine again. */
export const appLabels = ({ stackId, flag, instanceId }: Place): Record<string, string> => ({
  'almanac.stack': stackId,
  'almanac.flag': flag,
  'almanac.instance': instanceId,
  'almanac.kind': 'app',
});

const volumeName = ({ instanceId }: Place): string => `${nameOf(instanceId)}-storage`;

/** What engines take as a name. */
const nameOf = (text: string): string => text.replaceAll(/[^\w.-]/g, '-').replace(/^[^a-zA-Z0-9]+/, '');

export const listAppContainers = (engine: Engine, place: Place): Promise<Container[]> =>
  engine.containers.list(appLabels(place));

/** Kinds of file systems that are shared; whatever else the host has mounted is not the application's. */
const sharedKind = /^(nfs4?|efs|fuse\.\w+)$/;

/** Where the host has the shared file system: where the container wants it, or wherever its id is mounted. */
export function findMounted(mounts: string, id: string | null, mountPath: string): string | undefined {
  const lines = mounts
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([, , kind = '']) => sharedKind.test(kind));
  const found =
    lines.find(([, place]) => place === mountPath) ??
    lines.find(([source = '']) => id !== null && source.includes(id));
  return found?.[1];
}

async function storageMounts(engine: Engine, place: Place, { storage }: Wanted): Promise<Mount[]> {
  if (!storage) return [];
  const { kind, id, mountPath } = storage;
  if (kind === 'local') {
    const volume = volumeName(place);
    await engine.volumes.create({ name: volume, labels: appLabels(place) });
    return [{ kind: 'volume', volume, target: mountPath }];
  }
  const instance = await engine.containers.inspect(place.instanceId);
  // The instance is a container itself: a path in it is not one of the machine's, but it may share a volume.
  if (instance) return [sharedVolume(instance, mountPath)];
  const source = findMounted(await readFile('/proc/self/mounts', 'utf8'), id, mountPath);
  if (source === undefined)
    throw new Error(
      `The file system ${id ?? kind} is not mounted on the instance; mount it at ${mountPath}.`,
    );
  return [{ kind: 'bind', source, target: mountPath }];
}

function sharedVolume({ mounts }: ContainerDetails, mountPath: string): Mount {
  const shared = mounts.find(({ kind, target }) => kind === 'volume' && target === mountPath);
  if (!shared) throw new Error(`The instance has no shared files at ${mountPath}.`);
  return { kind: 'volume', volume: shared.source, target: mountPath };
}

/** What `images/build.sh --from-host` writes on the images it makes. */
const usrMounts = (hostUsr: boolean, { labels }: Image): Mount[] =>
  hostUsr && labels['almanac.host-usr'] === 'true'
    ? [{ kind: 'bind', source: '/usr', target: '/usr', readOnly: true }]
    : [];

/** The ports and the revision stand on it as well, so that it can be taken over by an agent that knows nothing. */
export async function appContainerSpec(
  { engine, place, settings }: { engine: Engine; place: Place; settings: Settings },
  wanted: Wanted,
  image: Image,
): Promise<ContainerSpec> {
  const { network, hostUsr } = settings;
  return {
    name: `${nameOf(place.instanceId)}-app-${wanted.revision}-${randomHex(6)}`,
    image: wanted.image,
    environment: wanted.environment,
    labels: {
      ...appLabels(place),
      'almanac.revision': String(wanted.revision),
      'almanac.ports': wanted.ports.join(','),
    },
    mounts: [...(await storageMounts(engine, place, wanted)), ...usrMounts(hostUsr, image)],
    restart: 'unless-stopped',
    pidsLimit: 512,
    ...(network === null ? {} : { networks: [{ network }] }),
  };
}

/** What a container's labels say about it. */
export const runningFrom = ({ id, name, image, labels, createdAt }: Container): Running => ({
  containerId: id,
  name,
  image,
  revision: Number(labels['almanac.revision'] ?? 0),
  ports: (labels['almanac.ports'] ?? '').split(',').filter(Boolean).map(Number),
  since: createdAt,
});

/** Where it is reached: on the given network, or on whichever it has. Empty: nowhere, it does not run. */
export const addressOf = ({ networks }: Pick<Container, 'networks'>, network: string | null): string =>
  networks.find((each) => each.network === network)?.address ||
  networks.find(({ address }) => address !== '')?.address ||
  '';

/** Asks it to end, which lets it finish what it is at, and takes it away. */
export async function removeAppContainer(engine: Engine, id: string, stopSeconds: number): Promise<void> {
  await engine.containers.stop(id, stopSeconds).catch(() => false);
  await engine.containers.remove(id, { force: true });
}
