import { afterAll, expect, it } from 'vitest';
import { type Clock, realClock } from '../../src/basics/clock.ts';
import type { Layer } from '../../src/model/stack-model.ts';
import type { StackView } from '../../src/vendors/vendor.ts';
import { callHttp, eventually } from '../http.ts';
import { scalingGroup } from '../vendors/docker/documents.ts';
import { sampleGroup, sampleModel } from '../vendors/sample-model.ts';
import { outputIn, VendorWorld } from './world/vendor-world.ts';

/** A clock that can run faster than time, for the minutes in which nothing happens. */
class FastClock implements Clock {
  #speed = 1;
  #since = realClock.now();
  #at = this.#since;

  now(): number {
    return Math.floor(this.#at + (realClock.now() - this.#since) * this.#speed);
  }

  after(ms: number, callback: () => void): () => void {
    return realClock.after(ms / this.#speed, callback);
  }

  set speed(speed: number) {
    this.#at = this.now();
    this.#since = realClock.now();
    this.#speed = speed;
  }
}

const clock = new FastClock();
const world = new VendorWorld({ clock });
const stack = world.newStack();
afterAll(() => world.clear());

const group = (): Layer => {
  const layer = scalingGroup(1);
  if (layer.capacity.kind !== 'group') throw new Error('Expected a group.');
  // A low target: a busy machine gives a container little of its processors.
  const scaling = { metric: 'cpu', target: 5 } as const;
  return { ...layer, capacity: { ...layer.capacity, max: 2, cooldownSeconds: 30, scaling } };
};

/** As the reconciler does, until the group has so many instances. */
async function settleAt(driven: VendorWorld, instances: number): Promise<StackView> {
  const seen = await driven.drive(
    stack,
    ({ kind, ...rest }) => kind === 'settled' && 'view' in rest && rest.view.instances.length === instances,
    3000,
  );
  if (seen.kind !== 'settled') throw new Error(`The stack is ${seen.kind}.`);
  return seen.view;
}
const scalingIn = ({ events }: StackView): string[] =>
  events.filter(({ state }) => state === 'SCALING').map(({ message }) => message);

it('a group grows while its instance burns CPU, keeps its size in a new server, and shrinks when the load is gone', async () => {
  const model = sampleModel({ layers: [group()] });
  const before = await world.make(stack, model);
  expect(before.instances).toHaveLength(1);
  const [only] = before.instances;
  const burn = { path: '/run/almanac/burn', content: '' };
  await world.engine.containers.putFiles(only?.id ?? '', [burn]);
  const grown = await settleAt(world, 2);
  expect(scalingIn(grown)).toEqual([
    expect.stringMatching(/^Grows from 1 to 2 instances: their average CPU use is \d+ % of a processor.$/),
  ]);
  expect(grown.instances.map(({ id }) => id)).toContain(only?.id);

  const restarted = new VendorWorld({ clock });
  expect((await restarted.make(stack, model)).instances).toHaveLength(2);
  expect((await restarted.make(stack, model, 'v2')).instances).toHaveLength(2);

  await world.engine.containers.exec(only?.id ?? '', ['rm', '/run/almanac/burn']);
  clock.speed = 20;
  const shrunk = await settleAt(restarted, 1);
  clock.speed = 1;
  expect(shrunk.instances.map(({ id }) => id)).toEqual([only?.id]);
  expect(scalingIn(shrunk)).toEqual([expect.stringContaining('Shrinks from 2 to 1 instances')]);
});

it('a balanced group in which nothing listens is complete, is not replaced, and serves as soon as something listens', async () => {
  const silent = new VendorWorld({ agent: 'none' });
  const quiet = silent.newStack();
  const { instances: before } = await silent.make(quiet, sampleModel({ layers: [sampleGroup(2, 0)] }));
  let looks = 0;
  const { kind } = await silent.drive(quiet, (seen) => seen.kind !== 'settled' || (looks += 1) > 100);
  const after = await silent.settle(quiet);
  expect([kind, after.instances.map(({ id }) => id)]).toEqual(['settled', before.map(({ id }) => id)]);
  const address = `http://${outputIn(after, 'Address')}/`;
  expect((await callHttp('GET', address)).status).toBe(503);
  const serve = "require('node:http').createServer((_, to) => to.end('here')).listen(80)";
  await silent.engine.containers.execStream(before[0]?.id ?? '', ['node', '-e', serve]);
  await eventually(
    () => callHttp('GET', address),
    ({ text }) => text === 'here',
  );
  await silent.clear();
});
