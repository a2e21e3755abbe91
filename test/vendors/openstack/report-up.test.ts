import { beforeEach, describe, expect, it } from 'vitest';
import { reportUp } from '../../../src/vendors/openstack/act/report-up.ts';
import { dialects } from '../../../src/vendors/openstack/dialect.ts';
import { makeRegion, type Region } from '../../../src/vendors/openstack/region.ts';
import { CredentialRejected, Unreachable } from '../../../src/vendors/vendor.ts';
import { FakeCloud } from './fake-cloud.ts';

const stack = { id: 'mo-1', region: 'RegionOne', accountId: 'a1' };
const heatTypes = {
  Instance: 'OS::Nova::Server',
  WaitHandle: 'OS::Heat::WaitConditionHandle',
  WaitCondition: 'OS::Heat::WaitCondition',
};

/** A Heat with one stack. Resources are written as `name status`; the id of a server follows. */
class Heat extends FakeCloud {
  resources: string[] = [];
  /** Resources in stacks nested in it, by the path of the stack. */
  nested: Record<string, string[]> = {};
  /** Status of the answer to a signal, by handle. */
  rejects: Record<string, number> = {};
  signalled: string[] = [];
  lists = 0;

  override readonly answers: FakeCloud['answers'] = ({ path }) => {
    const [, handle = ''] = /resources\/([^/]+)\/signal$/.exec(path) ?? [];
    if (handle) return this.#signal(handle);
    if (!path.includes('/resources?')) return { body: { stacks: [this.#stack] } };
    this.lists += 1;
    const nested = Object.entries(this.nested).flatMap(([at, rows]) => rows.map((row) => this.#row(row, at)));
    return {
      body: { resources: [...this.resources.map((row) => this.#row(row, '/stacks/mo-1/h1')), ...nested] },
    };
  };

  region(): Region {
    const { clock } = this;
    return makeRegion({ client: this.client(), clock, dialect: dialects.openstack, pollMs: 1000 });
  }

  readonly #stack = {
    id: 'h1',
    stack_name: 'mo-1',
    stack_status: 'UPDATE_IN_PROGRESS',
    creation_time: '2026-01-01T00:00:00Z',
    tags: ['almanac', 'version=v1'],
  };

  #row(text: string, at: string): object {
    const [name = '', status, id = ''] = text.split(' ');
    const kind = /^(Instance|WaitHandle|WaitCondition)/.exec(name)?.[0] as keyof typeof heatTypes;
    return {
      resource_name: name,
      resource_type: heatTypes[kind],
      physical_resource_id: id,
      resource_status: status,
      links: [{ rel: 'stack', href: `http://cloud.example/heat${at}` }],
    };
  }

  #signal(handle: string): { status?: number; body: object } {
    const status = this.rejects[handle];
    if (status !== undefined) return { status, body: { error: { message: 'No.' } } };
    this.signalled.push(handle);
    return { body: {} };
  }
}

let heat: Heat;
let region: Region;
beforeEach(() => {
  heat = new Heat();
  region = heat.region();
});

const up = (...ids: string[]): Promise<boolean> =>
  reportUp(
    region,
    stack,
    ids.map((instanceId) => ({ flag: 'web', instanceId })),
  );

/** Two servers whose agents are waited for. */
const twoWaiting = [
  'Instance0Ofweb CREATE_COMPLETE i-0',
  'Instance1Ofweb CREATE_COMPLETE i-1',
  'WaitHandle_a1_0Ofweb CREATE_COMPLETE',
  'WaitCondition_a1_0Ofweb CREATE_IN_PROGRESS',
  'WaitHandle_a1_1Ofweb CREATE_COMPLETE',
  'WaitCondition_a1_1Ofweb CREATE_IN_PROGRESS',
];

describe('the report that a server is up', () => {
  it('ends the wait for this server alone', async () => {
    heat.resources = [
      ...twoWaiting,
      'WaitHandle_a1_1Ofweb2 CREATE_COMPLETE',
      'WaitCondition_a1_1Ofweb2 CREATE_IN_PROGRESS',
    ];
    expect(await up('i-1')).toBe(true);
    expect(heat.signalled).toEqual(['WaitHandle_a1_1Ofweb']);
  });

  it('ends the wait for a server of a group, and not for its neighbours', async () => {
    const wait = ['WaitHandle_a1 CREATE_COMPLETE', 'WaitCondition_a1 CREATE_IN_PROGRESS'];
    heat.nested = {
      '/stacks/mo-1-web-m0/n0': ['Instance CREATE_COMPLETE i-0', ...wait],
      '/stacks/mo-1-web-m1/n1': ['Instance CREATE_COMPLETE i-1', ...wait],
    };
    await up('i-1');
    expect(heat.signalled).toHaveLength(1);
    expect(heat.asked.at(-1)?.path).toContain('/stacks/mo-1-web-m1/n1/');
  });

  it.each(['CREATE_COMPLETE', 'CREATE_FAILED', 'DELETE_IN_PROGRESS', 'DELETE_COMPLETE'])(
    'signals nothing if the wait is %s',
    async (status) => {
      heat.resources = ['Instance0Ofweb CREATE_COMPLETE i-0', 'WaitHandle_a1_0Ofweb CREATE_COMPLETE'];
      heat.resources.push(`WaitCondition_a1_0Ofweb ${status}`);
      expect(await up('i-0')).toBe(true);
      expect(heat.signalled).toEqual([]);
    },
  );

  it('does not end the wait for the server that will replace it', async () => {
    heat.resources = [
      'Instance0Ofweb CREATE_COMPLETE i-0',
      'WaitHandle_a1_0Ofweb CREATE_COMPLETE',
      'WaitCondition_a1_0Ofweb CREATE_COMPLETE',
      'WaitHandle_b2_0Ofweb CREATE_COMPLETE',
      'WaitCondition_b2_0Ofweb INIT_COMPLETE',
    ];
    expect(await up('i-0')).toBe(false);
    expect(heat.signalled).toEqual([]);
    heat.resources = [
      'Instance0Ofweb CREATE_COMPLETE i-new',
      'WaitHandle_b2_0Ofweb CREATE_COMPLETE',
      'WaitCondition_b2_0Ofweb CREATE_IN_PROGRESS',
    ];
    heat.clock.advance(60_000);
    await up('i-0');
    expect(heat.signalled).toEqual([]);
    expect(await up('i-0', 'i-new')).toBe(true);
    expect(heat.signalled).toEqual(['WaitHandle_b2_0Ofweb']);
  });

  it('is repeated soon if Heat begins to wait later', async () => {
    heat.resources = ['Instance0Ofweb CREATE_COMPLETE i-0', 'WaitHandle_a1_0Ofweb CREATE_COMPLETE'];
    heat.resources.push('WaitCondition_a1_0Ofweb INIT_COMPLETE');
    expect(await up('i-0')).toBe(false);
    heat.resources[2] = 'WaitCondition_a1_0Ofweb CREATE_IN_PROGRESS';
    heat.clock.advance(9_000);
    expect(await up('i-0')).toBe(false);
    expect(heat.lists).toBe(1);
    heat.clock.advance(1_000);
    expect(await up('i-0')).toBe(true);
    expect(heat.signalled).toEqual(['WaitHandle_a1_0Ofweb']);
  });

  it('asks Heat once a minute, and at once for another server', async () => {
    heat.resources = twoWaiting;
    await up('i-0');
    heat.clock.advance(59_000);
    expect(await up('i-0')).toBe(true);
    expect(heat.lists).toBe(1);
    await up('i-0', 'i-1');
    expect(heat.lists).toBe(2);
    heat.clock.advance(60_000);
    await up('i-0', 'i-1');
    expect(heat.lists).toBe(3);
  });

  it('signs in once for all signals', async () => {
    heat.resources = twoWaiting;
    await up('i-0', 'i-1');
    expect(heat.signalled).toHaveLength(2);
    expect(heat.signIns).toBe(1);
  });
});

describe('a signal that Heat rejects', () => {
  beforeEach(() => {
    heat.resources = twoWaiting;
  });

  it('does not keep the others back, and is repeated soon', async () => {
    heat.rejects = { WaitHandle_a1_0Ofweb: 400 };
    expect(await up('i-0', 'i-1')).toBe(false);
    expect(heat.signalled).toEqual(['WaitHandle_a1_1Ofweb']);
    heat.rejects = {};
    heat.clock.advance(10_000);
    expect(await up('i-0', 'i-1')).toBe(true);
    expect(heat.signalled).toContain('WaitHandle_a1_0Ofweb');
  });

  it('counts as accepted if the handle is gone', async () => {
    heat.rejects = { WaitHandle_a1_0Ofweb: 404 };
    expect(await up('i-0', 'i-1')).toBe(true);
    expect(heat.signalled).toEqual(['WaitHandle_a1_1Ofweb']);
  });

  it('with an error of the cloud is an outage, reported once the others are signalled', async () => {
    heat.rejects = { WaitHandle_a1_0Ofweb: 500 };
    await expect(up('i-0', 'i-1')).rejects.toThrow(Unreachable);
    expect(heat.signalled).toEqual(['WaitHandle_a1_1Ofweb']);
    heat.rejects = {};
    expect(await up('i-0', 'i-1')).toBe(true);
    expect(heat.signalled).toContain('WaitHandle_a1_0Ofweb');
  });

  it('for lack of a role is a rejected credential', async () => {
    heat.rejects = { WaitHandle_a1_0Ofweb: 403 };
    await expect(up('i-0', 'i-1')).rejects.toThrow(CredentialRejected);
  });
});
