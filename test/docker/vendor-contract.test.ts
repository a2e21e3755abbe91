import { afterAll } from 'vitest';
import type { Driver, Observation, StackOnVendor, VendorEvent } from '../../src/vendors/vendor.ts';
import { driverContract } from '../vendors/driver-contract.ts';
import { fixedServers } from '../vendors/sample-model.ts';
import { VendorWorld } from './world/vendor-world.ts';

const worlds: VendorWorld[] = [];
afterAll(async () => {
  for (const world of worlds) await world.clear();
});

/** Both mean work in progress; `unfinished` continues only with another call. */
const asBusy = (observation: Observation): Observation =>
  observation.kind === 'unfinished' ? { ...observation, kind: 'busy', lookAgainMs: 0 } : observation;

/** The engine does not say since when a container is in service. Almanac records an event once, when it is first seen. */
function firstTimes() {
  const times = new Map<string, number>();
  const first = ({ id, at, ...event }: VendorEvent): VendorEvent => {
    times.set(id, times.get(id) ?? at);
    return { ...event, id, at: times.get(id) ?? at };
  };
  return (seen: Observation): Observation =>
    seen.kind === 'unreachable'
      ? seen
      : { ...seen, view: { ...seen.view, events: seen.view.events.map(first) } };
}

driverContract('docker', () => {
  const world = new VendorWorld({ agent: 'on signal' });
  worlds.push(world);
  const servers = new Map<object, number>();
  const recorded = firstTimes();
  const driver: Driver = {
    ...world.driver,
    observe: async (stack) => recorded(asBusy(await world.driver.observe(stack))),
    apply: (stack, { document, version }) =>
      world.apply(stack, fixedServers(servers.get(document) ?? 0), version),
    remove: (stack) => world.remove(stack),
  };
  const pass = async (stack: StackOnVendor) => {
    await world.drive(stack, async (seen) => {
      if (seen.kind === 'busy') await world.signalAgents(stack);
      return seen.kind === 'settled' || seen.kind === 'absent';
    });
  };
  return {
    driver,
    newStack: () => world.newStack(),
    document: (_stack, count) => {
      const document = {};
      servers.set(document, count);
      return document;
    },
    passMoment: async () => {
      for (const stack of world.stacks)
        await world.drive(stack, (seen) => seen.kind !== 'unfinished' || seen.doing === 'remove');
    },
    passAll: async () => {
      for (const stack of world.stacks) await pass(stack);
    },
  };
});
