import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { keyPairName } from '../../src/model/names.ts';
import { cloudStackName } from '../../src/vendors/aws/names.ts';
import { fixedServers, sampleLayer, sampleModel } from '../vendors/sample-model.ts';
import { resourcesIn } from './world/cloud.ts';
import { describeOnOverlay, startOverlay } from './world/simulator.ts';
import { AwsWorld, newStack } from './world/world.ts';

/** Needs a second key pair, whose name the tests already use. */
const withSecondLayer = sampleModel({
  layers: [
    sampleLayer(),
    sampleLayer({ flag: 'Api0', subnet: { cidr: '10.0.1.0/24', public: true, assignPublicIp: true } }),
  ],
});

describeOnOverlay('CloudFormation failures (on moto with the overlay)', () => {
  let world: AwsWorld;
  let before: Record<string, string[]>;
  beforeAll(async () => {
    world = await AwsWorld.start(startOverlay({ delaySeconds: 0.01 }));
    before = await resourcesIn(world.cloud);
  });
  afterAll(() => world.close());
  // Every test must leave no resources behind in any service.
  afterEach(async () => expect(await resourcesIn(world.cloud)).toEqual(before));

  const onNewStack = () => world.on(newStack());
  const runningIds = async () => (await world.cloud.instances()).map(({ InstanceId }) => InstanceId);
  const takeKeyName = (stackId: string, flag: string) =>
    world.cloud.ec2.createKeyPair({ KeyName: keyPairName(stackId, flag) });
  const freeKeyName = (stackId: string, flag: string) =>
    world.cloud.ec2.deleteKeyPair({ KeyName: keyPairName(stackId, flag) });
  const removeAll = async (stack: ReturnType<typeof onNewStack>) => {
    expect(await stack.remove()).toEqual({ accepted: true });
    await world.passAll();
    expect((await stack.observe()).kind).toBe('absent');
  };
  /** Like the reconciler: takes steps, waiting for the end of each, until the stack exists. */
  const applyToEnd = async (
    stack: ReturnType<typeof onNewStack>,
    model = fixedServers(1),
    version = 'v1',
  ) => {
    for (let step = 0; step < 3; step += 1) {
      expect(await stack.apply(model, version)).toEqual({ accepted: true });
      await world.passAll();
      if ((await stack.observe()).kind !== 'absent') return;
    }
  };

  it('a failed creation reports its first failure, leaves nothing, and the next version uses the same id', async () => {
    const stack = onNewStack();
    await takeKeyName(stack.stack.id, 'Web0');
    await applyToEnd(stack);
    const seen = await stack.observe();
    expect(seen).toMatchObject({ kind: 'broken', doing: 'apply', version: 'v1', terminal: true });
    expect(seen).toHaveProperty('reason', expect.stringMatching(/^KeyPair.*AWS::EC2::KeyPair.*Duplicate/));
    expect((await resourcesIn(world.cloud)).networks).toEqual(before.networks);
    const [failed] = await world.cloud.stacks();

    await freeKeyName(stack.stack.id, 'Web0');
    await applyToEnd(stack, fixedServers(1), 'v2');
    expect(await stack.observe()).toMatchObject({ kind: 'settled', version: 'v2' });
    expect(await runningIds()).toEqual((await stack.view()).instances.map(({ id }) => id));
    const [made] = await world.cloud.stacks();
    expect(made?.StackName).toBe(cloudStackName(stack.stack.id));
    expect(made?.StackName).toBe(failed?.StackName);
    expect(made?.StackId).not.toBe(failed?.StackId);
    await removeAll(stack);
  });

  it('a failed update keeps the existing servers and reports the reason; other versions can be applied', async () => {
    const stack = onNewStack();
    await applyToEnd(stack);
    const existing = await runningIds();
    await takeKeyName(stack.stack.id, 'Api0');
    await stack.apply(withSecondLayer, 'v2');
    await world.passAll();
    const seen = await stack.observe();
    expect(seen).toMatchObject({ kind: 'broken', doing: 'apply', version: 'v2', terminal: true });
    expect(seen).toHaveProperty('reason', expect.stringMatching(/Api0.*AWS::EC2::KeyPair.*Duplicate/));
    expect(await runningIds()).toEqual(existing);

    await stack.apply(fixedServers(1), 'v1');
    await world.passAll();
    expect(await stack.observe()).toMatchObject({ kind: 'settled', version: 'v1' });
    expect(await runningIds()).toEqual(existing);

    await freeKeyName(stack.stack.id, 'Api0');
    await stack.apply(withSecondLayer, 'v3');
    await world.passAll();
    expect(await stack.observe()).toMatchObject({ kind: 'settled', version: 'v3' });
    expect(await runningIds()).toHaveLength(2);
    await removeAll(stack);
  });

  it('a deletion blocked by a foreign subnet reports it, and succeeds after its removal', async () => {
    const stack = onNewStack();
    await applyToEnd(stack);
    const networkId = (await stack.view()).instances[0]?.networkId;
    const foreign = await world.cloud.ec2.createSubnet({ VpcId: networkId, CidrBlock: '10.0.200.0/24' });
    await stack.remove();
    await world.passAll();
    const seen = await stack.observe();
    expect(seen).toMatchObject({ kind: 'broken', doing: 'remove', version: 'v1' });
    expect(seen).toHaveProperty('reason', expect.stringMatching(/^VPC .*DependencyViolation/));
    expect((await resourcesIn(world.cloud)).networks).toContain(networkId);

    await world.cloud.ec2.deleteSubnet({ SubnetId: foreign.Subnet?.SubnetId });
    await removeAll(stack);
  });

  it('a deletion blocked by a foreign network interface reports it, and succeeds after its removal', async () => {
    const stack = onNewStack();
    await applyToEnd(stack);
    const subnetId = (await stack.view()).instances[0]?.subnetId;
    const { ec2 } = world.cloud;
    const { NetworkInterface: foreign } = await ec2.createNetworkInterface({ SubnetId: subnetId });
    await stack.remove();
    await world.passAll();
    const seen = await stack.observe();
    expect(seen).toMatchObject({ kind: 'broken', doing: 'remove' });
    expect(seen).toHaveProperty('reason', expect.stringMatching(/^Subnet.*DependencyViolation/));
    // Everything else is deleted.
    expect(await runningIds()).toEqual([]);

    await ec2.deleteNetworkInterface({ NetworkInterfaceId: foreign?.NetworkInterfaceId });
    await removeAll(stack);
  });

  it('an apply without changes is accepted, and a new version of an equal template changes no server', async () => {
    const stack = onNewStack();
    await applyToEnd(stack);
    const existing = await runningIds();
    expect(await stack.apply(fixedServers(1), 'v1')).toEqual({ accepted: true });
    await world.passMoment();
    expect(await stack.observe()).toMatchObject({ kind: 'settled', version: 'v1' });
    expect((await world.cloud.stacks())[0]).toMatchObject({ StackStatus: 'CREATE_COMPLETE' });

    await stack.apply(fixedServers(1), 'v2');
    await world.passAll();
    expect(await stack.observe()).toMatchObject({ kind: 'settled', version: 'v2' });
    expect(await runningIds()).toEqual(existing);
    await removeAll(stack);
  });
});
