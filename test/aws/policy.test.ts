import { afterAll, beforeAll, expect, it } from 'vitest';
import { driftResponse } from './world/drift-responses.ts';
import { everyOperation, type Standing } from './world/every-operation.ts';
import { domain, fullModel } from './world/full-model.ts';
import { actionsIn, allows, documentedPolicy, forMoto, needsOf, toList, without } from './world/policy.ts';
import type { Call } from './world/read-call.ts';
import { describeOnOverlay, startOverlay } from './world/simulator.ts';
import { everything, givePolicy, makeUser, type Statement } from './world/users.ts';
import { AwsWorld, agentToken, newStack } from './world/world.ts';

const policy = documentedPolicy('The policy of the key');
const role = policy.Statement.find(({ Action }) => Action === 'iam:PassRole')?.Resource as string;

/**
 * Moto answers whether an action is allowed. It looks neither at resources nor at conditions nor at the right to hand
 * over a role; resources and that right are compared by our own reading of AWS's documentation, conditions by nobody.
 * What CloudFormation does with the role is not asked for rights by anything at hand.
 */
describeOnOverlay(
  'the documented policy of the key (rights asked by moto, resources by our own reading)',
  () => {
    let world: AwsWorld;
    let user: AwsWorld;
    const calls: Call[] = [];
    beforeAll(async () => {
      world = await AwsWorld.before(startOverlay({ delaySeconds: 0, withRights: true }));
      world.front.responseFor = driftResponse;
      await world.cloud.issueCertificate(domain);
      const key = await makeUser(world.cloud, 'almanac', forMoto(policy));
      user = world.as({ ...key, role });
    });
    afterAll(() => world.close());

    const denied = (from: number): Call[] =>
      world.front.calls.slice(from).filter(({ status }) => status === 403 || status === 401);

    it('is enough for everything the driver does', async () => {
      const from = world.front.calls.length;
      await everyOperation(user);
      calls.push(...world.front.calls.slice(from));
      expect(denied(from)).toEqual([]);
      const missing = calls.flatMap(needsOf).filter((need) => !allows(policy, need));
      expect(missing).toEqual([]);
    });

    it('names no right that nothing uses', () => {
      const used = new Set(calls.flatMap(needsOf).map(({ action }) => action));
      expect(actionsIn(policy).filter((action) => !used.has(action))).toEqual([
        // Only after an update that could not be undone, which no simulator brings about.
        'cloudformation:ContinueUpdateRollback',
        // CloudFormation fetches a large template with the key's right to.
        's3:GetObject',
      ]);
    });

    it('has no statement that could be left out', async () => {
      const standing = await prepared();
      for (const { Sid } of policy.Statement.filter(mattersToMoto)) {
        await givePolicy(world.cloud, 'almanac', forMoto(without(policy, Sid)));
        const from = world.front.calls.length;
        await everyOperation(world.as(user.access), standing);
        expect(denied(from).length, `nothing was denied without ${Sid}`).toBeGreaterThan(0);
      }
      const needs = calls.flatMap(needsOf);
      for (const { Sid } of policy.Statement)
        expect(needs.filter((need) => !allows(without(policy, Sid), need)).length, Sid).toBeGreaterThan(0);
    });

    /** Not the right to hand over a role, and none that another statement gives for other resources. */
    const mattersToMoto = ({ Sid, Action }: Statement): boolean =>
      Action !== 'iam:PassRole' &&
      !toList(Action).every((one) => actionsIn(without(policy, Sid)).includes(one));

    /** A stack that stands, made with all rights. */
    async function prepared(): Promise<Standing> {
      const stack = newStack();
      await givePolicy(world.cloud, 'almanac', everything);
      const maker = world.as(user.access);
      const document = await maker.compiled(stack, fullModel(2));
      await maker.driver.apply(stack, { document, version: 'v1', agentToken });
      await world.passAll();
      return { stack, document };
    }
  },
);
