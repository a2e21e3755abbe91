import { beforeEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/basics/clock.ts';
import type { Engine } from '../../../src/docker-engine/types.ts';
import { Loads } from '../../../src/vendors/docker/loads.ts';
import { labels, onEngine } from '../../../src/vendors/docker/names.ts';
import { observe } from '../../../src/vendors/docker/observe.ts';
import { labelsOf } from '../../../src/vendors/docker/plan/container-specs.ts';
import type { DockerTools, Machine } from '../../../src/vendors/docker/tools.ts';
import { sampleModel } from '../sample-model.ts';
import { cache, compiled } from './documents.ts';

const stackId = 'mo-5447826c870e7-look-tk';
const minute = 60_000;
const document = compiled(sampleModel({ layers: [], caches: [cache({ nodes: 1 })] }));
const [service] = document.services;
if (!service) throw new Error('Expected one service.');

const volume = {
  name: onEngine(stackId, service.volume ?? ''),
  labels: { [labels.stack]: stackId, [labels.id]: '1a2b' },
};

let clock: VirtualClock;
/** As the marker records it. */
let usable: string[];
/** The one cache node of the stack. */
let node: { state: string; restartCount: number; createdAt: number; isReady: boolean };
beforeEach(() => {
  clock = new VirtualClock();
  usable = [];
  node = { state: 'running', restartCount: 0, createdAt: clock.now(), isReady: false };
});

const listed = () => [
  {
    id: 'marker',
    name: 'marker',
    state: 'created',
    networks: [],
    labels: {
      ...labelsOf(stackId, 'stack', ''),
      [labels.doing]: 'apply',
      [labels.version]: 'v1',
      [labels.document]: JSON.stringify(document),
      [labels.usable]: JSON.stringify(usable),
    },
  },
  {
    ...node,
    id: 'node',
    name: onEngine(stackId, service.name),
    networks: [],
    ports: [],
    labels: {
      ...labelsOf(stackId, 'cache', service.name),
      [labels.hash]: service.hash,
      [labels.volume]: volume.name,
      [labels.version]: 'v0',
    },
  },
];

/** An engine as Almanac sees it just after a start. */
function machine(): Machine {
  const engine = {
    containers: {
      list: async () => listed(),
      inspect: async () => node,
      exec: async () => ({ exitCode: node.isReady ? 0 : 1 }),
      logs: async () => 'no room\n',
    },
    networks: { list: async () => [{}] },
    volumes: { list: async () => [volume] },
  } as unknown as Engine;
  const tools = { clock } as unknown as DockerTools;
  return {
    engine,
    tools,
    socketPath: '',
    seenReady: new Set(),
    notReadySince: new Map(),
    loads: new Loads(),
  };
}

it('a container that is not ready after ten minutes breaks the stack', async () => {
  const fresh = machine();
  expect((await observe(fresh, stackId)).kind).toBe('busy');
  clock.advance(9 * minute);
  expect((await observe(fresh, stackId)).kind).toBe('unfinished');
  clock.advance(minute);
  const reason = expect.stringMatching(/is not ready after 10 minutes. Last log lines: no room/) as string;
  expect(await observe(fresh, stackId)).toMatchObject({ kind: 'broken', terminal: true, reason });
});

it('a new container that restarts repeatedly breaks the stack at once', async () => {
  Object.assign(node, { state: 'restarting', restartCount: 4 });
  expect(await observe(machine(), stackId)).toMatchObject({ kind: 'broken', terminal: true });
});

it('an old container may become ready after a start of Almanac, however often it was restarted', async () => {
  Object.assign(node, { restartCount: 9, createdAt: clock.now() - 1000 * minute });
  const restarted = machine();
  expect((await observe(restarted, stackId)).kind).toBe('busy');
  node.isReady = true;
  expect((await observe(restarted, stackId)).kind).toBe('settled');
});

it('a container that was ready once does not break the stack', async () => {
  node.isReady = true;
  const known = machine();
  expect((await observe(known, stackId)).kind).toBe('settled');
  Object.assign(node, { state: 'restarting', restartCount: 9 });
  expect((await observe(known, stackId)).kind).toBe('busy');
  clock.advance(100 * minute);
  expect((await observe(known, stackId)).kind).toBe('unfinished');
});

describe('the store of a cache', () => {
  const stores = async (on = machine()) => {
    const seen = await observe(on, stackId);
    return seen.kind === 'unreachable' ? [] : seen.view.stores;
  };
  const store = { resource: 'cache-sessions', kind: 'cache', name: 'sessions', id: `${volume.name}@1a2b` };

  it('is its volume, and may hold data once the cache was ready', async () => {
    expect(await stores()).toMatchObject([{ ...store, usable: false }]);
    node.isReady = true;
    expect(await stores()).toMatchObject([{ ...store, usable: true }]);
  });

  it('may hold data if it did when the version was requested, although its container is new', async () => {
    usable = [store.id];
    expect(await stores()).toMatchObject([{ usable: true }]);
  });

  it('may hold data if the cache is old or has ended, whether it is ready or not', async () => {
    node.createdAt = clock.now() - 11 * minute;
    expect(await stores()).toMatchObject([{ usable: true }]);
    Object.assign(node, { createdAt: clock.now(), state: 'exited' });
    expect(await stores()).toMatchObject([{ usable: true }]);
  });
});

it('what happens to a container names the version that made it, not the one that is asked for', async () => {
  node.isReady = true;
  const seen = await observe(machine(), stackId);
  expect(seen).toMatchObject({
    version: 'v1',
    view: {
      events: [
        { state: 'CREATE_IN_PROGRESS', version: 'v0' },
        { state: 'CREATE_COMPLETE', version: 'v0' },
      ],
    },
  });
});

it('a container is in service since it was seen so, not since it was created', async () => {
  const fresh = machine();
  const created = clock.now();
  await observe(fresh, stackId);
  clock.advance(3 * minute);
  node.isReady = true;
  expect(await observe(fresh, stackId)).toMatchObject({
    view: {
      events: [
        { state: 'CREATE_IN_PROGRESS', at: created },
        { state: 'CREATE_COMPLETE', at: created + 3 * minute },
      ],
    },
  });
});
