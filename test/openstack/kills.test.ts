import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTestPlace, type TestPlace } from '../open-database.ts';
import { countAll } from './world/count.ts';
import { Fleet, type FleetStack } from './world/fleet.ts';
import { Front } from './world/front.ts';
import { removeStacks } from './world/own-cloud.ts';
import { type OwnProject, ownProject } from './world/own-project.ts';
import { serverOwners, stackNames } from './world/owners.ts';
import { paced } from './world/paced.ts';
import { describeOnFullRig } from './world/rig.ts';
import { killEngine, setTokenLife } from './world/rig-control.ts';
import { OpenStackWorld } from './world/world.ts';

/** `npm run test:openstack:kills` has 50. A multiple of five. */
const total = Number(process.env['ALM_TEST_OPENSTACK_STACKS'] ?? 5);
const fifth = total / 5;
/** Heat gives up 5 minutes before the token of a request ends, and its engine counts as lost after twice that time. */
const shortTokenSeconds = total > 10 ? 540 : 420;
const usualTokenSeconds = 14_400;
/** Only a hang reaches it: stacks that are stuck fail earlier. */
const timeout = 7_200_000;

/** Two of five stacks have a server; the others are a network with a router. */
const stacks = Array.from(
  { length: total },
  (_, number): FleetStack => ({ number, servers: number % 5 < 2 ? 1 : 0, stackId: '' }),
);
const first = stacks.slice(0, 3 * fifth);
/** As many as are created at once: Heat must not reach its own limit with the first of them while others wait. */
const withEngineLost = stacks.slice(3 * fifth, 3 * fifth + Math.min(fifth, 5));
const afterwards = stacks.slice(3 * fifth + withEngineLost.length);
const deletedEarly = afterwards.slice(-Math.ceil(fifth / 2));
const lasting = stacks.filter((stack) => !deletedEarly.includes(stack));
const grown = lasting.filter(({ number }) => number % 5 === 2);
const shrunk = lasting.filter(({ number }) => number % 5 === 0);

// What one test makes, the next one changes.
describeOnFullRig(
  `${total} stacks on OpenStack, the server killed five times and the engine of Heat once`,
  {
    retry: 0,
  },
  () => {
    let place: TestPlace;
    let front: Front;
    let project: OwnProject;
    let world: OpenStackWorld;
    let fleet: Fleet;
    beforeAll(async () => {
      // Everything is counted, load balancers too.
      project = await ownProject(['member', 'load-balancer_member']);
      world = new OpenStackWorld({ user: project.user });
      place = await makeTestPlace();
      front = await Front.start();
      fleet = new Fleet(place, front, world.access.credentialId);
      await fleet.start();
    });
    afterAll(async () => {
      await fleet.server.kill('SIGKILL');
      await front.close();
      await place.remove();
      await removeStacks(world);
      await project.remove();
    });

    const count = () => countAll(world);

    it('all stacks are created once, also those whose answer or whose engine was lost', {
      timeout,
    }, async () => {
      fleet.killAt('POST', [fifth, 2 * fifth]);
      await fleet.forEach(first, fleet.create);
      await fleet.waitUntil({ CREATE_COMPLETE: first.length });

      await setTokenLife(shortTokenSeconds);
      const { networks = 0 } = await count();
      await fleet.forEach(withEngineLost, fleet.create);
      // The first of them has its network, and little more.
      await paced(count, (now) => (now['networks'] ?? 0) > networks);
      await killEngine();
      // Starts the engine too.
      await setTokenLife(usualTokenSeconds);

      fleet.killAt('POST', [Math.ceil(fifth / 2)]);
      await fleet.forEach(afterwards, fleet.create);
      await fleet.forEach(deletedEarly, fleet.remove);
      await fleet.waitUntil({ CREATE_COMPLETE: lasting.length });

      expect(fleet.kills).toBe(3);
      expect(await stackNames(world)).toEqual(lasting.map(({ stackId }) => stackId).toSorted());
      expect(await serverOwners(world)).toEqual(
        lasting.flatMap(({ stackId, servers }) => (servers > 0 ? [stackId] : [])).toSorted(),
      );
    });

    it('updates add and remove servers once', { timeout }, async () => {
      for (const stack of grown) stack.servers = 1;
      for (const stack of shrunk) stack.servers = 0;
      fleet.killAt('PUT', [Math.ceil(fifth / 2)]);
      await fleet.forEach([...grown, ...shrunk], fleet.update);
      const updated = grown.length + shrunk.length;
      await fleet.waitUntil({ CREATE_COMPLETE: lasting.length - updated, UPDATE_COMPLETE: updated });
      expect(fleet.kills).toBe(4);
      expect(await serverOwners(world)).toEqual(
        lasting.flatMap(({ stackId, servers }) => (servers > 0 ? [stackId] : [])).toSorted(),
      );
    });

    it('after their deletion, nothing is left in OpenStack', { timeout }, async () => {
      fleet.killAt('DELETE', [fifth]);
      await fleet.forEach(lasting, fleet.remove);
      await fleet.waitUntil({});
      expect(fleet.kills).toBe(5);
      const left = await count();
      const nothing = Object.fromEntries(Object.keys(left).map((kind) => [kind, 0]));
      // Neutron makes a group in every project.
      expect(left).toEqual({ ...nothing, security_groups: 1 });
    });
  },
);
