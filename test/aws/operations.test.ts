import { createPrivateKey } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { lifecycleHookName } from '../../src/model/hook-name.ts';
import type { StackView } from '../../src/vendors/vendor.ts';
import { fixedServers } from '../vendors/sample-model.ts';
import { driftResponse } from './world/drift-responses.ts';
import { domain, fullModel } from './world/full-model.ts';
import { describeOnOverlay, startOverlay } from './world/simulator.ts';
import { AwsWorld, newStack } from './world/world.ts';

describeOnOverlay(
  'operations on an existing AWS stack (on moto with the overlay; drift: our own fake)',
  () => {
    let world: AwsWorld;
    const [stack, other] = [newStack(), newStack()];
    beforeAll(async () => {
      world = await AwsWorld.start(startOverlay({ delaySeconds: 0 }));
      await world.cloud.issueCertificate(domain);
      await world.on(stack).apply(fullModel(2), 'v1');
      await world.on(other).apply(fixedServers(1), 'v1');
      await world.passAll();
    });
    afterAll(() => world.close());

    const view = async (of = stack): Promise<StackView> => {
      await world.passMoment();
      return world.on(of).view();
    };
    const idOf = async (flag: string): Promise<string> =>
      (await view()).instances.find((one) => one.flag === flag && one.state === 'running')?.id ?? '';
    const group = async () =>
      (await world.cloud.autoScaling.describeAutoScalingGroups({})).AutoScalingGroups?.[0];
    const members = async () => (await group())?.Instances?.map(({ InstanceId }) => InstanceId) ?? [];
    const hooks = async () => {
      const name = (await group())?.AutoScalingGroupName;
      return (await world.cloud.autoScaling.describeLifecycleHooks({ AutoScalingGroupName: name }))
        .LifecycleHooks;
    };

    it('puts one hook on the group, even when repeated, and reads it back', async () => {
      expect(await world.driver.readLifecycleHook?.(stack)).toBeUndefined();
      await world.driver.putLifecycleHook?.(stack, 120);
      expect(await world.driver.putLifecycleHook?.(stack, 300)).toEqual({ accepted: true });
      expect(await hooks()).toMatchObject([
        {
          LifecycleHookName: lifecycleHookName(stack.id),
          LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
          HeartbeatTimeout: 300,
        },
      ]);
      expect(await world.driver.readLifecycleHook?.(stack)).toMatchObject({ heartbeatSeconds: 300 });
    });

    it('refuses a hook for a stack without a group', async () => {
      expect(await world.driver.putLifecycleHook?.(other, 300)).toMatchObject({ accepted: false });
    });

    it('replaces a group member on restart, only once, and reports the time the hook protects it', async () => {
      const old = await idOf('Shop');
      const answer = await world.driver.restartInstance?.(stack, old);
      expect(answer).toEqual({ accepted: true, protectionSeconds: 300 });
      expect(await members()).toHaveLength(2);
      expect(await members()).not.toContain(old);
      const after = await members();
      expect(await world.driver.restartInstance?.(stack, old)).toMatchObject({ accepted: true });
      expect(await members()).toEqual(after);
    });

    it('reboots a server outside a group and keeps it', async () => {
      const lone = await idOf('Lone');
      expect(await world.driver.restartInstance?.(stack, lone)).toEqual({
        accepted: true,
        protectionSeconds: null,
      });
      expect(await idOf('Lone')).toBe(lone);
    });

    it('refuses to restart servers of other stacks and unknown servers', async () => {
      const [foreign] = (await view(other)).instances;
      for (const id of [foreign?.id ?? '', 'i-00000000'])
        expect(await world.driver.restartInstance?.(stack, id)).toMatchObject({ accepted: false });
      expect((await view(other)).instances[0]).toMatchObject({ id: foreign?.id, state: 'running' });
    });

    it('deregisters a spot instance with a notice and has the group launch another', async () => {
      const old = await idOf('Shop');
      expect(await world.driver.replaceInstance?.(stack, old)).toEqual({ accepted: true });
      expect(await members()).toHaveLength(2);
      expect(await members()).not.toContain(old);
      expect(await world.cloud.targetIds()).not.toContain(old);
    });

    it('reads the private key from Parameter Store', async () => {
      const key = await world.driver.readPrivateKey?.(stack, 'Lone');
      expect(createPrivateKey(key?.reveal() ?? '').type).toBe('private');
      expect(await world.driver.readPrivateKey?.(stack, 'Nobody')).toBeUndefined();
    });

    it('reads the password of the first database', async () => {
      const { SecretList = [] } = await world.cloud.secretsManager.listSecrets({});
      const main = SecretList.find(({ Name = '' }) => Name.includes('DatabaseSecretmain'));
      const { SecretString = '{}' } = await world.cloud.secretsManager.getSecretValue({
        SecretId: main?.ARN,
      });
      const password = await world.driver.readDatabasePassword?.(stack);
      expect(password?.reveal()).toBe((JSON.parse(SecretString) as { password: string }).password);
      expect(await world.driver.readDatabasePassword?.(other)).toBeUndefined();
    });

    it('forecasts without changing anything or leaving a change set', async () => {
      const document = await world.compiled(other, fixedServers(2));
      await world.driver.forecast?.(other, document);
      const existing = (await world.cloud.stacks()).find(({ StackName = '' }) =>
        StackName.includes(other.id),
      );
      const { Summaries = [] } = await world.cloud.cloudFormation.listChangeSets({
        StackName: existing?.StackId,
      });
      expect(Summaries).toEqual([]);
      expect(existing?.StackStatus).toBe('CREATE_COMPLETE');
      expect((await view(other)).instances).toHaveLength(1);
    });

    it('reports drifted resources', async () => {
      world.proxy.responseFor = driftResponse;
      expect(await world.driver.startDriftCheck?.(stack)).toEqual({ accepted: true });
      expect(await world.driver.readDrift?.(stack)).toMatchObject({
        state: 'drifted',
        checkedAt: Date.UTC(2030, 0, 1),
        resources: [
          {
            resource: 'SecurityGroupLone',
            kind: 'changed',
            members: [{ path: 'SecurityGroupIngress/0/FromPort', expected: '80', actual: '8080' }],
          },
        ],
      });
    });
  },
);
