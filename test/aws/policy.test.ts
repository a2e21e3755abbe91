import { afterAll, beforeAll, expect, it } from 'vitest';
import { optionalFeatures } from '../../src/vendors/aws/permissions/features.ts';
import { keyPolicy } from '../../src/vendors/aws/permissions/key-policy.ts';
import { driftResponse } from './world/drift-responses.ts';
import { everyOperation } from './world/every-operation.ts';
import { domain } from './world/full-model.ts';
import { allows, forMoto, needsOf } from './world/policy.ts';
import type { Call } from './world/read-call.ts';
import { describeOnOverlay, startOverlay } from './world/simulator.ts';
import { makeUser } from './world/users.ts';
import { AwsWorld } from './world/world.ts';

const role = 'arn:aws:iam::123456789012:role/almanac-cloudformation';
const policy = keyPolicy({ partition: 'aws', roleArn: role, features: optionalFeatures });

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
  },
);
