import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { leaseMs } from '../../src/reconcile/loop.ts';
import { oneServer, World } from '../world.ts';
import { Crash, type CrashPoint, mortalTools } from './crash.ts';

interface Situation {
  /** Brings the stack to where the operation begins. */
  before(world: World, stack: string): Promise<void>;
  ask(world: World, stack: string): Promise<unknown>;
  /** What must be true in the end, however often a worker died on the way. */
  expected: { status: string; servers: number };
}

const settled = (world: World) => world.settle();

const situations: Record<string, Situation> = {
  create: {
    before: async () => {},
    ask: async () => {},
    expected: { status: 'CREATE_COMPLETE', servers: 2 },
  },
  update: {
    before: settled,
    ask: (world, stack) => world.update(stack, oneServer(3)),
    expected: { status: 'UPDATE_COMPLETE', servers: 3 },
  },
  delete: {
    before: settled,
    ask: (world, stack) => world.delete(stack),
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

/** One worker does the work and dies where it is told; another finds what it left. The world is left empty again. */
async function live(world: World, situation: Situation, crash: CrashPoint | null): Promise<Ending> {
  world.errors.length = 0;
  const stack = await world.create(oneServer(2));
  await situation.before(world, stack);
  await situation.ask(world, stack);
  const { tools, acts } = mortalTools(world.tools, crash);
  await world.settle(world.worker('mortal', tools));
  world.clock.advance(leaseMs + 1);
  await world.settle(world.worker('heir'));
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
  it('leaves nothing that another cannot finish, wherever it dies', async () => {
    const whole = await live(world, situation, null);
    expect(whole.acts).toEqual(
      expect.arrayContaining([
        'connect',
        'observe',
        name === 'delete' ? 'remove' : 'apply',
        'note down',
        'notify',
      ]),
    );
    const points = whole.acts.flatMap((_, index): CrashPoint[] => [
      { act: index + 1, moment: 'before' },
      { act: index + 1, moment: 'after' },
    ]);
    for (const point of points) {
      const { status, runningServers, heldServers, statusEvents, crashed } = await live(
        world,
        situation,
        point,
      );
      const where = `${point.moment} ${whole.acts[point.act - 1]} (act ${point.act})`;
      expect({ where, status, runningServers, heldServers }).toEqual({
        where,
        status: situation.expected.status,
        runningServers: situation.expected.servers,
        heldServers: situation.expected.servers,
      });
      expect(statusEvents, where).toEqual(whole.statusEvents);
      expect(crashed, where).toBe(true);
    }
  }, 120_000);
});

describe('a crash after the vendor accepted, before we noted it', () => {
  it('asks again and makes nothing twice', async () => {
    const { acts } = await live(world, situations.create as Situation, null);
    const accepted = acts.indexOf('apply') + 1;
    const ending = await live(world, situations.create as Situation, { act: accepted, moment: 'after' });
    expect(ending).toMatchObject({ status: 'CREATE_COMPLETE', heldServers: 2 });
  });
});
