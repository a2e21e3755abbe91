import { access, readFile } from 'node:fs/promises';
import { randomHex } from '../../basics/random.ts';
import type {
  Container,
  ContainerDetails,
  ContainerSpec,
  Mount,
} from '../../docker-engine/container-types.ts';
import type { Engine, Image } from '../../docker-engine/types.ts';
import type { Deployment, InstanceIdentity } from '../deployment.ts';
import type { Settings } from '../settings.ts';
import type { Running } from '../state.ts';

/** Labels that identify the application's containers of one instance. */
const appLabels = ({ stackId, flag, instanceId }: InstanceIdentity): Record<string, string> => ({
  'almanac.stack': stackId,
  'almanac.flag': flag,
  'almanac.instance': instanceId,
  'almanac.kind': 'app',
});

const volumeName = ({ instanceId }: InstanceIdentity): string => `${toName(instanceId)}-storage`;

/** Replaces the characters that engines do not allow in names. */
const toName = (text: string): string => text.replaceAll(/[^\w.-]/g, '-').replace(/^[^a-zA-Z0-9]+/, '');

export const listAppContainers = (engine: Engine, instance: InstanceIdentity): Promise<Container[]> =>
  engine.containers.list(appLabels(instance));

/** Types of shared file systems. No other mount of the host is for the application. */
const sharedKind = /^(nfs4?|efs|fuse\.\w+)$/;

/** The host's mount point of the shared file system: the container's mount path, or the mount with its id. */
export function findMounted(mounts: string, id: string | null, mountPath: string): string | undefined {
  const lines = mounts
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([, , kind = '']) => sharedKind.test(kind));
  const found =
    lines.find(([, mountPoint]) => mountPoint === mountPath) ??
    lines.find(([source = '']) => id !== null && source.includes(id));
  return found?.[1];
}

interface ContainerTools {
  engine: Engine;
  instance: InstanceIdentity;
  settings: Settings;
}

async function storageMounts(tools: ContainerTools, { storage }: Deployment): Promise<Mount[]> {
  if (!storage) return [];
  const { engine, instance } = tools;
  const { kind, id, mountPath } = storage;
  // An instance that is a container itself cannot bind its paths, but it can share a volume.
  const container = await engine.containers.inspect(instance.instanceId);
  if (kind === 'local') return [await localMount(tools, { container, target: mountPath })];
  if (container) return [sharedVolume(container, mountPath)];
  const source = findMounted(await readFile('/proc/self/mounts', 'utf8'), id, mountPath);
  if (source === undefined)
    throw new Error(`File system ${id ?? kind} is not mounted on the instance. Mount it at ${mountPath}.`);
  return [{ kind: 'bind', source, target: mountPath }];
}

/**
 * A directory or a volume that outlives the instance, as its vendor says; or else a volume of the engine, which is on the disk of
 * the instance.
 */
async function localMount(
  { engine, instance, settings }: ContainerTools,
  { container, target }: { container: ContainerDetails | undefined; target: string },
): Promise<Mount> {
  const { storageDirectory } = settings;
  if (storageDirectory !== undefined) {
    // The engine might create it on the disk of the instance, where data is lost with the instance.
    await access(storageDirectory).catch(() => {
      throw new Error(`Directory ${storageDirectory} not found. Mount the volume with the files first.`);
    });
    return { kind: 'bind', source: storageDirectory, target };
  }
  const lasting = container?.labels['almanac.volume'];
  const labels = lasting === undefined ? appLabels(instance) : { 'almanac.stack': instance.stackId };
  const volume = lasting ?? volumeName(instance);
  await engine.volumes.create({ name: volume, labels });
  return { kind: 'volume', volume, target };
}

function sharedVolume({ mounts }: ContainerDetails, mountPath: string): Mount {
  const shared = mounts.find(({ kind, target }) => kind === 'volume' && target === mountPath);
  if (!shared) throw new Error(`The instance has no shared volume at ${mountPath}.`);
  return { kind: 'volume', volume: shared.source, target: mountPath };
}

/** The label is set by `images/build.sh --from-host`. */
const usrMounts = (hostUsr: boolean, { labels }: Image): Mount[] =>
  hostUsr && labels['almanac.host-usr'] === 'true'
    ? [{ kind: 'bind', source: '/usr', target: '/usr', readOnly: true }]
    : [];

/** Labels hold the ports and the revision too, so that an agent without state can adopt the container. */
export async function appContainerSpec(
  tools: ContainerTools,
  deployment: Deployment,
  image: Image,
): Promise<ContainerSpec> {
  const { instance } = tools;
  const { network, hostUsr } = tools.settings;
  return {
    name: `${toName(instance.instanceId)}-app-${deployment.revision}-${randomHex(6)}`,
    image: deployment.image,
    environment: deployment.environment,
    labels: {
      ...appLabels(instance),
      'almanac.revision': String(deployment.revision),
      'almanac.ports': deployment.ports.join(','),
    },
    mounts: [...(await storageMounts(tools, deployment)), ...usrMounts(hostUsr, image)],
    restart: 'unless-stopped',
    pidsLimit: 512,
    ...(network === null ? {} : { networks: [{ network }] }),
  };
}

/** Restores the state of a container from its labels. */
export const toRunning = ({ id, name, image, labels, createdAt }: Container): Running => ({
  containerId: id,
  name,
  image,
  revision: Number(labels['almanac.revision'] ?? 0),
  ports: (labels['almanac.ports'] ?? '').split(',').filter(Boolean).map(Number),
  since: createdAt,
});

/** The container's address on the given network, or on any other. Empty: it is not running. */
export const addressOf = ({ networks }: Pick<Container, 'networks'>, network: string | null): string =>
  networks.find((each) => each.network === network)?.address ||
  networks.find(({ address }) => address !== '')?.address ||
  '';

/** Stops the container gracefully and removes it. */
export async function removeAppContainer(engine: Engine, id: string, stopSeconds: number): Promise<void> {
  await engine.containers.stop(id, stopSeconds).catch(() => false);
  await engine.containers.remove(id, { force: true });
}
