import { afterAll, afterEach, expect, it } from 'vitest';
import { readFacts } from '../../src/vendors/openstack/facts/read-facts.ts';
import type { Instance, Observation, StackOnVendor } from '../../src/vendors/vendor.ts';
import { eventually } from '../http.ts';
import { documentOf, server, servers } from './world/documents.ts';
import { groupOf } from './world/group.ts';
import { describeOnFullRig } from './world/rig.ts';
import { reconcile } from './world/steps.ts';
import { OpenStackWorld } from './world/world.ts';

const network = { type: 'OS::Neutron::Net' };
const subnet = {
  type: 'OS::Neutron::Subnet',
  properties: { network: { get_resource: 'Network' }, cidr: '10.9.0.0/24', ip_version: 4 },
};

const instancesOf = (observation: Observation): readonly Instance[] =>
  observation.kind === 'unreachable' ? [] : observation.view.instances;
const idsOf = (observation: Observation): string[] =>
  instancesOf(observation)
    .filter(({ state }) => state === 'running')
    .map(({ id }) => id)
    .toSorted();

describeOnFullRig('stacks with servers and networks', () => {
  const world = new OpenStackWorld();
  const admin = new OpenStackWorld({ user: 'admin' });
  const other = new OpenStackWorld();
  afterAll(async () => {
    await other.close();
    await world.close();
  });

  /** -1: no limit, as on the rig itself. */
  const setNetworkQuota = async (limit: number): Promise<void> => {
    const { projectId } = await world.cloud.session();
    const body = { quota: { network: limit } };
    const path = `/v2.0/quotas/${projectId}`;
    await admin.cloud.change({ service: 'network', method: 'PUT', path, body });
  };
  const setQuotas = async (service: 'compute' | 'volumev3', quotas: object): Promise<void> => {
    const { projectId } = await world.cloud.session();
    const path = `/os-quota-sets/${projectId}`;
    await admin.cloud.change({ service, method: 'PUT', path, body: { quota_set: quotas } });
  };
  afterEach(() => setNetworkQuota(-1));

  const observeFresh = (stack: StackOnVendor): Promise<Observation> => {
    world.clock.advance(60_000);
    return world.driver.observe(stack);
  };

  it('a reached limit of networks breaks the stack with a sentence about what to do', async () => {
    const stack = world.newStack();
    const { networks } = await readFacts(world.cloud, world.clock).quotas();
    await setNetworkQuota((networks?.used ?? 0) + 1);
    const document = documentOf({ One: network, Two: network });
    const broken = await reconcile(world, stack, { document, version: 'v1' });
    expect(broken).toMatchObject({ kind: 'broken', version: 'v1' });
    expect(broken.kind === 'broken' && broken.reason).toMatch(
      /^The project has reached its limit of networks\. Ask for more, or delete a stack\. \((?!.*req-)/,
    );
    await setNetworkQuota(-1);
    expect(await reconcile(world, stack, { document, version: 'v2' })).toMatchObject({ kind: 'settled' });
  });

  it('a port of another stack stops the deletion, which succeeds once the port is gone', async () => {
    const stack = world.newStack();
    const document = documentOf({ Network: network, Subnet: subnet });
    await reconcile(world, stack, { document, version: 'v1' });
    const [listed] = await world.listed(stack);
    const path = `/stacks/${stack.id}/${listed?.id}/resources/Network`;
    const { resource } = await world.cloud.read<{ resource: { physical_resource_id: string } }>({
      service: 'orchestration',
      path,
    });
    const user = other.newStack();
    const port = {
      type: 'OS::Neutron::Port',
      properties: { network: resource.physical_resource_id },
    };
    await reconcile(other, user, { document: documentOf({ Port: port }), version: 'v1' });
    const broken = await reconcile(world, stack, 'delete');
    expect(broken).toMatchObject({ kind: 'broken', doing: 'remove', blocked: true });
    expect(broken.kind === 'broken' && broken.reason).toMatch(/ports have an IP allocation|in use/);
    // Heat refuses an update in this state: the next version deletes the rest first.
    await reconcile(other, user, 'delete');
    expect(await reconcile(world, stack, 'delete')).toMatchObject({ kind: 'absent' });
    expect(await world.listed(stack)).toEqual([]);
  });

  it('a server that was deleted outside Almanac is made again by the next version, and the others stay', async () => {
    const stack = world.newStack();
    await reconcile(world, stack, { document: servers(stack, 2), version: 'v1' });
    const [gone = '', kept] = idsOf(await observeFresh(stack));
    await world.cloud.change({ service: 'compute', method: 'DELETE', path: `/servers/${gone}` });
    await eventually(
      () => observeFresh(stack),
      (seen) => !instancesOf(seen).some(({ id }) => id === gone),
    );
    expect(await world.driver.startDriftCheck?.(stack)).toEqual({ accepted: true });
    await world.atRest(stack);
    expect(await world.driver.readDrift?.(stack)).toMatchObject({
      state: 'drifted',
      resources: [{ resourceType: 'OS::Nova::Server', kind: 'deleted' }],
    });
    expect(await world.apply(stack, servers(stack, 2), 'v2')).toMatchObject({ accepted: true });
    await world.atRest(stack);
    const after = idsOf(await observeFresh(stack));
    expect(after).toHaveLength(2);
    expect(after).toContain(kept);
    expect(after).not.toContain(gone);
  });

  it('restarts a fixed server in place', async () => {
    const stack = world.newStack();
    const document = documentOf({ Instance0Oflone: server(stack) });
    await reconcile(world, stack, { document, version: 'v1' });
    const [id = ''] = idsOf(await observeFresh(stack));
    expect(await world.driver.restartInstance?.(stack, id)).toEqual({
      accepted: true,
      protectionSeconds: null,
    });
    expect(
      idsOf(
        await eventually(
          () => observeFresh(stack),
          (seen) => idsOf(seen).length === 1,
        ),
      ),
    ).toEqual([id]);
    expect(await world.driver.replaceInstance?.(stack, id)).toMatchObject({ accepted: false });
    expect(await world.driver.restartInstance?.(stack, 'none')).toMatchObject({ accepted: false });
  });

  it('replaces a member of a group, and keeps the others', async () => {
    const stack = world.newStack();
    await reconcile(world, stack, { document: groupOf(stack, 2), version: 'v1' });
    const [gone = '', kept] = idsOf(await observeFresh(stack));
    expect(await world.driver.restartInstance?.(stack, gone)).toEqual({
      accepted: true,
      protectionSeconds: 0,
    });
    await world.atRest(stack);
    const seen = await observeFresh(stack);
    expect(seen).toMatchObject({ kind: 'settled', version: 'v1' });
    expect(idsOf(seen)).toHaveLength(2);
    expect(idsOf(seen)).toContain(kept);
    expect(idsOf(seen)).not.toContain(gone);
  });

  it('a view has the types, images, zones and nodes of caches, and another project sees nothing of it', async () => {
    const stack = world.newStack();
    const cacheKeys = { almanac_stack: stack.id, almanac_cache: 'main', almanac_cache_engine: 'redis' };
    const document = documentOf({
      Instance0Oflone: server(stack),
      Redis0Ofmain: server(stack, { metadata: { ...cacheKeys, almanac_cache_node: '0' } }),
    });
    const seen = await reconcile(world, stack, { document, version: 'v1' });
    expect(seen).toMatchObject({
      view: {
        instances: [{ flag: 'lone', type: 'm1.tiny', state: 'running', zone: 'nova' }],
        caches: [{ engine: 'redis', role: 'primary', port: 6379 }],
      },
    });
    const stranger = new OpenStackWorld({ user: 'demo2' });
    expect(await stranger.driver.observe(stack)).toMatchObject({ kind: 'absent' });
  });

  it('the facts that choices are made from are read from every service', async () => {
    const facts = readFacts(world.cloud, world.clock);
    expect(await facts.regions()).toEqual(['RegionOne']);
    expect([...(await facts.services())]).toEqual(
      expect.arrayContaining(['orchestration', 'compute', 'image', 'network', 'volumev3', 'load-balancer']),
    );
    expect(await facts.flavors()).toEqual(
      expect.arrayContaining([expect.objectContaining({ name: 'm1.small', cpus: 1, memoryMib: 2048 })]),
    );
    expect((await facts.images()).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['debian-12', 'cirros']),
    );
    expect(await facts.externalNetworks()).toEqual([expect.objectContaining({ name: 'public' })]);
    expect(await facts.zones()).toEqual({ servers: ['nova'], volumes: ['nova'] });
    expect(await facts.volumeTypes()).toEqual(expect.arrayContaining(['ssd', 'hdd']));
  });

  it('limits of the project are read with what it uses, and those that it does not have are left out', async () => {
    await setNetworkQuota(7);
    await setQuotas('compute', { instances: 8, cores: -1 });
    await setQuotas('volumev3', { volumes: 9 });
    try {
      const quotas = await readFacts(world.cloud, world.clock).quotas();
      expect(quotas).toMatchObject({ networks: { limit: 7 }, servers: { limit: 8 }, volumes: { limit: 9 } });
      expect(quotas.networks?.used).toBeGreaterThanOrEqual(0);
      expect(quotas).not.toHaveProperty('cpus');
    } finally {
      await setQuotas('compute', { instances: -1 });
      await setQuotas('volumev3', { volumes: -1 });
    }
  });

  it('the facts of databases are read from Trove', async () => {
    const facts = readFacts(world.cloud, world.clock);
    if (!(await facts.services()).has('database')) return;
    const mysql = (await facts.datastores()).find(({ name }) => name === 'mysql');
    expect(mysql?.versions.length).toBeGreaterThan(0);
  });
});
