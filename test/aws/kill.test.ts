import { afterAll, beforeAll, expect, it } from 'vitest';
import { cloudStackName } from '../../src/vendors/aws/names.ts';
import { makeTestPlace, type TestPlace } from '../open-database.ts';
import { Cloud, resourcesIn } from './world/cloud.ts';
import { FaultProxy } from './world/fault-proxy.ts';
import { type Bucket, Fleet, type FleetStack } from './world/fleet.ts';
import { countByOperation } from './world/read-call.ts';
import { describeOnOverlay, type Simulator, startOverlay } from './world/simulator.ts';

const stackCount = 200;
/** A small part of the stacks in each: what simulators do takes longer the more there is in a region. */
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
/** Longer than any of it takes on a slow machine: what is not done by then is stuck. */
const patienceSeconds = 500;

describeOnOverlay('200 stacks on AWS, the server killed ten times (on moto with the overlay)', () => {
  let simulator: Simulator;
  let front: FaultProxy;
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
    front = await FaultProxy.before(simulator.url);
    place = await makeTestPlace();
    clouds = buckets.map(({ region }) => new Cloud(simulator.url, region));
    before = await Promise.all(clouds.map(resourcesIn));
    fleet = new Fleet(place, front, 4);
    await fleet.start();
    for (const id of new Set(buckets.map(({ cred }) => cred))) await fleet.saveCredential(id);
  });
  afterAll(async () => {
    await fleet.server.kill('SIGKILL');
    await front.close();
    await simulator.stop();
    await place.remove();
  });

  const count = async (kind: string): Promise<number> => {
    const now = await Promise.all(clouds.map(resourcesIn));
    return now.reduce((sum, held, index) => {
      return sum + (held[kind]?.length ?? 0) - (before[index]?.[kind]?.length ?? 0);
    }, 0);
  };
  const report = (what: string, from: number): void => {
    const calls = front.calls.slice(from);
    const lines = countByOperation(calls).map(
      ([name, times]) => `  ${(times / stackCount).toFixed(2).padStart(8)}  ${name} (${times})`,
    );
    console.log(
      `AWS calls for each of ${stackCount} stacks, ${what}: ${(calls.length / stackCount).toFixed(2)}\n${lines.join('\n')}`,
    );
  };

  it('comes up, with the server killed four times', async () => {
    fleet.killAt('CreateStack', [20, 70, 120, 170]);
    await fleet.forEach(stacks, fleet.create);
    await fleet.waitUntil({ CREATE_COMPLETE: stackCount }, patienceSeconds);
    expect(await count('networks')).toBe(stackCount);
    expect(await count('instances')).toBe(stackCount);
    report('coming up', 0);
  });

  it('is updated, with the server killed three times', async () => {
    const from = front.calls.length;
    fleet.killAt('UpdateStack', [30, 100, 170]);
    await fleet.forEach(stacks, fleet.update);
    await fleet.waitUntil({ UPDATE_COMPLETE: stackCount }, patienceSeconds);
    expect(await count('networks')).toBe(stackCount);
    expect(await count('instances')).toBe(2 * stackCount);
    report('being updated', from);
  });

  it('is deleted, with the server killed three times, and nothing is left, twice or stuck', async () => {
    const from = front.calls.length;
    fleet.killAt('DeleteStack', [30, 100, 170]);
    await fleet.forEach(stacks, fleet.remove);
    await fleet.waitUntil({}, patienceSeconds);
    expect(fleet.kills).toBe(10);
    report('being deleted', from);
    expect(await Promise.all(clouds.map(resourcesIn))).toEqual(before);
    expect(await namesEverMade()).toEqual(stacks.map(({ stackId }) => cloudStackName(stackId)).toSorted());
  });

  /** CloudFormation tells also of stacks that are deleted. */
  async function namesEverMade(): Promise<string[]> {
    const lists = await Promise.all(clouds.map(({ cloudFormation }) => cloudFormation.listStacks({})));
    return lists
      .flatMap(({ StackSummaries = [] }) => StackSummaries.map(({ StackName = '' }) => StackName))
      .toSorted();
  }
});
