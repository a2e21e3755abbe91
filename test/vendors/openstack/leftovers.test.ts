import { describe, expect, it } from 'vitest';
import { sweep } from '../../../src/vendors/openstack/act/sweep.ts';
import { dialects } from '../../../src/vendors/openstack/dialect.ts';
import { observe } from '../../../src/vendors/openstack/observe.ts';
import { makeRegion, type Region } from '../../../src/vendors/openstack/region.ts';
import { CredentialRejected } from '../../../src/vendors/vendor.ts';
import { FakeCloud } from './fake-cloud.ts';

const stack = { id: 'mo-1', region: 'RegionOne', accountId: 'a1' };

interface Row {
  id: string;
  name?: string;
  description?: string | null;
  port_id?: string;
  vip_network_id?: string;
}

/** A cloud without stacks, and with load balancers, key pairs and resources of networks. */
class CloudWithoutStacks extends FakeCloud {
  /** The service that the user may not use. */
  denied = 'load-balancer';
  balancers: Row[] = [];
  networks: Record<string, Row[]> = { ports: [], floatingips: [], security_groups: [], networks: [] };
  keyPairs: string[] = [];
  override readonly services = ['load-balancer', 'network', 'compute'];

  override readonly answers: FakeCloud['answers'] = ({ method, path }) => {
    const [, service = '', ...place] = path.split('?')[0]?.split('/') ?? [];
    if (service === this.denied) return { status: 403, body: { faultstring: 'Policy does not allow this' } };
    if (method === 'DELETE') this.delete(place.join('/'));
    if (service === 'load-balancer') return { body: { loadbalancers: this.balancers } };
    if (service === 'compute')
      return { body: { keypairs: this.keyPairs.map((name) => ({ keypair: { name } })) } };
    return { body: service === 'heat' ? { stacks: [] } : this.networks };
  };

  private delete(place: string): void {
    for (const [kind, rows] of Object.entries(this.networks))
      this.networks[kind] = rows.filter(({ id }) => place !== `v2.0/${kind.replace('_', '-')}/${id}`);
    this.balancers = this.balancers.filter(({ id }) => place !== `v2/lbaas/loadbalancers/${id}`);
    this.keyPairs = this.keyPairs.filter((name) => place !== `os-keypairs/${name}`);
  }

  region(dialect: keyof typeof dialects = 'openstack'): Region {
    return makeRegion({
      client: this.client(),
      clock: this.clock,
      dialect: dialects[dialect],
      pollMs: 1000,
    });
  }
}

const absent = { kind: 'absent', view: expect.anything() };

describe('what is left of a stack, seen by a user without the role for load balancers', () => {
  it('is nothing if no other service has anything of the stack, so that the stack can be created and deleted', async () => {
    const cloud = new CloudWithoutStacks();
    cloud.networks = { ports: [{ id: 'p9', name: 'mo-9-Port-abcdefghij27' }] };
    expect(await observe(cloud.region(), stack)).toEqual(absent);
  });

  it('is found in the other services and deleted there; what is not marked with the id of the stack stays', async () => {
    const cloud = new CloudWithoutStacks();
    const random = 'abcdefghij27';
    const names = [
      `mo-10-Port-${random}`,
      'mo-1x',
      `my mo-1-Port-${random}`,
      '',
      'mo-1-mine',
      'mo-1-Port-mine',
    ];
    const others = names.map((name, id) => ({ id: `other${id}`, name }));
    const own = [`mo-1-Port0OfWeb0-${random}`, `mo-1-Group-${random}-${random}-${random}-port-${random}`];
    cloud.networks = { ports: [...own.map((name, id) => ({ id: `own${id}`, name })), ...others] };
    expect(await observe(cloud.region(), stack)).toEqual({ ...absent, leftovers: true });
    await sweep(cloud.region(), stack.id);
    expect(cloud.networks).toEqual({ ports: others });
    expect(await observe(cloud.region(), stack)).toEqual(absent);
  });
});

describe('what is left of a stack', () => {
  it('includes load balancers, for a user who may list them', async () => {
    const cloud = new CloudWithoutStacks();
    cloud.denied = '';
    cloud.balancers = [
      { id: 'b1', name: 'mo-1-mine', description: 'mine' },
      { id: 'b2', name: 'mo-1-mine', description: '', vip_network_id: 'n9' },
    ];
    expect(await observe(cloud.region(), stack)).toEqual(absent);
    cloud.balancers = [{ id: 'b1', name: 'mo-1-Web', description: 'mo-1' }];
    expect(await observe(cloud.region(), stack)).toEqual({ ...absent, leftovers: true });
  });

  it('includes load balancers of earlier releases, which have no description, by their name and a network of the stack', async () => {
    const cloud = new CloudWithoutStacks();
    cloud.denied = '';
    cloud.networks = { networks: [{ id: 'n1', name: 'mo-1' }] };
    const others = [
      { id: 'b2', name: 'mine', description: '', vip_network_id: 'n1' },
      { id: 'b3', name: 'mo-1-mine', description: 'mine', vip_network_id: 'n1' },
      { id: 'b4', name: 'mo-1-Web', description: '', vip_network_id: 'n2' },
    ];
    cloud.balancers = [{ id: 'b1', name: 'mo-1-Web', description: null, vip_network_id: 'n1' }, ...others];
    await sweep(cloud.region(), stack.id);
    expect(cloud.balancers).toEqual(others);
  });

  it('has networks with exactly the names that Almanac gives, not those of a person', async () => {
    const cloud = new CloudWithoutStacks();
    const mine = { id: 'mine', name: 'mo-1-mine' };
    cloud.networks = { networks: [{ id: 'n1', name: 'mo-1' }, mine, { id: 'n2', name: 'mo-1-data' }] };
    await sweep(cloud.region(), stack.id);
    expect(cloud.networks).toEqual({ networks: [mine] });
  });

  const ports = [{ id: 'p1', name: 'mo-1-Port0OfWeb0-abcdefghij27' }];

  it('includes floating IP addresses without a description on K5, which keeps none, if they lead to a port of the stack', async () => {
    const cloud = new CloudWithoutStacks();
    const mine = [
      { id: 'f2', port_id: 'p2' },
      { id: 'f3', port_id: 'p1', description: 'mine' },
    ];
    cloud.networks = { floatingips: [{ id: 'f1', port_id: 'p1' }, ...mine], ports };
    await sweep(cloud.region('k5'), stack.id);
    expect(cloud.networks).toEqual({ floatingips: mine, ports });
  });

  it('does not include the floating IP address that a person attached to a port of the stack: only the port is deleted', async () => {
    const cloud = new CloudWithoutStacks();
    const floatingips = [
      { id: 'f1', port_id: 'p1' },
      { id: 'f2', port_id: 'p1', description: 'mine' },
    ];
    cloud.networks = { floatingips, ports };
    await sweep(cloud.region(), stack.id);
    expect(cloud.networks).toEqual({ floatingips, ports: [] });
  });

  it('includes key pairs, which are deleted by name; those of others stay', async () => {
    const cloud = new CloudWithoutStacks();
    cloud.keyPairs = ['mo-1-Web0', 'mo-2-Web0', 'mine'];
    expect(await observe(cloud.region(), stack)).toEqual({ ...absent, leftovers: true });
    await sweep(cloud.region(), stack.id);
    expect(cloud.keyPairs).toEqual(['mo-2-Web0', 'mine']);
  });

  it('is unknown, not nothing, if the user may not list what the role member allows', async () => {
    const cloud = new CloudWithoutStacks();
    cloud.denied = 'network';
    await expect(observe(cloud.region(), stack)).rejects.toThrow(CredentialRejected);
  });
});
