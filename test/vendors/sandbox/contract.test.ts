import { dataContract } from '../data-contract.ts';
import { driverContract } from '../driver-contract.ts';
import { fixedServers, serverAndDatabase } from '../sample-model.ts';
import { longEnough, sandboxWorld, stackNamed, viewOf } from './world.ts';

const contractWorld = () => {
  const { driver, compiled, clock } = sandboxWorld();
  let stacks = 0;
  return {
    driver,
    compiled,
    newStack: () => stackNamed(`contract${stacks++}`),
    passMoment: async () => clock.advance(200),
    passAll: async () => clock.advance(longEnough),
  };
};

driverContract('sandbox', () => {
  const world = contractWorld();
  return { ...world, document: (stack, servers) => world.compiled(fixedServers(servers), stack.id) };
});

dataContract('the sandbox', () => {
  const world = contractWorld();
  const { driver, compiled } = world;
  return {
    ...world,
    document: (stack, hasDatabase) => compiled(serverAndDatabase(hasDatabase), stack.id),
    dataIn: async (stack) => viewOf(await driver.observe(stack)).databases[0]?.id,
    keptData: async (stack) =>
      viewOf(await driver.observe(stack)).events.flatMap(
        ({ message }) => /kept in snapshot (snap-\w+)/.exec(message)?.[1] ?? [],
      ),
  };
});
