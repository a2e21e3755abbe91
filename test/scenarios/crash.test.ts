import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { leaseMs } from '../../src/reconcile/loop.ts';
import { oneServer, World } from '../world.ts';
import { Crash, type CrashPoint, dyingTools } from './crash.ts';

interface Situation {
  /** Brings the stack to where the operation begins. */
  before(world: World, stack: string): Promise<void>;
  request(world: World, stack: string): Promise<unknown>;
  /** The required result, however often a worker died. */
  expected: { status: string; servers: number };
}

const settled = (world: World) => world.settle();

const situations: Record<string, Situation> = {
  create: {
    before: async () => {},
    request: async () => {},
    expected: { status: 'CREATE_COMPLETE', servers: 2 },
  },
  update: {
    before: settled,
    request: (world, stack) => world.update(stack, oneServer(3)),
    expected: { status: 'UPDATE_COMPLETE', servers: 3 },
  },
  delete: {
    before: settled,
    request: (world, stack) => world.delete(stack),
    expected: { status: 'DELETE_COMPLETE', servers: 0 },
  },
};

interface Ending {
  acts: string[];
  status: string;
  runningServers: number;
  heldServers: number;
  statusEvents: string[];
  crashed: boolean;
}

/** One worker does the work and dies at the crash point; another one takes over. The world is empty again afterwards. */
async function live(world: World, situation: Situation, crash: CrashPoint | null): Promise<Ending> {
  world.errors.length = 0;
  const stack = await world.create(oneServer(2));
  await situation.before(world, stack);
  await situation.request(world, stack);
  const { tools, acts } = dyingTools(world.tools, crash);
  await world.settle(world.worker('dying', tools));
  world.clock.advance(leaseMs + 1);
  await world.settle(world.worker('successor'));
  const described = await world.describe(stack);
  const held = (await world.inTheCloud())[stack] ?? [];
  const ending = {
    acts,
    status: described.status,
    runningServers: described.view.instances.filter((server) => server.state === 'running').length,
    heldServers: held.filter((name) => name.startsWith('Instance')).length,
    statusEvents: (await world.story(stack)).filter((line) => /_COMPLETE|_FAILED/.test(line)),
    crashed: world.errors.length > 0 && world.errors.every((error) => error instanceof Crash),
  };
  if (ending.status !== 'DELETE_COMPLETE') {
    await world.delete(stack);
    await world.settle();
  }
  expect(await world.inTheCloud()).toEqual({});
  return ending;
}

let world: World;
beforeEach(async () => {
  world = await World.open();
});
afterEach(() => world.close());

describe.each(Object.entries(situations))('a worker that dies during %s', (name, situation) => {
  it('leaves nothing that another worker cannot finish, wherever it dies', async () => {
    const complete = await live(world, situation, null);
    expect(complete.acts).toEqual(
      expect.arrayContaining([
        'connect',
        'observe',
        name === 'delete' ? 'remove' : 'apply',
        'record',
        'notify',
      ]),
    );
    const points = complete.acts.flatMap((_, index): CrashPoint[] => [
      { act: index + 1, moment: 'before' },
      { act: index + 1, moment: 'after' },
    ]);
    for (const point of points) {
      const { status, runningServers, heldServers, statusEvents, crashed } = await live(
        world,
        situation,
        point,
      );
      const where = `${point.moment} ${complete.acts[point.act - 1]} (act ${point.act})`;
      expect({ where, status, runningServers, heldServers }).toEqual({
        where,
        status: situation.expected.status,
        runningServers: situation.expected.servers,
        heldServers: situation.expected.servers,
      });
      expect(statusEvents, where).toEqual(complete.statusEvents);
      expect(crashed, where).toBe(true);
    }
  }, 600_000);
});

describe('a crash after the vendor accepted and before the pass was recorded', () => {
  it('repeats the request and creates nothing twice', async () => {
    const { acts } = await live(world, situations.create as Situation, null);
    const accepted = acts.indexOf('apply') + 1;
    const ending = await live(world, situations.create as Situation, { act: accepted, moment: 'after' });
    expect(ending).toMatchObject({ status: 'CREATE_COMPLETE', heldServers: 2 });
  });
});
