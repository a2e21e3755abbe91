import { afterAll, expect, it } from 'vitest';
import { Secret } from '../../src/basics/secret.ts';
import type { Layer, StackModel } from '../../src/model/stack-model.ts';
import { readServers } from '../../src/vendors/openstack/act/missing-servers.ts';
import { readByName } from '../../src/vendors/openstack/observe/list-stacks.ts';
import { openStackVendor } from '../../src/vendors/openstack/vendor.ts';
import type { Observation, StackOnVendor, VendorDocument } from '../../src/vendors/vendor.ts';
import { eventually } from '../http.ts';
import { anyCloudModel } from '../vendors/any-cloud.ts';
import { sampleDatabase, sampleLayer, sampleModel } from '../vendors/sample-model.ts';
import { countAll } from './world/count.ts';
import { releasesOf } from './world/releases.ts';
import { describeOnFullRig, rig } from './world/rig.ts';
import { patiently } from './world/steps.ts';
import { agentToken, OpenStackWorld, pollMs } from './world/world.ts';

const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEhNa5T9ikmikBJF7vD2wuc2nCjAWfdLHNODKm55Gybq example';

/** With an agent on each server, for whose report an update waits. */
const container: Layer['container'] = {
  image: 'library/php:8-apache',
  registryUsername: null,
  registryPasswordSecret: null,
  codeDirectory: null,
  codeSource: 'git',
  gitRepository: 'https://git.example.com/shop/site.git',
  gitReference: 'master',
  gitPrivateKeySecret: null,
  ports: [],
  environment: {},
  users: [],
  addons: [],
  storage: null,
};

describeOnFullRig('the life of a stack', () => {
  // A project of its own: what is left is counted there.
  const world = new OpenStackWorld({ user: 'demo2' });
  afterAll(() => world.close());
  const { clock } = world;
  const vendor = openStackVendor('openstack', {
    clock,
    baseUrl: () => 'https://almanac.example',
    pollSeconds: pollMs / 1000,
    countCall: () => undefined,
    authUrls: { setting: 'ALM_OPENSTACK_AUTH_URLS', urls: [rig.authUrl], moved: new Map() },
  });
  const access = { ...world.access, accountId: 'a', role: null };
  const driver = vendor.connect(access);

  const documentOf = async (model: StackModel, { id }: StackOnVendor): Promise<VendorDocument> => {
    const choices = await patiently(async () => vendor.choose?.(access, model, null));
    if (!choices?.ok) throw new Error(JSON.stringify(choices));
    const document = vendor.compile(model, id, choices.value);
    if (!document.ok) throw new Error(JSON.stringify(document.problems));
    return JSON.parse(JSON.stringify(document.value)) as VendorDocument;
  };

  const apply = (stack: StackOnVendor, document: VendorDocument, version: string) => {
    const request = {
      document,
      version,
      agentToken,
      databasePassword: new Secret('Secret123456'),
      publicKeys: new Map(['Web', 'Web0'].map((flag) => [flag, publicKey])),
    };
    return patiently(() => driver.apply(stack, request));
  };

  /** Nothing boots here, so the test reports for the agents. */
  const reportAll = async (stack: StackOnVendor): Promise<void> => {
    const found = await readByName(world.cloud, stack.id);
    const servers = found ? await readServers(world.region, found) : [];
    const up = servers.filter(({ physicalId }) => physicalId);
    await driver.reportUp?.(
      stack,
      up.map(({ physicalId }) => ({ flag: 'Web0', instanceId: physicalId })),
    );
  };

  const untilAtRest = (stack: StackOnVendor): Promise<Observation> =>
    eventually(
      () =>
        patiently(async () => {
          clock.advance(pollMs);
          await reportAll(stack);
          return driver.observe(stack);
        }),
      ({ kind }) => kind !== 'busy',
      600,
    );

  it('the example for every cloud, a balanced group with a database, comes up, and leaves nothing behind', async () => {
    const before = await countAll(world);
    const stack = world.newStack();
    const document = await documentOf(anyCloudModel(rig.region), stack);
    expect(await apply(stack, document, 'v1')).toEqual({ accepted: true });
    expect(await untilAtRest(stack)).toMatchObject({ kind: 'settled', version: 'v1' });
    clock.advance(60_000);
    const seen = await patiently(() => driver.observe(stack));
    expect(seen).toMatchObject({
      kind: 'settled',
      view: {
        instances: [{ flag: 'Web', state: 'running' }, { state: 'running' }],
        databases: [{ role: 'primary', engine: 'mysql', port: 3306 }],
      },
    });
    const releases = await releasesOf(driver, stack, 'delete');
    expect(await patiently(() => driver.remove(stack, { releases, intent: 'delete 1' }))).toEqual({
      accepted: true,
    });
    expect(await untilAtRest(stack)).toMatchObject({ kind: 'absent' });
    expect(
      await eventually(
        () => countAll(world),
        (left) => left['instances'] === before['instances'],
      ),
    ).toEqual(before);
  });

  it('a fixed server with a key pair comes up once its agent reports, and a second one is added beside it', async () => {
    const stack = world.newStack();
    const model = (count: number) =>
      sampleModel({
        region: rig.region,
        layers: [sampleLayer({ capacity: { kind: 'fixed', count }, container })],
      });
    await apply(stack, await documentOf(model(1), stack), 'v1');
    expect(await untilAtRest(stack)).toMatchObject({ kind: 'settled', version: 'v1' });
    clock.advance(60_000);
    const first = await patiently(() => driver.observe(stack));
    await apply(stack, await documentOf(model(2), stack), 'v2');
    expect(await untilAtRest(stack)).toMatchObject({ kind: 'settled', version: 'v2' });
    clock.advance(60_000);
    const second = await patiently(() => driver.observe(stack));
    const ids = (seen: Observation) =>
      seen.kind === 'unreachable' ? [] : seen.view.instances.map(({ id }) => id);
    expect(ids(second)).toHaveLength(2);
    expect(ids(second)).toEqual(expect.arrayContaining(ids(first)));
  });

  it('a stack whose database is still being built is deleted: Trove refuses at first, and is asked again', async () => {
    const before = await countAll(world);
    const stack = world.newStack();
    const model = sampleModel({ region: rig.region, layers: [], databases: [sampleDatabase()] });
    await apply(stack, await documentOf(model, stack), 'v1');
    await eventually(
      () => countAll(world),
      ({ instances = 0 }) => instances > (before['instances'] ?? 0),
    );
    const request = { releases: await releasesOf(driver, stack, 'keep'), intent: 'delete 1' };
    await patiently(() => driver.remove(stack, request));
    for (let seen = await untilAtRest(stack); seen.kind !== 'absent'; seen = await untilAtRest(stack)) {
      expect(seen).toMatchObject({ kind: 'unfinished', doing: 'remove' });
      await patiently(() => driver.remove(stack, request));
    }
    await eventually(
      () => countAll(world),
      ({ instances }) => instances === before['instances'],
    );
  });
});
