import { afterAll, expect, it } from 'vitest';
import type { Engine } from '../../src/docker-engine/types.ts';
import type { StackModel } from '../../src/model/stack-model.ts';
import type { StackView } from '../../src/vendors/vendor.ts';
import { callHttp } from '../http.ts';
import { cache, database } from '../vendors/docker/documents.ts';
import { sampleGroup, sampleModel } from '../vendors/sample-model.ts';
import { testEngine } from './world/engine-world.ts';
import { outputIn, VendorWorld, viewOf } from './world/vendor-world.ts';

const changing = new Set(['create', 'start', 'stop', 'kill', 'remove', 'rename', 'putFiles', 'exec']);
/** Lives of every length up to this, one after the other. */
const longestLife = 12;

/** An engine that a service cannot reach any more after so many changes, as if it had been killed then. */
function mortal(changes: number): Engine {
  let left = changes;
  const limited = <T extends object>(calls: T): T =>
    new Proxy(calls, {
      get: (target, name) => {
        const call = Reflect.get(target, name) as unknown;
        if (typeof call !== 'function' || !changing.has(String(name))) return call;
        return async (...given: unknown[]) => {
          // Asking whether something is ready changes nothing.
          if (name !== 'exec' || !String(given[1]).includes('ready.sh')) left -= 1;
          if (left < 0) throw new Error('The service was killed.');
          return (call as (...all: unknown[]) => unknown)(...given);
        };
      },
    });
  const { containers, networks, volumes, ...rest } = testEngine();
  return {
    ...rest,
    containers: limited(containers),
    networks: limited(networks),
    volumes: limited(volumes),
  };
}

const home = new VendorWorld();
const stack = home.newStack();
afterAll(() => home.takeAway(stack));

/** Every call is made by another service, and most of them die in the middle of it. Gives how many that took. */
async function until(
  wanted: 'settled' | 'absent',
  call: (world: VendorWorld) => Promise<unknown>,
  isIt: (view: StackView) => boolean = () => true,
): Promise<number> {
  for (let lives = 1; lives < 400; lives += 1) {
    const world = new VendorWorld({ engine: mortal((lives % longestLife) + 1) });
    const seen = await world.driver.observe(stack);
    if (seen.kind === wanted && isIt(viewOf(seen))) return lives;
    if (seen.kind !== 'busy') await call(world).catch(() => undefined);
  }
  throw new Error('It does not get there.');
}

const model = (min: number, instanceType: string, replicas: number): StackModel =>
  sampleModel({
    layers: [{ ...sampleGroup(min, 0), instanceType }],
    databases: [database({ replicas })],
    caches: [cache({ nodes: 2 })],
  });

const applied = (wanted: StackModel, version: string, instances: number, type: string) =>
  until(
    'settled',
    (world) => world.apply(stack, wanted, version),
    (view) => view.instances.length === instances && view.instances.every((each) => each.type === type),
  );

it('a service that is killed in the middle of everything it does ends in the same world', async () => {
  expect(await applied(model(2, 'small', 1), 'v1', 2, 'small')).toBeGreaterThan(5);
  expect(await home.count(stack)).toEqual({ containers: 8, networks: 1, volumes: 2 });
  const made = viewOf(await home.driver.observe(stack));
  expect(made.databases.map(({ state }) => state)).toEqual(['available', 'available']);
  await applied(model(1, 'large', 0), 'v2', 1, 'large');
  expect(await home.count(stack)).toEqual({ containers: 6, networks: 1, volumes: 1 });
  const changed = viewOf(await home.driver.observe(stack));
  expect((await callHttp('GET', `http://${outputIn(changed, 'Address')}/`)).text).toBe(
    changed.instances[0]?.id,
  );
  await until('absent', (world) => world.remove(stack));
  expect(await home.count(stack)).toEqual({ containers: 0, networks: 0, volumes: 0 });
});
