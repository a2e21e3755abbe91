import { afterAll, beforeAll, describe } from 'vitest';
import { stackTag } from '../../src/vendors/alicloud/names.ts';
import { type Bucket, Fleet, type FleetCloud } from '../e2e/world/fleet.ts';
import { killedLife, spread } from '../e2e/world/killed-life.ts';
import { makeTestPlace, type TestPlace } from '../open-database.ts';
import { Double, doubleKeys, type Tag } from './world/double.ts';
import { Relay } from './world/relay.ts';

/** `npm run test:alicloud:kills` has 200. */
const total = Number(process.env['ALM_TEST_ALICLOUD_STACKS'] ?? 40);
/** Of each action, in a region: that of the real ROS. A server that was killed does not know how many calls it made. */
const callsPerMinute = 100;
const regions = ['ap-northeast-1', 'ap-southeast-1', 'eu-central-1', 'us-west-1'];

const buckets = regions.map((region): Bucket => ({ cred: doubleKeys.accessKeyId, region }));

const fleetCloud = (relay: Relay): FleetCloud => ({
  vendor: 'alicloud',
  instanceType: 'ecs.g7.large',
  settings: { ALM_ALICLOUD_ENDPOINT: relay.url, ALM_ALICLOUD_POLL_SECONDS: '4' },
  zone: (region) => `${region}a`,
  credential: (id) => ({
    AliCloudAccessKeyId: id,
    AliCloudSecretKey: doubleKeys.secretAccessKey,
    AliCloudAccountName: id,
  }),
  listen: (listener) => {
    relay.onCall = listener;
  },
});

describe(`${total} stacks on Alibaba Cloud, the server killed ten times (on a double of ROS)`, () => {
  let double: Double;
  let relay: Relay;
  let place: TestPlace;
  let fleet: Fleet;

  beforeAll(async () => {
    double = await Double.start();
    await double.control('settings', { vpcQuota: 1000, stackQuota: 1000, rateLimit: callsPerMinute });
    relay = await Relay.start(double.url);
    place = await makeTestPlace();
    fleet = new Fleet(place, fleetCloud(relay));
    await fleet.start();
    await fleet.saveCredential(doubleKeys.accessKeyId);
    await double.clear('calls');
  });
  afterAll(async () => {
    await fleet.server.kill('SIGKILL');
    await relay.close();
    await double.stop();
    await place.remove();
  });

  /** What is there, as `<kind> <id>`: everything was made by stacks. Secrets are on no list of a region. */
  const things = async (): Promise<string[]> => {
    const kinds = [...(await double.worlds()), { secrets: (await double.state()).secrets }];
    return kinds
      .flatMap((one) => Object.entries(one))
      .flatMap(([kind, table]) => Object.keys(table).map((id) => `${kind} ${id}`));
  };

  const serverOwners = async (): Promise<string[]> => {
    const servers = (await double.worlds()).flatMap(({ inst = {} }) => Object.values(inst));
    return servers.map(
      ({ tags }) => (tags as Tag[]).find(({ Key }) => Key === stackTag)?.Value ?? 'no stack',
    );
  };

  /** Includes deleted stacks, which the double still lists. */
  const created = async (): Promise<string[]> =>
    Object.values((await double.state()).stacks).map(({ name }) => name.replace(/^alm-/, ''));

  const report = async (phase: string): Promise<void> => {
    const calls = Object.entries(await double.calls()).toSorted(([, a], [, b]) => b - a);
    await double.clear('calls');
    const lines = calls.map(
      ([name, times]) => `  ${(times / total).toFixed(2).padStart(8)}  ${name} (${times})`,
    );
    const sum = calls.reduce((all, [, times]) => all + times, 0);
    console.log(
      `Calls for each of ${total} stacks, ${phase}: ${(sum / total).toFixed(2)}\n${lines.join('\n')}`,
    );
  };

  killedLife({
    stacks: spread(buckets, total),
    fleet: () => fleet,
    cloud: () => ({
      networks: async () => (await things()).filter((thing) => thing.startsWith('vpcs ')).length,
      serverOwners,
      leftovers: things,
      created,
    }),
    report,
  });
});
