import { afterAll, expect, it } from 'vitest';
import type { Engine } from '../../src/docker-engine/types.ts';
import type { StackModel } from '../../src/model/stack-model.ts';
import { removeKept } from '../../src/vendors/docker/keep/kept-volumes.ts';
import type { StackView } from '../../src/vendors/vendor.ts';
import { callHttp } from '../http.ts';
import { cache, database } from '../vendors/docker/documents.ts';
import { sampleGroup, sampleModel } from '../vendors/sample-model.ts';
import { testEngine } from './world/engine-world.ts';
import { outputIn, VendorWorld, viewOf } from './world/vendor-world.ts';

const changing = new Set(['create', 'start', 'stop', 'kill', 'remove', 'rename', 'putFiles', 'exec']);
/** The engine fails after 1 to 12 changes, in turn. */
const maxChanges = 12;

/** An engine that fails after a number of changes, as if the service was killed then. */
function failingAfter(changes: number): Engine {
  let left = changes;
  const limited = <T extends object>(calls: T): T =>
    new Proxy(calls, {
      get: (target, name) => {
        const call = Reflect.get(target, name) as unknown;
        if (typeof call !== 'function' || !changing.has(String(name))) return call;
        return async (...args: unknown[]) => {
          // The readiness check changes nothing.
          if (name !== 'exec' || !String(args[1]).includes('ready.sh')) left -= 1;
          if (left < 0) throw new Error('The service was killed.');
          return (call as (...all: unknown[]) => unknown)(...args);
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
afterAll(() => home.removeCompletely(stack));

/** Each call is made by a new service, and most are killed in the middle. Returns the number of services. */
async function until(
  expected: 'settled' | 'absent',
  call: (world: VendorWorld) => Promise<unknown>,
  matches: (view: StackView) => boolean = () => true,
): Promise<number> {
  for (let services = 1; services < 400; services += 1) {
    const world = new VendorWorld({ engine: failingAfter((services % maxChanges) + 1) });
    const seen = await world.driver.observe(stack);
    if (seen.kind === expected && matches(viewOf(seen))) return services;
    if (seen.kind !== 'busy') await call(world).catch(() => undefined);
  }
  throw new Error('The stack does not converge.');
}

const model = (min: number, instanceType: string, replicas: number): StackModel =>
  sampleModel({
    layers: [{ ...sampleGroup(min, 0), instanceType }],
    databases: [database({ replicas })],
    caches: [cache({ nodes: 2 })],
  });

const applied = (desired: StackModel, version: string, [instances, type]: [number, string]) =>
  until(
    'settled',
    (world) => world.apply(stack, desired, version),
    (view) => view.instances.length === instances && view.instances.every((each) => each.type === type),
  );

it('a service that is killed again and again during its work reaches the desired state', async () => {
  expect(await applied(model(2, 'small', 1), 'v1', [2, 'small'])).toBeGreaterThan(5);
  expect(await home.count(stack)).toEqual({ containers: 8, networks: 1, volumes: 3 });
  const made = viewOf(await home.driver.observe(stack));
  expect(made.databases.map(({ state }) => state)).toEqual(['available', 'available']);
  await applied(model(1, 'large', 0), 'v2', [1, 'large']);
  expect(await home.count(stack)).toEqual({ containers: 6, networks: 1, volumes: 2 });
  const changed = viewOf(await home.driver.observe(stack));
  expect((await callHttp('GET', `http://${outputIn(changed, 'Address')}/`)).text).toBe(
    changed.instances[0]?.id,
  );
  await until('absent', (world) => world.remove(stack, 'keep'));
  const kept = (await home.keptOf(stack)).map(({ volume }) => volume);
  expect(kept).toHaveLength(2);
  // The records of the kept volumes.
  expect(await home.count(stack)).toEqual({ containers: 2, networks: 0, volumes: 2 });
  for (const volume of kept) await removeKept(home.keepTools, volume);
  expect(await home.count(stack)).toEqual({ containers: 0, networks: 0, volumes: 0 });
});
