import { afterAll, beforeAll } from 'vitest';
import { stackTag } from '../../src/vendors/aws/names.ts';
import { type Bucket, Fleet, type FleetCloud } from '../e2e/world/fleet.ts';
import { killedLife, spread } from '../e2e/world/killed-life.ts';
import { makeTestPlace, type TestPlace } from '../open-database.ts';
import { Cloud, resourcesIn } from './world/cloud.ts';
import { FaultProxy } from './world/fault-proxy.ts';
import { countByOperation } from './world/read-call.ts';
import { describeOnOverlay, type Simulator, startOverlay } from './world/simulator.ts';

/** `npm run test:aws:kills` has 200. */
const total = Number(process.env['ALM_TEST_AWS_STACKS'] ?? 40);
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

const fleetCloud = (proxy: FaultProxy): FleetCloud => ({
  vendor: 'aws',
  instanceType: 't3.micro',
  settings: { AWS_ENDPOINT_URL: proxy.url, ALM_AWS_POLL_SECONDS: '4' },
  zone: (region) => `${region}a`,
  credential: (id) => ({ AWSAccessKeyId: id, AWSSecretKey: 'secret', AWSAccountName: id }),
  listen: (listener) => {
    proxy.onCall = ({ operation }) => listener(operation);
  },
});

describeOnOverlay(`${total} stacks on AWS, the server killed ten times (on moto with the overlay)`, () => {
  let simulator: Simulator;
  let proxy: FaultProxy;
  let place: TestPlace;
  let fleet: Fleet;
  let clouds: Cloud[];
  let before: Record<string, string[]>[];
  /** How many calls were made when the last phase ended. */
  let reported = 0;

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

  const serverOwners = async (): Promise<string[]> => {
    const servers = await Promise.all(clouds.map((cloud) => cloud.instances()));
    return servers.flat().map(({ Tags = [] }) => Tags.find(({ Key }) => Key === stackTag)?.Value ?? '');
  };
  const leftovers = async (): Promise<string[]> => {
    const now = await Promise.all(clouds.map(resourcesIn));
    return now.flatMap((kinds, index) =>
      Object.entries(kinds).flatMap(([kind, names]) =>
        names.filter((name) => !before[index]?.[kind]?.includes(name)).map((name) => `${kind} ${name}`),
      ),
    );
  };
  /** Includes deleted stacks, which CloudFormation still lists. */
  const created = async (): Promise<string[]> => {
    const lists = await Promise.all(clouds.map(({ cloudFormation }) => cloudFormation.listStacks({})));
    return lists.flatMap(({ StackSummaries = [] }) =>
      StackSummaries.map(({ StackName = '' }) => StackName.replace(/^alm-/, '')),
    );
  };
  const report = (phase: string): void => {
    const calls = proxy.calls.slice(reported);
    reported = proxy.calls.length;
    const lines = countByOperation(calls).map(
      ([name, times]) => `  ${(times / total).toFixed(2).padStart(8)}  ${name} (${times})`,
    );
    console.log(
      `AWS calls for each of ${total} stacks, ${phase}: ${(calls.length / total).toFixed(2)}\n${lines.join('\n')}`,
    );
  };

  killedLife({
    stacks: spread(buckets, total),
    fleet: () => fleet,
    cloud: () => ({
      networks: async () => (await leftovers()).filter((name) => name.startsWith('networks ')).length,
      serverOwners,
      leftovers,
      created,
    }),
    report,
  });
});
