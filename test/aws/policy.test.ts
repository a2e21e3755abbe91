import { afterAll, beforeAll, expect, it } from 'vitest';
import { driftResponse } from './world/drift-responses.ts';
import { type ExistingStack, everyOperation } from './world/every-operation.ts';
import { domain, fullModel } from './world/full-model.ts';
import { actionsIn, allows, documentedPolicy, forMoto, needsOf, toList, without } from './world/policy.ts';
import type { Call } from './world/read-call.ts';
import { describeOnOverlay, startOverlay } from './world/simulator.ts';
import { everything, givePolicy, makeUser, type Statement } from './world/users.ts';
import { AwsWorld, agentToken, newStack } from './world/world.ts';

const policy = documentedPolicy('The policy of the key');
const role = policy.Statement.find(({ Action }) => Action === 'iam:PassRole')?.Resource as string;

/**
 * Moto checks whether an action is allowed. It ignores resources, conditions and iam:PassRole. This suite checks
 * resources and iam:PassRole by our reading of AWS's documentation. Nothing checks conditions, or the permissions that
 * CloudFormation needs with the role.
 */
describeOnOverlay(
  'the documented policy of the key (permissions checked by moto, resources by our reading)',
  () => {
    let world: AwsWorld;
    let user: AwsWorld;
    const calls: Call[] = [];
    beforeAll(async () => {
      world = await AwsWorld.start(startOverlay({ delaySeconds: 0, withPermissions: true }));
      world.proxy.responseFor = driftResponse;
      await world.cloud.issueCertificate(domain);
      const key = await makeUser(world.cloud, 'almanac', forMoto(policy));
      user = world.as({ ...key, role });
    });
    afterAll(() => world.close());

    const denied = (from: number): Call[] =>
      world.proxy.calls.slice(from).filter(({ status }) => status === 403 || status === 401);

    it('is sufficient for every operation of the driver', async () => {
      const from = world.proxy.calls.length;
      await everyOperation(user);
      calls.push(...world.proxy.calls.slice(from));
      expect(denied(from)).toEqual([]);
      const missing = calls.flatMap(needsOf).filter((need) => !allows(policy, need));
      expect(missing).toEqual([]);
    });

    it('contains no unused permission', () => {
      const used = new Set(calls.flatMap(needsOf).map(({ action }) => action));
      expect(actionsIn(policy).filter((action) => !used.has(action))).toEqual([
        // Used only after a failed rollback, which this suite does not cause.
        'cloudformation:ContinueUpdateRollback',
        // CloudFormation uses it to read a large template with the key's permissions.
        's3:GetObject',
      ]);
    });

    it('contains no unnecessary statement', async () => {
      const existing = await createStack();
      for (const { Sid } of policy.Statement.filter(isCheckedByMoto)) {
        await givePolicy(world.cloud, 'almanac', forMoto(without(policy, Sid)));
        const from = world.proxy.calls.length;
        await everyOperation(world.as(user.access), existing);
        expect(denied(from).length, `nothing was denied without ${Sid}`).toBeGreaterThan(0);
      }
      const needs = calls.flatMap(needsOf);
      for (const { Sid } of policy.Statement)
        expect(needs.filter((need) => !allows(without(policy, Sid), need)).length, Sid).toBeGreaterThan(0);
    });

    /** Excludes iam:PassRole, and actions that another statement allows for other resources. */
    const isCheckedByMoto = ({ Sid, Action }: Statement): boolean =>
      Action !== 'iam:PassRole' &&
      !toList(Action).every((one) => actionsIn(without(policy, Sid)).includes(one));

    /** Creates a stack with all permissions. */
    async function createStack(): Promise<ExistingStack> {
      const stack = newStack();
      await givePolicy(world.cloud, 'almanac', everything);
      const creator = world.as(user.access);
      const document = await creator.compiled(stack, fullModel(2));
      await creator.driver.apply(stack, { document, version: 'v1', agentToken });
      await world.passAll();
      return { stack, document };
    }
  },
);
