import type { Container } from '../../../docker-engine/container-types.ts';
import { EngineError } from '../../../docker-engine/errors.ts';
import type { Volume } from '../../../docker-engine/types.ts';
import { isOwned, isRecord, type KeptVolume, recordFrom, storeIdOf } from '../keep/record.ts';
import { labels, phaseOf, stackName } from '../names.ts';
import type { Kind, ObservedStack, ObservedVolume, StackContainer } from '../observed-stack.ts';
import { readyFile } from '../plan/container-specs.ts';
import type { Machine } from '../tools.ts';
import { isMarker, markerFrom } from './marker.ts';

export const configurationFile = '/etc/haproxy/haproxy.cfg';
const readyScript = '/opt/almanac/entry/ready.sh';

const states: Partial<Record<Container['state'], StackContainer['state']>> = {
  created: 'created',
  running: 'running',
  paused: 'running',
  restarting: 'restarting',
};

const containerFrom = (stackId: string, container: Container): StackContainer => {
  const { id, name, image, createdAt, ports, labels: own } = container;
  return {
    id,
    name,
    kind: (own[labels.kind] ?? 'app') as Kind,
    part: own[labels.part] ?? '',
    hash: own[labels.hash] ?? '',
    flag: own[labels.flag] ?? '',
    inGroup: own[labels.group] === 'true',
    version: own[labels.version] ?? '',
    spot: own[labels.spot] === 'true',
    type: own[labels.type] ?? '',
    image,
    volume: own[labels.volume] ?? '',
    instance: own[labels.instance] ?? '',
    state: states[container.state] ?? 'ended',
    phase: phaseOf(name),
    address: container.networks.find(({ network }) => network === stackName(stackId))?.address ?? '',
    ports,
    createdAt,
    ready: false,
    configuration: '',
    peers: [],
  };
};

const volumesFrom = (found: readonly Volume[], records: readonly KeptVolume[]): ObservedVolume[] =>
  found.filter(isOwned).map((volume) => ({
    name: volume.name,
    storeId: storeIdOf(volume),
    instance: volume.labels[labels.instance] ?? '',
    flag: volume.labels[labels.flag] ?? '',
    isCopy: volume.labels[labels.role] === 'replica',
    restoredFrom: volume.labels[labels.restoredFrom] ?? '',
    kept: records.find((record) => record.volume === volume.name) ?? null,
  }));

/** Reads everything the engine has of a stack. Changes nothing. */
export async function readStack(machine: Machine, stackId: string): Promise<ObservedStack> {
  const { containers, networks, volumes } = machine.engine;
  const ofStack = { [labels.stack]: stackId };
  const [found, foundNetworks, foundVolumes] = await Promise.all([
    containers.list(ofStack),
    networks.list(ofStack),
    volumes.list(ofStack),
  ]);
  const markers = found
    .filter(isMarker)
    .map(markerFrom)
    .toSorted((one, other) => other.sequence - one.sequence);
  const listed = found
    .filter((container) => !isMarker(container) && !isRecord(container) && container.state !== 'removing')
    .map((raw) => ({ raw, container: containerFrom(stackId, raw) }));
  const isRemoving = markers[0]?.doing === 'remove';
  return {
    markers,
    hasNetwork: foundNetworks.length > 0,
    volumes: volumesFrom(foundVolumes, found.filter(isRecord).map(recordFrom)),
    containers: isRemoving
      ? listed.map(({ container }) => container)
      : await Promise.all(listed.map((each) => withDetails(machine, each, listed))),
    takenNames: found.map(({ name }) => name),
  };
}

interface Listed {
  raw: Container;
  container: StackContainer;
}

/** Adds what a list does not include: readiness, and a balancer's configuration and connections. */
async function withDetails(
  machine: Machine,
  { raw, container }: Listed,
  all: readonly Listed[],
): Promise<StackContainer> {
  const { id, kind, state } = container;
  if (kind === 'copy') return { ...container, ready: await hasSucceeded(machine, container) };
  if (state !== 'running' || kind === 'app') return container;
  if (kind === 'balancer') {
    const configuration = await readText(machine, id, configurationFile);
    const isMissing = all.some(
      ({ container: { kind: other, address } }) =>
        other === 'instance' && address !== '' && !configuration.includes(` ${address}:`),
    );
    return { ...container, configuration, peers: isMissing ? await peersOf(machine, id) : [] };
  }
  if (kind === 'instance' && raw.labels[labels.agent] === 'true')
    return { ...container, ready: (await readText(machine, id, readyFile)) !== '' };
  return { ...container, ready: await isReady(machine, id) };
}

const hasSucceeded = async ({ engine }: Machine, { id, state }: StackContainer): Promise<boolean> =>
  state === 'ended' && (await engine.containers.inspect(id))?.exitCode === 0;

/** Empty if the file or the container does not exist. */
const readText = async ({ engine }: Machine, id: string, path: string): Promise<string> =>
  (await unlessFailed(engine.containers.readFile(id, path)))?.toString() ?? '';

/** The addresses a balancer has connections to. None if it has ended since it was listed. */
async function peersOf(machine: Machine, id: string): Promise<string[]> {
  const argv = ['ss', '-Htn', 'state', 'established'];
  const { stdout = '' } = (await unlessFailed(machine.engine.containers.exec(id, argv))) ?? {};
  return stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/).at(-1) ?? '')
    .map((peer) => peer.replace(/:\d+$/, '').replace(/^\[(?:::ffff:)?(.*)\]$/, '$1'));
}

const maxCached = 10_000;

/** Runs the image's readiness check, until it succeeds once. */
async function isReady(machine: Machine, id: string): Promise<boolean> {
  const { seenReady } = machine;
  if (seenReady.has(id)) return true;
  const result = await unlessFailed(machine.engine.containers.exec(id, [readyScript]));
  if (result?.exitCode !== 0) return false;
  if (seenReady.size >= maxCached) seenReady.clear();
  seenReady.add(id);
  return true;
}

/** A container may have ended since it was listed: an error response of the engine is a valid result. */
async function unlessFailed<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof EngineError) return undefined;
    throw error;
  }
}
