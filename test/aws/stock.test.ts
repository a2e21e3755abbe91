import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StackModel } from '../../src/model/stack-model.ts';
import type { AwsDocument } from '../../src/vendors/aws/document.ts';
import { cloudStackName } from '../../src/vendors/aws/names.ts';
import { fixedServers, sampleGroup, sampleLayer, sampleModel } from '../vendors/sample-model.ts';
import { fullModel } from './world/full-model.ts';
import { startMoto } from './world/simulator.ts';
import { AwsWorld, agentToken, newStack, viewOf } from './world/world.ts';

/**
 * Templates created by moto itself, without the overlay. Moto creates everything within the call, and only some types: it
 * skips or fails on key pairs, ACLs, caches and secrets. Its updates and deletions are not realistic.
 */
describe('AWS templates created and read back (on stock moto)', () => {
  let world: AwsWorld;
  beforeAll(async () => {
    world = await AwsWorld.start(startMoto());
  });
  afterAll(() => world.close());

  /** Types that moto skips silently, or whose physical names it does not return. */
  const skipped = /SecretsManager/;

  const made = async (model: StackModel) => {
    const stack = newStack();
    const document = (await world.compiled(stack, model)) as AwsDocument;
    expect(await world.driver.apply(stack, { document, version: 'v1', agentToken })).toEqual({
      accepted: true,
    });
    await world.passAll();
    const seen = await world.driver.observe(stack);
    expect(seen).toMatchObject({ kind: 'settled', version: 'v1' });
    const { StackResourceSummaries: created = [] } = await world.cloud.cloudFormation.listStackResources({
      StackName: cloudStackName(stack.id),
    });
    const expected = Object.entries(document.template.Resources).filter(
      ([, { Type }]) => !skipped.test(Type),
    );
    expect(created.map((one) => one.LogicalResourceId)).toEqual(
      expect.arrayContaining(expected.map(([id]) => id)),
    );
    return { stack, view: viewOf(seen) };
  };

  it('a fixed number of servers run in the subnet of the stack', async () => {
    const { view } = await made(fixedServers(2, { keyPair: false, instanceType: 't3.small' }));
    const ids = view.instances.map(({ id }) => id);
    const { Reservations = [] } = await world.cloud.ec2.describeInstances({ InstanceIds: ids });
    const instances = Reservations.flatMap(({ Instances = [] }) => Instances);
    expect(instances.map(({ State, InstanceType }) => [State?.Name, InstanceType])).toEqual([
      ['running', 't3.small'],
      ['running', 't3.small'],
    ]);
    const { Subnets = [] } = await world.cloud.ec2.describeSubnets({
      SubnetIds: [...new Set(instances.map(({ SubnetId = '' }) => SubnetId))],
    });
    expect(Subnets.map(({ CidrBlock }) => CidrBlock)).toEqual(['10.0.0.0/24']);
  });

  it('a group is registered with its load balancer, whose address is in the outputs', async () => {
    const { view } = await made(
      sampleModel({ layers: [{ ...sampleGroup(2, 0), flag: 'Shop', keyPair: false }] }),
    );
    const { loadBalancing } = world.cloud;
    const { LoadBalancers = [] } = await loadBalancing.describeLoadBalancers({});
    expect(view.outputs).toContainEqual(
      expect.objectContaining({ key: 'Address', value: LoadBalancers[0]?.DNSName }),
    );
    expect(await world.cloud.targetIds()).toEqual(view.instances.map(({ id }) => id).toSorted());
  });

  it('databases have their engines, a replica and addresses in the outputs', async () => {
    const layers = [sampleLayer({ keyPair: false })];
    const { view } = await made(sampleModel({ layers, databases: fullModel(2).databases }));
    const { DBInstances = [] } = await world.cloud.rds.describeDBInstances({});
    const main = DBInstances.find(
      ({ Engine, DBInstanceIdentifier = '' }) => Engine === 'mysql' && !/replica/.test(DBInstanceIdentifier),
    );
    expect(main).toMatchObject({
      // This simulator lists no versions, so the major version is all that is asked for.
      EngineVersion: '8.0',
      DBInstanceClass: 'db.t3.micro',
    });
    const value = (key: string) => view.outputs.find((output) => output.key === key)?.value;
    expect(value('DBAddress')).toBe(main?.Endpoint?.Address);
    expect(value('DBSlave1Address')).toBeTruthy();
    expect(value('DBPortreports')).toBe('5432');
    expect(view.databases.map(({ engine }) => engine).toSorted()).toEqual(['mysql', 'mysql', 'postgresql']);
  });
});
