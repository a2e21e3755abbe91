import { describe, expect, it } from 'vitest';
import {
  readCertificates,
  readExternalNetworks,
  readVolumeTypes,
} from '../../../../src/vendors/openstack/facts/offers.ts';
import { readQuotas } from '../../../../src/vendors/openstack/facts/quotas.ts';
import { readFlavors, readImages } from '../../../../src/vendors/openstack/facts/servers.ts';
import { stackReader } from '../../../../src/vendors/openstack/observe/list-stacks.ts';
import { FakeCloud } from '../fake-cloud.ts';

const created = '2026-01-01T00:00:00Z';

/** Where each service says that there is another page. */
const lists: Readonly<Record<string, { member: string; next: object; row: object }>> = {
  '/flavors/detail': { member: 'flavors', next: { flavors_links: [{ rel: 'next' }] }, row: { name: 'm1' } },
  '/v2/images': { member: 'images', next: { next: '/v2/images' }, row: { created_at: created } },
  '/v2.0/networks': { member: 'networks', next: { networks_links: [{ rel: 'next' }] }, row: { name: 'n' } },
  '/types': { member: 'volume_types', next: { volume_type_links: [{ rel: 'next' }] }, row: { name: 't' } },
  '/v2/lbaas/loadbalancers': {
    member: 'loadbalancers',
    next: { loadbalancers_links: [{ rel: 'next' }] },
    row: {},
  },
  '/v1/containers': { member: 'containers', next: { next: 'http://x' }, row: { type: 'certificate' } },
  '/stacks': {
    member: 'stacks',
    next: { links: [{ rel: 'next' }] },
    row: { stack_status: 'CREATE_COMPLETE', creation_time: created, tags: ['almanac', 'version=v1'] },
  },
};

/** A cloud with 25 of everything. It answers with ten at most, or always with the first ten. */
function cloudWithPages({ ignoresMarkers = false } = {}): FakeCloud {
  const cloud = new FakeCloud();
  cloud.services = [
    'orchestration',
    'compute',
    'image',
    'network',
    'volumev3',
    'load-balancer',
    'key-manager',
  ];
  let requests = 0;
  cloud.answers = ({ path }) => {
    requests += 1;
    if (requests > 50) throw new Error('The list does not end.');
    // The first part is the address of the service.
    const [at = '', query = ''] = path.replace(/^\/[^/]+/, '').split('?');
    const list = lists[at];
    if (!list) return { body: { quota: { load_balancer: 100 }, limits: { absolute: {} } } };
    const params = new URLSearchParams(query);
    const marker = Number(params.get('marker')?.slice(1) ?? -1) + 1;
    const start = ignoresMarkers ? 0 : Math.max(marker, Number(params.get('offset') ?? 0));
    const rows = Array.from({ length: 25 }, (_, index) => ({
      id: `i${index}`,
      ...list.row,
      stack_name: `mo-${index}`,
      container_ref: `c${index}`,
    }));
    const isLast = !ignoresMarkers && start + 10 >= 25;
    return { body: { [list.member]: rows.slice(start, start + 10), ...(isLast ? {} : list.next) } };
  };
  return cloud;
}

const reads: [string, (cloud: FakeCloud) => Promise<number | undefined>][] = [
  ['flavors', async (cloud) => (await readFlavors(cloud.client())).length],
  ['images', async (cloud) => (await readImages(cloud.client())).length],
  ['external networks', async (cloud) => (await readExternalNetworks(cloud.client())).length],
  ['types of volumes', async (cloud) => (await readVolumeTypes(cloud.client())).length],
  ['certificates', async (cloud) => (await readCertificates(cloud.client())).length],
  ['load balancers', async (cloud) => (await readQuotas(cloud.client())).loadBalancers?.used],
  ['stacks', async (cloud) => (await stackReader(cloud.client(), true).all(() => 9))?.values.size],
];

describe('a list of a cloud that gives fewer rows in a page than requested', () => {
  it.each(reads)('has all %s', async (_, read) => {
    expect(await read(cloudWithPages())).toBe(25);
  });

  it.each(reads)('ends if every page is the first one: %s', async (_, read) => {
    expect(await read(cloudWithPages({ ignoresMarkers: true }))).toBe(10);
  });
});

it('a stack that two pages show is not a twin of itself', async () => {
  const cloud = cloudWithPages({ ignoresMarkers: true });
  const { values } = (await stackReader(cloud.client(), true).all(() => 9))!;
  expect([...values.values()].every(({ twins }) => twins.length === 0)).toBe(true);
});
