import { afterAll, expect, it } from 'vitest';
import type { StackOnVendor } from '../../src/vendors/vendor.ts';
import { eventually } from '../http.ts';
import { documentOf, server, testResource } from './world/documents.ts';
import { releasesOf } from './world/releases.ts';
import { describeOnFullRig } from './world/rig.ts';
import { patiently, reconcile } from './world/steps.ts';
import { OpenStackWorld } from './world/world.ts';

type Made = Record<string, { id: string }>;

describeOnFullRig('what Heat does not know of a stack', () => {
  const world = new OpenStackWorld();
  afterAll(() => world.close());

  const post = async (service: 'network' | 'volumev3' | 'compute', path: string, body: object) => {
    const made = await world.cloud.change<Made>({ service, method: 'POST', path, body });
    return Object.values(made)[0]?.id ?? '';
  };

  /** As an engine leaves them that is killed before it records their ids. */
  const leaveBehind = async ({ id }: StackOnVendor): Promise<void> => {
    const network = await post('network', '/v2.0/networks', { network: { name: id } });
    const subnet = { network_id: network, cidr: '10.8.0.0/24', ip_version: 4 };
    await post('network', '/v2.0/subnets', { subnet });
    const port = { network_id: network, name: `${id}-Port0OfWeb0-abcdefghij27` };
    await post('network', '/v2.0/ports', { port });
    const { networks } = await world.cloud.read<{ networks: { id: string }[] }>({
      service: 'network',
      path: '/v2.0/networks?router%3Aexternal=True&fields=id',
    });
    const floatingip = { floating_network_id: networks[0]?.id, description: `${id}-Web0` };
    await post('network', '/v2.0/floatingips', { floatingip });
    await post('network', '/v2.0/security-groups', {
      security_group: { name: `${id}-SecurityGroupWeb-abcdefghij27` },
    });
    const metadata = { almanac_stack: id };
    await post('compute', '/os-keypairs', { keypair: { name: `${id}-Web0` } });
    await post('volumev3', '/volumes', { volume: { size: 1, name: 'boot', metadata } });
  };

  const lists = {
    networks: ['network', '/v2.0/networks?fields=name'],
    ports: ['network', '/v2.0/ports?fields=name'],
    floatingips: ['network', '/v2.0/floatingips?fields=description'],
    security_groups: ['network', '/v2.0/security-groups?fields=name'],
    keypairs: ['compute', '/os-keypairs'],
    servers: ['compute', '/servers/detail'],
    volumes: ['volumev3', '/volumes/detail'],
  } as const;

  const leftOf = async ({ id }: StackOnVendor): Promise<string[]> => {
    const found: string[] = [];
    for (const [kind, [service, path]] of Object.entries(lists)) {
      const body = await world.cloud.read<Record<string, unknown[]>>({ service, path });
      for (const row of body[kind] ?? []) if (JSON.stringify(row).includes(id)) found.push(kind);
    }
    return found.toSorted();
  };

  it('is deleted with the stack, and that of another stack stays', async () => {
    const [stack, other] = [world.newStack(), world.newStack()];
    const document = documentOf({ Instance0Oflone: server(stack) });
    await reconcile(world, stack, { document, version: 'v1' });
    await leaveBehind(stack);
    await leaveBehind(other);
    const all = ['floatingips', 'keypairs', 'networks', 'ports', 'security_groups', 'volumes'];
    expect(await leftOf(stack)).toEqual([...all, 'servers'].toSorted());
    expect(await reconcile(world, stack, 'delete')).toEqual(expect.not.objectContaining({ leftovers: true }));
    expect(await leftOf(stack)).toEqual([]);
    expect(await leftOf(other)).toEqual(all);
    expect(await reconcile(world, other, 'delete')).toMatchObject({ kind: 'absent' });
    expect(await leftOf(other)).toEqual([]);
  });

  // As an engine leaves it that is killed before it records the id: every further attempt of Heat fails because of it.
  it('a subnet of the stack is deleted before the next version is applied, which Heat then completes', async () => {
    const stack = world.newStack();
    const document = (value: string) =>
      documentOf({
        Network: { type: 'OS::Neutron::Net', properties: { name: stack.id } },
        Slow: testResource({ value, wait_secs: 15 }),
        Subnet: {
          type: 'OS::Neutron::Subnet',
          depends_on: ['Slow'],
          properties: { network: { get_resource: 'Network' }, cidr: '10.8.0.0/24', ip_version: 4 },
        },
      });
    await patiently(() => world.apply(stack, document('x'), 'v1'));
    type Networks = { networks: { id: string; subnets: string[] }[] };
    const path = `/v2.0/networks?name=${stack.id}`;
    const read = async () =>
      (await patiently(() => world.cloud.read<Networks>({ service: 'network', path }))).networks;
    const [network] = await eventually(read, (found) => found.length > 0);
    const subnet = {
      network_id: network?.id,
      name: `${stack.id}-Subnet-abcdefghij27`,
      cidr: '10.8.0.0/24',
      ip_version: 4,
    };
    const left = await post('network', '/v2.0/subnets', { subnet });
    const wish = { document: document('x'), version: 'v1' };
    expect(await reconcile(world, stack, wish)).toMatchObject({ kind: 'broken', version: 'v1' });
    expect(await reconcile(world, stack, { document: document('y'), version: 'v2' })).toMatchObject({
      kind: 'settled',
      version: 'v2',
    });
    const [after] = await read();
    expect(after?.subnets).toHaveLength(1);
    expect(after?.subnets).not.toContain(left);
  });

  it('a stack with a Redis cache on the disk of its server is not deleted by a request that keeps its data, and is by one that deletes it', async () => {
    const stack = world.newStack();
    const keys = { almanac_stack: stack.id, almanac_cache: 'main', almanac_cache_engine: 'redis' };
    const document = documentOf({
      Redis0Ofmain: server(stack, { metadata: { ...keys, almanac_cache_node: '0' } }),
    });
    await reconcile(world, stack, { document, version: 'v1' });
    const releases = await releasesOf(world.driver, stack, 'keep');
    expect(await world.driver.remove(stack, { releases, intent: 'delete 1' })).toMatchObject({
      accepted: false,
      reason: expect.stringContaining('data=delete'),
    });
    expect(await leftOf(stack)).toEqual(['servers']);
    expect(await reconcile(world, stack, 'delete')).toMatchObject({ kind: 'absent' });
    expect(await leftOf(stack)).toEqual([]);
  });
});
