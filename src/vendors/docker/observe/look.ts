import type { Container } from '../../../docker-engine/container-types.ts';
import { EngineError } from '../../../docker-engine/errors.ts';
import { labels, phaseOf, stackName } from '../names.ts';
import { readyFile } from '../plan/container-specs.ts';
import type { Kind, Running, Standing } from '../running.ts';
import type { Machine } from '../tools.ts';
import { isMarker, markerFrom } from './marker.ts';

export const configurationFile = '/etc/haproxy/haproxy.cfg';
const readyScript = '/opt/almanac/entry/ready.sh';

const states: Partial<Record<Container['state'], Standing['state']>> = {
  created: 'created',
  running: 'running',
  paused: 'running',
  restarting: 'restarting',
};

const standingFrom = (stackId: string, container: Container): Standing => {
  const { id, name, image, createdAt, ports, labels: own } = container;
  return {
    id,
    name,
    kind: (own[labels.kind] ?? 'app') as Kind,
    part: own[labels.part] ?? '',
    hash: own[labels.hash] ?? '',
    flag: own[labels.flag] ?? '',
    spot: own[labels.spot] === 'true',
    type: own[labels.type] ?? '',
    image,
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

/** What the engine has of a stack. Changes nothing, and asks nothing but the engine. */
export async function look(machine: Machine, stackId: string): Promise<Running> {
  const { containers, networks, volumes } = machine.engine;
  const mine = { [labels.stack]: stackId };
  const [found, nets, vols] = await Promise.all([
    containers.list(mine),
    networks.list(mine),
    volumes.list(mine),
  ]);
  const markers = found
    .filter(isMarker)
    .map(markerFrom)
    .toSorted((one, other) => other.sequence - one.sequence);
  const others = found.filter((container) => !isMarker(container) && container.state !== 'removing');
  const standing = others.map((container) => ({ container, view: standingFrom(stackId, container) }));
  const isLeaving = markers[0]?.doing === 'remove';
  return {
    markers,
    hasNetwork: nets.length > 0,
    volumes: vols.map(({ name, labels: own }) => ({ name, instance: own[labels.instance] ?? '' })),
    containers: isLeaving
      ? standing.map(({ view }) => view)
      : await Promise.all(standing.map((each) => closer(machine, each, standing))),
    takenNames: found.map(({ name }) => name),
  };
}

interface Seen {
  container: Container;
  view: Standing;
}

/** What a list does not tell. */
async function closer(machine: Machine, { container, view }: Seen, all: readonly Seen[]): Promise<Standing> {
  if (view.state !== 'running' || view.kind === 'app') return view;
  if (view.kind === 'balancer') {
    const configuration = await readText(machine, view.id, configurationFile);
    const addresses = all.filter((each) => each.view.kind === 'instance').map((each) => each.view.address);
    const isOutside = addresses.some((address) => address !== '' && !configuration.includes(` ${address}:`));
    return { ...view, configuration, peers: isOutside ? await peersOf(machine, view.id) : [] };
  }
  if (view.kind === 'instance' && container.labels[labels.agent] === 'true')
    return { ...view, ready: (await readText(machine, view.id, readyFile)) !== '' };
  return { ...view, ready: await saysReady(machine, view.id) };
}

/** Empty where there is no such file, or no such container any more. */
const readText = async ({ engine }: Machine, id: string, path: string): Promise<string> =>
  (await unlessGone(engine.containers.readFile(id, path)))?.toString() ?? '';

/** Whom a balancer still talks to. It ends by itself between two questions: then it talks to nobody. */
async function peersOf(machine: Machine, id: string): Promise<string[]> {
  const argv = ['ss', '-Htn', 'state', 'established'];
  const { stdout = '' } = (await unlessGone(machine.engine.containers.exec(id, argv))) ?? {};
  return stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/).at(-1) ?? '')
    .map((peer) => peer.replace(/:\d+$/, '').replace(/^\[(?:::ffff:)?(.*)\]$/, '$1'));
}

const maxRemembered = 10_000;

async function saysReady(machine: Machine, id: string): Promise<boolean> {
  const { seenReady } = machine;
  if (seenReady.has(id)) return true;
  const answer = await unlessGone(machine.engine.containers.exec(id, [readyScript]));
  if (answer?.exitCode !== 0) return false;
  if (seenReady.size >= maxRemembered) seenReady.clear();
  seenReady.add(id);
  return true;
}

/** A container may have ended since it was listed; that is an answer too. */
async function unlessGone<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof EngineError) return undefined;
    throw error;
  }
}
