import { afterAll, beforeAll, expect, it } from 'vitest';
import { keyPairName } from '../../src/model/names.ts';
import { agentTokenParameter, flagTag, stackTag } from '../../src/vendors/aws/names.ts';
import type { StackView } from '../../src/vendors/vendor.ts';
import { resourcesIn } from './world/cloud.ts';
import { domain, fullModel } from './world/full-model.ts';
import { callIam } from './world/raw-calls.ts';
import { describeOnOverlay, startOverlay } from './world/simulator.ts';
import { AwsWorld, agentToken, newStack } from './world/world.ts';

describeOnOverlay('a stack with every feature, as the services describe it (moto with the overlay)', () => {
  let world: AwsWorld;
  let before: Record<string, string[]>;
  let view: StackView;
  const stack = newStack();
  beforeAll(async () => {
    world = await AwsWorld.start(startOverlay({ delaySeconds: 0 }));
    await world.cloud.issueCertificate(domain);
    before = await resourcesIn(world.cloud);
    const on = world.on(stack);
    expect(await on.apply(fullModel(2), 'v1')).toEqual({ accepted: true });
    await world.passAll();
    expect(await on.observe()).toMatchObject({ kind: 'settled', version: 'v1' });
    view = await on.view();
  });
  afterAll(() => world.close());

  const output = (key: string) => view.outputs.find((one) => one.key === key)?.value;
  const mine = <T>(things: T[] | undefined, kind: string, idOf: (thing: T) => string | undefined): T[] =>
    (things ?? []).filter((thing) => !before[kind]?.includes(idOf(thing) ?? ''));

  it('has subnets for layers, two of them for the group, and two for data', async () => {
    const { Subnets } = await world.cloud.ec2.describeSubnets({});
    const subnets = mine(Subnets, 'subnets', ({ SubnetId }) => SubnetId);
    expect(subnets.filter(({ MapPublicIpOnLaunch }) => MapPublicIpOnLaunch).length).toBeGreaterThanOrEqual(2);
    expect(new Set(subnets.map(({ VpcId }) => VpcId)).size).toBe(1);
    expect(new Set(subnets.map(({ AvailabilityZone }) => AvailabilityZone)).size).toBeGreaterThanOrEqual(2);
    expect(subnets.map(({ CidrBlock }) => CidrBlock)).toEqual(
      expect.arrayContaining(['10.0.0.0/25', '10.0.0.128/25', '10.0.1.0/24']),
    );
  });

  it('has a group of two servers and a single one, with tags, encryption, IMDSv2 and key pairs', async () => {
    const instances = await world.cloud.instances();
    expect(instances.map(({ InstanceId = '' }) => InstanceId).toSorted()).toEqual(
      view.instances.map(({ id }) => id).toSorted(),
    );
    expect(view.instances.map(({ flag }) => flag).toSorted()).toEqual(['Lone', 'Shop', 'Shop']);
    const lone = instances.find(({ KeyName }) => KeyName === keyPairName(stack.id, 'Lone'));
    expect(lone?.MetadataOptions).toMatchObject({ HttpTokens: 'required', HttpPutResponseHopLimit: 1 });
    expect(lone?.Tags).toEqual(
      expect.arrayContaining([
        { Key: stackTag, Value: stack.id },
        { Key: flagTag, Value: 'Lone' },
      ]),
    );
    const { Volumes = [] } = await world.cloud.ec2.describeVolumes({});
    const disk = Volumes.find(({ Attachments }) => Attachments?.[0]?.InstanceId === lone?.InstanceId);
    expect(disk).toMatchObject({ VolumeType: 'gp3', Encrypted: true, Size: 30 });
  });

  it('has a group with sizes, spot percentage, types and load balancer health checks', async () => {
    const [group] = (await world.cloud.autoScaling.describeAutoScalingGroups({})).AutoScalingGroups ?? [];
    expect(group).toMatchObject({
      MinSize: 2,
      MaxSize: 10,
      HealthCheckType: 'ELB',
      CapacityRebalance: true,
    });
    expect(group?.Instances).toHaveLength(2);
    expect(group?.MixedInstancesPolicy?.InstancesDistribution).toMatchObject({
      OnDemandBaseCapacity: 0,
      OnDemandPercentageAboveBaseCapacity: 50,
      SpotAllocationStrategy: 'price-capacity-optimized',
    });
    expect(group?.MixedInstancesPolicy?.LaunchTemplate?.Overrides?.length).toBeGreaterThan(1);
  });

  it('has a load balancer with both listeners, the group as targets, and its address in the outputs', async () => {
    const { loadBalancing } = world.cloud;
    const [balancer] = (await loadBalancing.describeLoadBalancers({})).LoadBalancers ?? [];
    expect(output('Address')).toBe(balancer?.DNSName);
    expect(balancer).toMatchObject({ Type: 'application', Scheme: 'internet-facing' });
    const { Listeners = [] } = await loadBalancing.describeListeners({
      LoadBalancerArn: balancer?.LoadBalancerArn,
    });
    expect(Listeners.map(({ Port, Protocol }) => [Port, Protocol])).toEqual(
      expect.arrayContaining([
        [80, 'HTTP'],
        [443, 'HTTPS'],
      ]),
    );
    const members = view.instances.filter(({ flag }) => flag === 'Shop').map(({ id }) => id);
    expect(await world.cloud.targetIds()).toEqual(members.toSorted());
  });

  it('has encrypted databases with a replica, and their addresses in the outputs', async () => {
    const { DBInstances = [] } = await world.cloud.rds.describeDBInstances({});
    expect(
      DBInstances.map(({ Engine, StorageType, StorageEncrypted }) => [Engine, StorageType, StorageEncrypted]),
    ).toEqual(
      expect.arrayContaining([
        ['mysql', 'gp3', true],
        ['postgres', 'gp3', true],
      ]),
    );
    expect(view.databases.map(({ id }) => id).toSorted()).toEqual(
      DBInstances.map(({ DBInstanceIdentifier = '' }) => DBInstanceIdentifier).toSorted(),
    );
    expect(view.databases.map(({ engine, role }) => `${engine} ${role}`).toSorted()).toEqual([
      'mysql primary',
      'mysql replica',
      'postgresql primary',
    ]);
    const main = DBInstances.find(
      (one) => one.Engine === 'mysql' && !one.ReadReplicaSourceDBInstanceIdentifier,
    );
    expect(output('DBAddress')).toBe(main?.Endpoint?.Address);
    expect(output('DBSlave1Address')).toBeTruthy();
    expect(output('DBAddressreports')).toBe(
      DBInstances.find(({ Engine }) => Engine === 'postgres')?.Endpoint?.Address,
    );
  });

  it('has a Redis replication group and a Memcached cluster', async () => {
    const { ReplicationGroups = [] } = await world.cloud.elastiCache.describeReplicationGroups({});
    expect(ReplicationGroups).toHaveLength(1);
    const { CacheClusters = [] } = await world.cloud.elastiCache.describeCacheClusters({});
    expect(CacheClusters.map(({ Engine }) => Engine)).toContain('memcached');
    // Moto returns no nodes of a cluster, and always one node of a group.
    expect(view.caches.map(({ engine }) => engine)).toEqual(['redis']);
    expect(output('MemcachedEndPointAddress')).toBeTruthy();
    expect(output('RedisPrimaryEndPointAddress')).toBeTruthy();
  });

  it('stores the agent token in Parameter Store, readable by the role of its servers', async () => {
    const { Parameter } = await world.cloud.ssm.getParameter({
      Name: agentTokenParameter(stack.id),
      WithDecryption: true,
    });
    expect(Parameter).toMatchObject({ Type: 'SecureString', Value: agentToken.reveal() });
    const { roles = [] } = await resourcesIn(world.cloud);
    const role = roles.find((name) => name.includes('RoleShop')) ?? '';
    const rolePolicy = await callIam(world.cloud, 'GetRolePolicy', { RoleName: role, PolicyName: 'agent' });
    expect(decodeURIComponent(rolePolicy)).toContain(`:parameter${agentTokenParameter(stack.id)}`);
  });

  it('keeps every server, database and address when an update grows the group', async () => {
    const on = world.on(stack);
    await on.apply(fullModel(4), 'v2');
    await world.passAll();
    expect(await on.observe()).toMatchObject({ kind: 'settled', version: 'v2' });
    const now = await on.view();
    expect(now.instances).toHaveLength(5);
    expect(now.instances.map(({ id }) => id)).toEqual(
      expect.arrayContaining(view.instances.map(({ id }) => id)),
    );
    expect(now.databases.map(({ id }) => id)).toEqual(view.databases.map(({ id }) => id));
    expect(now.outputs).toEqual(view.outputs);
  });

  it('leaves no resources behind when it is deleted', async () => {
    const on = world.on(stack);
    await on.remove();
    await world.passAll();
    expect((await on.observe()).kind).toBe('absent');
    expect(await resourcesIn(world.cloud)).toEqual(before);
  });
});
