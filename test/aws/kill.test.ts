import { afterAll, beforeAll, expect, it } from 'vitest';
import { cloudStackName } from '../../src/vendors/aws/names.ts';
import { type Bucket, Fleet, type FleetCloud, type FleetStack } from '../e2e/world/fleet.ts';
import { makeTestPlace, type TestPlace } from '../open-database.ts';
import { Cloud, resourcesIn } from './world/cloud.ts';
import { FaultProxy } from './world/fault-proxy.ts';
import { countByOperation } from './world/read-call.ts';
import { describeOnOverlay, type Simulator, startOverlay } from './world/simulator.ts';

const stackCount = 200;
/** Spread over regions, because simulators slow down with the number of resources in a region. */
const buckets: Bucket[] = [
  { cred: 'AKIAFIRST', region: 'ap-northeast-1' },
  { cred: 'AKIAFIRST', region: 'us-east-1' },
  { cred: 'AKIAFIRST', region: 'us-east-2' },
  { cred: 'AKIAFIRST', region: 'us-west-2' },
  { cred: 'AKIASECOND', region: 'ap-southeast-1' },
  { cred: 'AKIASECOND', region: 'ap-south-1' },
  { cred: 'AKIASECOND', region: 'eu-central-1' },
  { cred: 'AKIASECOND', region: 'eu-west-1' },
];
/** Only a hang reaches it: stacks that are stuck fail earlier. */
const timeout = 3_600_000;

const fleetCloud = (proxy: FaultProxy): FleetCloud => ({
  vendor: 'aws',
  instanceType: 't3.micro',
  settings: { AWS_ENDPOINT_URL: proxy.url, ALM_AWS_POLL_SECONDS: '4' },
  credential: (id) => ({ AWSAccessKeyId: id, AWSSecretKey: 'secret', AWSAccountName: id }),
  listen: (listener) => {
    proxy.onCall = ({ operation }) => listener(operation);
  },
});

describeOnOverlay('200 stacks on AWS, the server killed ten times (on moto with the overlay)', () => {
  let simulator: Simulator;
  let proxy: FaultProxy;
  let place: TestPlace;
  let fleet: Fleet;
  let clouds: Cloud[];
  let before: Record<string, string[]>[];
  const stacks = Array.from({ length: stackCount }, (_, number): FleetStack => {
    const bucket = buckets[number % buckets.length] as Bucket;
    return { number, bucket, stackId: '' };
  });

  beforeAll(async () => {
    simulator = await startOverlay({ delaySeconds: 0 });
    proxy = await FaultProxy.start(simulator.url);
    place = await makeTestPlace();
    clouds = buckets.map(({ region }) => new Cloud(simulator.url, region));
    before = await Promise.all(clouds.map(resourcesIn));
    fleet = new Fleet(place, fleetCloud(proxy));
    await fleet.start();
    for (const id of new Set(buckets.map(({ cred }) => cred))) await fleet.saveCredential(id);
  });
  afterAll(async () => {
    await fleet.server.kill('SIGKILL');
    await proxy.close();
    await simulator.stop();
    await place.remove();
  });

  const count = async (kind: string): Promise<number> => {
    const now = await Promise.all(clouds.map(resourcesIn));
    return now.reduce((sum, held, index) => {
      return sum + (held[kind]?.length ?? 0) - (before[index]?.[kind]?.length ?? 0);
    }, 0);
  };
  const report = (phase: string, from: number): void => {
    const calls = proxy.calls.slice(from);
    const lines = countByOperation(calls).map(
      ([name, times]) => `  ${(times / stackCount).toFixed(2).padStart(8)}  ${name} (${times})`,
    );
    console.log(
      `AWS calls for each of ${stackCount} stacks, ${phase}: ${(calls.length / stackCount).toFixed(2)}\n${lines.join('\n')}`,
    );
  };

  it('all stacks are created, with the server killed four times', { timeout }, async () => {
    fleet.killAt('CreateStack', [20, 70, 120, 170]);
    await fleet.forEach(stacks, fleet.create);
    await fleet.waitUntil({ CREATE_COMPLETE: stackCount });
    expect(await count('networks')).toBe(stackCount);
    expect(await count('instances')).toBe(stackCount);
    report('creation', 0);
  });

  it('all stacks are updated, with the server killed three times', { timeout }, async () => {
    const from = proxy.calls.length;
    fleet.killAt('UpdateStack', [30, 100, 170]);
    await fleet.forEach(stacks, fleet.update);
    await fleet.waitUntil({ UPDATE_COMPLETE: stackCount });
    expect(await count('networks')).toBe(stackCount);
    expect(await count('instances')).toBe(2 * stackCount);
    report('update', from);
  });

  it('all stacks are deleted, with the server killed three times, without leftovers, duplicates or stuck stacks', {
    timeout,
  }, async () => {
    const from = proxy.calls.length;
    fleet.killAt('DeleteStack', [30, 100, 170]);
    await fleet.forEach(stacks, fleet.remove);
    await fleet.waitUntil({});
    expect(fleet.kills).toBe(10);
    report('deletion', from);
    expect(await Promise.all(clouds.map(resourcesIn))).toEqual(before);
    expect(await allStackNames()).toEqual(stacks.map(({ stackId }) => cloudStackName(stackId)).toSorted());
  });

  /** Includes deleted stacks, which CloudFormation still lists. */
  async function allStackNames(): Promise<string[]> {
    const lists = await Promise.all(clouds.map(({ cloudFormation }) => cloudFormation.listStacks({})));
    return lists
      .flatMap(({ StackSummaries = [] }) => StackSummaries.map(({ StackName = '' }) => StackName))
      .toSorted();
  }
});
