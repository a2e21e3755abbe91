import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Capacity, StackModel } from '../../src/model/stack-model.ts';
import { sampleContainer } from '../vendors/aws/compile/world.ts';
import { sampleGroup, sampleModel } from '../vendors/sample-model.ts';
import { describeOnOverlay, startOverlay } from './world/simulator.ts';
import { AwsWorld, newStack } from './world/world.ts';

const groupWith = (scaling: Extract<Capacity, { kind: 'group' }>['scaling'], max = 6): StackModel => {
  const layer = sampleGroup(2, 0);
  return sampleModel({
    layers: [{ ...layer, capacity: { ...layer.capacity, max, scaling } as Capacity }],
  });
};

describeOnOverlay('a group that scales (moto with the overlay, whose alarms never fire)', () => {
  let world: AwsWorld;
  const stack = newStack();
  beforeAll(async () => {
    world = await AwsWorld.start(startOverlay({ delaySeconds: 0 }));
    await applied(groupWith({ metric: 'requests', target: 900 }), 'v1');
  });
  afterAll(() => world.close());

  const applied = async (model: StackModel, version: string) => {
    const on = world.on(stack);
    expect(await on.apply(model, version)).toEqual({ accepted: true });
    await world.passAll();
    expect(await on.observe()).toMatchObject({ kind: 'settled', version });
  };
  const group = async () =>
    (await world.cloud.autoScaling.describeAutoScalingGroups({})).AutoScalingGroups?.[0];
  const policies = async () =>
    (await world.cloud.autoScaling.describePolicies({})).ScalingPolicies?.map(
      ({ EstimatedInstanceWarmup, TargetTrackingConfiguration: tracking }) => ({
        warmup: EstimatedInstanceWarmup,
        measured: tracking?.PredefinedMetricSpecification,
        target: tracking?.TargetValue,
      }),
    );

  it('starts at its minimum size, in subnets of two zones that its load balancer also has', async () => {
    const { VPCZoneIdentifier = '', DesiredCapacity, MinSize } = (await group()) ?? {};
    expect([DesiredCapacity, MinSize]).toEqual([2, 2]);
    const { Subnets = [] } = await world.cloud.ec2.describeSubnets({
      SubnetIds: VPCZoneIdentifier.split(','),
    });
    const blocks = Subnets.map(({ CidrBlock = '' }) => CidrBlock);
    expect(blocks.toSorted()).toEqual(['10.0.0.0/25', '10.0.0.128/25']);
    const zones = Subnets.map(({ AvailabilityZone = '' }) => AvailabilityZone).toSorted();
    expect(new Set(zones).size).toBe(2);
    const [balancer] = (await world.cloud.loadBalancing.describeLoadBalancers({})).LoadBalancers ?? [];
    expect(balancer?.AvailabilityZones?.map(({ ZoneName = '' }) => ZoneName).toSorted()).toEqual(zones);
  });

  it('has a policy that counts the requests of its load balancer, with the cooldown as warm-up', async () => {
    const [balancer] = (await world.cloud.loadBalancing.describeLoadBalancers({})).LoadBalancers ?? [];
    const [targets] = (await world.cloud.loadBalancing.describeTargetGroups({})).TargetGroups ?? [];
    const label = (arn: string | undefined) => arn?.split(/:(?:loadbalancer\/)?/).at(-1);
    expect(await policies()).toEqual([
      {
        warmup: 360,
        measured: {
          PredefinedMetricType: 'ALBRequestCountPerTarget',
          ResourceLabel: `${label(balancer?.LoadBalancerArn)}/${label(targets?.TargetGroupArn)}`,
        },
        target: 900,
      },
    ]);
  });

  it('heeds the check of its load balancer only while a container publishes the checked port', async () => {
    expect(await group()).toMatchObject({ HealthCheckType: 'EC2' });
    const model = groupWith({ metric: 'requests', target: 900 });
    const layers = model.layers.map((layer) => ({ ...layer, container: sampleContainer() }));
    await applied({ ...model, layers }, 'v1b');
    expect(await group()).toMatchObject({ HealthCheckType: 'ELB' });
  });

  it('keeps the number of servers that scaling reached when an update changes target and maximum size', async () => {
    const { AutoScalingGroupName } = (await group()) ?? {};
    await world.cloud.autoScaling.setDesiredCapacity({ AutoScalingGroupName, DesiredCapacity: 4 });
    await applied(groupWith({ metric: 'cpu', target: 45 }, 8), 'v2');
    expect(await group()).toMatchObject({ AutoScalingGroupName, DesiredCapacity: 4, MinSize: 2, MaxSize: 8 });
    expect(await policies()).toMatchObject([
      { measured: { PredefinedMetricType: 'ASGAverageCPUUtilization' }, target: 45, warmup: 360 },
    ]);
  });

  it('has no policy any more, and keeps its size, when scaling is turned off', async () => {
    await applied(groupWith(null, 8), 'v3');
    expect(await policies()).toEqual([]);
    expect(await group()).toMatchObject({ DesiredCapacity: 4 });
  });
});
