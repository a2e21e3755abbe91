import { beforeAll, expect, it } from 'vitest';
import { changeSandbox } from '../../stand-in-vendor.ts';
import { oneServer } from '../../world.ts';
import { type Json, useServedAlmanac } from '../served-almanac.ts';

interface Row {
  member: string;
  result: string;
  notes: { kind: string; message: string }[];
}
interface Reply extends Json {
  clouds: { region: string; result: string; rows: Row[] }[];
}

const almanac = useServedAlmanac();
let token: string;
beforeAll(async () => {
  token = await almanac.userToken();
});

const cloudWith = async (query: string, json: object) => {
  const { body } = await almanac.call<Reply>('POST', `/v3/alm/template/portability?${query}`, {
    token,
    json,
  });
  const [cloud] = body.clouds;
  if (!cloud) throw new Error('no report');
  return cloud;
};

const templateIn = (vendor: string, region: string) => ({
  ...oneServer(1),
  vendor: { [vendor]: { cred: 'X', region } },
});

const messagesOn = ({ rows }: Reply['clouds'][number], kind: string): string[] =>
  rows
    .filter(({ member }) => member === 'region')
    .flatMap(({ notes }) => notes)
    .filter((note) => note.kind === kind)
    .map(({ message }) => message);

it('no member is said to map where the vendor refuses the region', async () => {
  const { result, rows } = await cloudWith('vendor=aws&region=nowhere', oneServer(1));
  expect(result).toBe('refused');
  expect(rows.map((row) => row.result)).not.toContain('maps');
  expect(rows.map((row) => row.result)).toContain('unknown');
});

it('a region of another vendor is not taken for one of a cloud that was not asked', async () => {
  const cloud = await cloudWith('vendor=openstack', templateIn('aws', 'ap-northeast-1'));
  expect(cloud.region).toBe('RegionOne');
  expect(messagesOn(cloud, 'change')).toEqual([
    'ap-northeast-1 → a region of the cloud. RegionOne is assumed: every cloud of openstack has its own.',
  ]);
});

it('the region of a template for the vendor itself stays', async () => {
  const cloud = await cloudWith('vendor=openstack', templateIn('openstack', 'tokyo'));
  expect(cloud.region).toBe('tokyo');
  expect(messagesOn(cloud, 'change')).toEqual([]);
});

it('a region that is asked for is that of the report, and whether the cloud has it is decided at submit', async () => {
  const cloud = await cloudWith('vendor=openstack&region=osaka', templateIn('aws', 'ap-northeast-1'));
  expect(cloud.region).toBe('osaka');
  expect(messagesOn(cloud, 'change')).toEqual(['ap-northeast-1 → osaka, as the request says.']);
  expect(messagesOn(cloud, 'at_submit')).toEqual(['Decided at submit: region osaka.']);
});

it('with a credential the region is that of the template if the cloud has it, else the first that the cloud has', async () => {
  changeSandbox(almanac.service, { listRegions: async () => ['osaka', 'ap-northeast-1'] });
  const regionFor = async (region: string) =>
    (await cloudWith('vendor=sandbox&cred=SANDBOX', templateIn('aws', region))).region;
  expect(await regionFor('ap-northeast-1')).toBe('ap-northeast-1');
  expect(await regionFor('eu-west-1')).toBe('osaka');
});
