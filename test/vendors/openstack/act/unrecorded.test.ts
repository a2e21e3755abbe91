import { describe, expect, it } from 'vitest';
import { Secret } from '../../../../src/basics/secret.ts';
import { documentOf } from '../../../openstack/world/documents.ts';
import type { Asked, FakeCloud } from '../fake-cloud.ts';
import { FakeHeat } from '../fake-heat.ts';

const stack = { id: 'mo-1', region: 'RegionOne', accountId: 'a1' };

/** Neutron and Nova with what an engine left: subnets s-…, interfaces of the router, key pairs. */
class LeftBehind extends FakeHeat {
  override readonly services = ['compute', 'database', 'network'];
  subnets = [
    { id: 's-left', name: 'mo-1-Subnetweb-abcdefghij27' },
    { id: 's-of-person', name: 'mo-1-by-hand' },
    { id: 'id-of-Subnetdb', name: 'mo-1-Subnetdb-abcdefghij27' },
  ];
  interfaces = ['id-of-Subnetdb', 's-of-person'];
  keyPairs = ['mo-1-web', 'mo-2-web', 'mine'];

  constructor(status: string) {
    super();
    const heat = this.answers;
    const answers: FakeCloud['answers'] = (asked) => this.#outsideHeat(asked) ?? heat(asked);
    Object.assign(this, { answers });
    this.status = status;
    this.add('Network', 'OS::Neutron::Net', 'CREATE_COMPLETE');
    this.add('Router', 'OS::Neutron::Router', 'CREATE_COMPLETE');
    this.add('Subnetdb', 'OS::Neutron::Subnet', 'CREATE_COMPLETE');
  }

  addUnmade(name: string, type: string, status = 'CREATE_FAILED'): void {
    this.add(name, type, status);
    const made = this.resources.at(-1);
    if (made) made.physical_resource_id = '';
  }

  #outsideHeat(asked: Asked): { body: unknown } | undefined {
    const [address = ''] = asked.path.split('?');
    const [, service, , kind = ''] = address.split('/');
    if (service === 'network') return { body: this.#network(asked, kind) };
    return address.startsWith('/compute/os-keypairs') ? { body: this.#compute(asked) } : undefined;
  }

  #network({ method, path, body }: Asked, kind: string): unknown {
    if (method === 'DELETE') this.subnets = this.subnets.filter(({ id }) => !path.endsWith(id));
    if (method === 'PUT') {
      const { subnet_id: removed } = body as { subnet_id: string };
      this.interfaces = this.interfaces.filter((id) => id !== removed);
    }
    const ports = this.interfaces.map((id) => ({ fixed_ips: [{ subnet_id: id }] }));
    return kind.startsWith('subnets') ? { subnets: this.subnets } : { ports };
  }

  #compute({ method, path }: Asked): unknown {
    if (method === 'DELETE') this.keyPairs = this.keyPairs.filter((name) => !path.endsWith(`/${name}`));
    return { keypairs: this.keyPairs.map((name) => ({ keypair: { name } })) };
  }

  async update(): Promise<void> {
    const request = { document: documentOf({}), version: 'v2', agentToken: new Secret('t') };
    expect(await this.driver().apply(stack, request)).toMatchObject({ accepted: true });
    expect(this.updates).toHaveLength(1);
  }
}

describe('what a killed engine of Heat made and did not record', () => {
  it('is deleted before an update, if it is a subnet that would be made again; others stay', async () => {
    const cloud = new LeftBehind('CREATE_FAILED');
    cloud.addUnmade('Subnetweb', 'OS::Neutron::Subnet');
    await cloud.update();
    expect(cloud.subnets.map(({ id }) => id)).toEqual(['s-of-person', 'id-of-Subnetdb']);
    expect(cloud.interfaces).toHaveLength(2);
    expect(cloud.keyPairs).toHaveLength(3);
  });

  it('is deleted before an update, if it is an interface of the router to a subnet of the stack', async () => {
    const cloud = new LeftBehind('CREATE_FAILED');
    cloud.addUnmade('RouterInterfacedb', 'OS::Neutron::RouterInterface');
    await cloud.update();
    expect(cloud.interfaces).toEqual(['s-of-person']);
    expect(cloud.subnets).toHaveLength(3);
  });

  it('is deleted before an update, if it is a key pair of the stack', async () => {
    const cloud = new LeftBehind('UPDATE_FAILED');
    cloud.addUnmade('KeyPairweb', 'OS::Nova::KeyPair');
    await cloud.update();
    expect(cloud.keyPairs).toEqual(['mo-2-web', 'mine']);
  });

  it('stays while an engine may be about to record it', async () => {
    const cloud = new LeftBehind('CREATE_IN_PROGRESS');
    cloud.clock.advance(Date.UTC(2026, 0, 1) - cloud.clock.now());
    cloud.addUnmade('Subnetweb', 'OS::Neutron::Subnet', 'CREATE_IN_PROGRESS');
    await cloud.update();
    expect(cloud.subnets).toHaveLength(3);
  });
});
