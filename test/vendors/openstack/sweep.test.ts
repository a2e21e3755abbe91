import { describe, expect, it } from 'vitest';
import { sweep } from '../../../src/vendors/openstack/act/sweep.ts';
import { dialects } from '../../../src/vendors/openstack/dialect.ts';
import { observe } from '../../../src/vendors/openstack/observe.ts';
import { makeRegion, type Region } from '../../../src/vendors/openstack/region.ts';
import { FakeCloud } from './fake-cloud.ts';

const stack = { id: 'mo-1', region: 'RegionOne', accountId: 'a1' };

interface Row {
  id: string;
  name?: string;
  description?: string;
  metadata?: Record<string, string>;
  status?: string;
  provisioning_status?: string;
}

const own = { almanac_stack: 'mo-1' };
const pageSize = 2;
const members: Record<string, 'servers' | 'volumes' | 'loadbalancers'> = {
  compute: 'servers',
  volumev3: 'volumes',
  'load-balancer': 'loadbalancers',
};

/** A cloud without stacks that needs time to delete, and answers in small pages. */
class SlowCloud extends FakeCloud {
  rows: Record<'servers' | 'volumes' | 'loadbalancers', Row[]> = {
    servers: [],
    volumes: [],
    loadbalancers: [],
  };
  /** Ids of what is in use. */
  held: string[] = [];
  override readonly services = Object.keys(members);

  override readonly answers: FakeCloud['answers'] = ({ method, path }) => {
    const [address = '', query] = path.split('?');
    const [, service = ''] = address.split('/');
    const member = members[service];
    if (!member) return { body: { stacks: [] } };
    if (method === 'DELETE') return this.#delete(member, address.split('/').at(-1) ?? '');
    const marker = new URLSearchParams(query).get('marker');
    const start = this.rows[member].findIndex(({ id }) => id === marker) + 1;
    const end = start + pageSize;
    const links = end < this.rows[member].length ? { [`${member}_links`]: [{ rel: 'next' }] } : {};
    return { body: { [member]: this.rows[member].slice(start, end), ...links } };
  };

  #delete(member: keyof SlowCloud['rows'], id: string) {
    const row = this.rows[member].find((one) => one.id === id);
    const isLeaving = row?.status === 'deleting' || row?.provisioning_status === 'PENDING_DELETE';
    if (isLeaving || this.held.includes(id))
      return { status: 400, body: { badRequest: { message: `${id} cannot be deleted` } } };
    if (row) row.status = 'deleting';
    return {};
  }

  /** The cloud ends what it deletes. */
  finish(): void {
    for (const member of Object.values(members))
      this.rows[member] = this.rows[member].filter((row) => row.status !== 'deleting');
  }

  ids(): string[] {
    return Object.values(this.rows).flatMap((rows) => rows.map(({ id }) => id));
  }

  region(): Region {
    return makeRegion({
      client: this.client(),
      clock: this.clock,
      dialect: dialects.openstack,
      pollMs: 1000,
    });
  }
}

describe('sweeping what is left of a stack', () => {
  it('deletes no server and no volume that only has a name like those of the stack', async () => {
    const cloud = new SlowCloud();
    // Trove runs the server of a database under the name of the database.
    cloud.rows.servers = [{ id: 's1', name: 'mo-1-db' }];
    cloud.rows.volumes = [{ id: 'v1', name: 'mo-1-backup' }];
    expect(await observe(cloud.region(), stack)).toEqual({ kind: 'absent', view: expect.anything() });
    await sweep(cloud.region(), stack.id);
    cloud.finish();
    expect(cloud.ids()).toEqual(['s1', 'v1']);
  });

  it('finds what is on later pages of a list', async () => {
    const cloud = new SlowCloud();
    const other = (id: string) => ({ id, metadata: { almanac_stack: 'mo-2' } });
    cloud.rows.servers = [...['a', 'b', 'c', 'd'].map(other), { id: 'last', metadata: own }];
    expect(await observe(cloud.region(), stack)).toMatchObject({ kind: 'absent', leftovers: true });
    await sweep(cloud.region(), stack.id);
    cloud.finish();
    expect(cloud.ids()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('waits for what the cloud is deleting, without an error', async () => {
    const cloud = new SlowCloud();
    cloud.rows.volumes = [{ id: 'v1', metadata: own, status: 'deleting' }];
    cloud.rows.loadbalancers = [{ id: 'b1', description: 'mo-1', provisioning_status: 'PENDING_DELETE' }];
    const region = cloud.region();
    expect(await sweep(region, stack.id)).toEqual({ accepted: true });
    cloud.rows.loadbalancers = [];
    cloud.clock.advance(60_000);
    expect(await sweep(region, stack.id)).toEqual({ accepted: true });
    expect(await observe(region, stack)).toMatchObject({ kind: 'busy', doing: 'remove' });
    cloud.finish();
    cloud.clock.advance(60_000);
    expect(await observe(region, stack)).toEqual({ kind: 'absent', view: expect.anything() });
  });

  it('gives up after ten minutes in which nothing more could be deleted, with the reason of the cloud', async () => {
    const cloud = new SlowCloud();
    cloud.rows.volumes = [{ id: 'v1', metadata: own }];
    cloud.held = ['v1'];
    const region = cloud.region();
    for (let minute = 0; minute < 10; minute += 1) {
      expect(await sweep(region, stack.id)).toEqual({ accepted: true });
      cloud.clock.advance(60_000);
    }
    await expect(sweep(region, stack.id)).rejects.toThrow('v1 cannot be deleted');
    // Another request to delete the stack.
    expect(await sweep(region, stack.id)).toEqual({ accepted: true });
  });

  it('gives up on a deletion that the cloud does not finish, and says what to do', async () => {
    const cloud = new SlowCloud();
    cloud.rows.volumes = [{ id: 'v1', metadata: own, status: 'deleting' }];
    const region = cloud.region();
    await sweep(region, stack.id);
    cloud.clock.advance(600_000);
    await expect(sweep(region, stack.id)).rejects.toThrow(/\/volumes\/v1.*by hand/);
  });
});
