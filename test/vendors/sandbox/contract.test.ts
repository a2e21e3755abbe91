import { driverContract } from '../driver-contract.ts';
import { fixedServers } from '../sample-model.ts';
import { longEnough, sandboxWorld, stackNamed } from './world.ts';

driverContract('sandbox', () => {
  const { driver, compiled, clock } = sandboxWorld();
  let stacks = 0;
  return {
    driver,
    newStack: () => stackNamed(`contract${stacks++}`),
    document: (stack, servers) => compiled(fixedServers(servers), stack.id),
    passMoment: async () => clock.advance(200),
    passAll: async () => clock.advance(longEnough),
  };
});
