import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { oneServer } from '../../world.ts';
import { type Json, type Request, useServedAlmanac } from '../served-almanac.ts';

interface Note {
  kind: string;
  path: string;
  message: string;
}
interface Row {
  member: string;
  name: string;
  path: string;
  result: string;
  becomes: { resource_type: string; count: number }[];
  notes: Note[];
}
interface Cloud {
  vendor: string;
  region: string;
  asked: boolean;
  result: string;
  notes: string[];
  rows: Row[];
}
interface Reply extends Json {
  clouds: Cloud[];
}

const almanac = useServedAlmanac({ environment: { ALM_BASE_URL: 'https://almanac.example.com' } });
let token: string;
beforeAll(async () => {
  token = await almanac.userToken();
});

const compare = (query: string, request: Request, as = token) =>
  almanac.call<Reply>('POST', `/v3/alm/template/portability${query}`, { token: as, ...request });

const exampleText = readFileSync(new URL('../../../examples/any-cloud.yaml', import.meta.url), 'utf8');
const shop = parse(
  readFileSync(new URL('../../../examples/balanced-with-database.yaml', import.meta.url), 'utf8'),
) as object;

const cloudOf = async (vendor: string, json: object): Promise<Cloud> => {
  const { status, body } = await compare(`?vendor=${vendor}`, { json });
  expect(status).toBe(200);
  const [cloud] = body.clouds;
  if (!cloud) throw new Error('no report');
  return cloud;
};

const rowIn = ({ rows }: Cloud, member: string): Row => {
  const row = rows.find((each) => each.member === member);
  if (!row) throw new Error(`no row ${member}`);
  return row;
};

describe('one template for every cloud', () => {
  it('the report has a table of the same members for every vendor of the server, and nothing is saved', async () => {
    const { query } = almanac.service.database;
    const { body, status } = await compare('', {
      raw: exampleText,
      headers: { 'content-type': 'application/yaml' },
    });
    expect(status).toBe(200);
    expect(body.clouds.map(({ vendor }) => vendor)).toEqual([...almanac.service.vendors.keys()]);
    const [first] = body.clouds;
    for (const { rows } of body.clouds)
      expect(rows.map(({ member, name }) => [member, name])).toEqual(
        first?.rows.map(({ member, name }) => [member, name]),
      );
    expect(await query.selectFrom('stacks').select('id').execute()).toEqual([]);
    expect(await query.selectFrom('versions').select('id').execute()).toEqual([]);
  });

  it('every vendor that asks its cloud for choices can also assume them, so that its report needs no credential', () => {
    const missing = [...almanac.service.vendors.values()].filter(
      (vendor) => vendor.choose !== undefined && vendor.assume === undefined,
    );
    expect(missing.map(({ name }) => name)).toEqual([]);
  });

  it('a row names the resources that its member becomes on each cloud', async () => {
    const types = async (vendor: string, member: string) =>
      rowIn(await cloudOf(vendor, shop), member).becomes.map(({ resource_type }) => resource_type);
    expect(await types('aws', 'load_balancer')).toEqual([
      'AWS::EC2::SecurityGroup',
      'AWS::ElasticLoadBalancingV2::LoadBalancer',
      'AWS::ElasticLoadBalancingV2::TargetGroup',
      'AWS::ElasticLoadBalancingV2::Listener',
    ]);
    expect(await types('openstack', 'key_pair')).toEqual(['OS::Nova::KeyPair']);
    expect(await types('openstack', 'servers')).toContain('OS::Heat::AutoScalingGroup');
    expect(await types('k5', 'database')).toContain('FCX::Database::DBInstance');
    expect(await types('sandbox', 'cache')).toContain('CacheCluster');
  });

  it('what a cloud refuses has the path in the template and the alternative, and the others still say what they become', async () => {
    const cloud = await cloudOf('openstack', shop);
    expect(cloud.result).toBe('refused');
    const database = rowIn(cloud, 'database');
    expect(database).toMatchObject({ result: 'refused', path: 'configurations/0/provision/rds' });
    expect(database.notes.filter(({ kind }) => kind === 'refused')).toEqual([
      {
        kind: 'refused',
        path: 'configurations/0/provision/rds/multi_az',
        message: expect.stringContaining('Leave it out'),
      },
      {
        kind: 'refused',
        path: 'configurations/0/provision/rds/replica',
        message: expect.stringContaining('Leave them out'),
      },
    ]);
    expect(rowIn(cloud, 'load_balancer').becomes.length).toBeGreaterThan(0);
  });

  it('a change names what the cloud takes instead, and what only the cloud knows is decided at submit', async () => {
    const cloud = await cloudOf('openstack', oneServer(2));
    expect(cloud).toMatchObject({
      asked: false,
      notes: expect.arrayContaining([expect.stringMatching(/not asked/)]),
    });
    expect(rowIn(cloud, 'servers')).toMatchObject({
      result: 'changes',
      becomes: expect.arrayContaining([{ resource_type: 'OS::Nova::Server', count: 2 }]),
      notes: [
        {
          kind: 'change',
          path: 'configurations/0/provision/instance_type',
          message: 't2.micro → the smallest flavor that fits (1 CPU, 1 GiB)',
        },
        {
          kind: 'at_submit',
          message: 'Decided at submit: type t2.micro, the image, zone ap-northeast-1a.',
        },
      ],
    });
  });

  it('a type of another cloud is refused with the matching type', async () => {
    const template = oneServer(1);
    for (const { provision } of template.configurations) provision.instance_type = 'ecs.g7.xlarge';
    expect(rowIn(await cloudOf('aws', template), 'servers').notes).toContainEqual({
      kind: 'refused',
      path: 'configurations/0/provision/instance_type',
      message: 'Invalid instance type ecs.g7.xlarge. Use a name such as m6i.xlarge.',
    });
  });

  it('the region is that of the template where the vendor has it, another one on request, and a zone of another region is refused', async () => {
    expect(await cloudOf('aws', oneServer(1))).toMatchObject({ region: 'ap-northeast-1', result: 'maps' });
    const moved = await compare('?vendor=aws&region=eu-west-1', { json: oneServer(1) });
    expect(moved.body.clouds[0]).toMatchObject({ region: 'eu-west-1', result: 'refused' });
    const [cloud] = moved.body.clouds;
    expect(cloud && rowIn(cloud, 'region').notes).toMatchObject([
      { kind: 'change', path: 'vendor/aws/region', message: 'ap-northeast-1 → eu-west-1, a region of aws.' },
    ]);
    expect(cloud && rowIn(cloud, 'servers').notes).toContainEqual({
      kind: 'refused',
      path: 'configurations/0/provision/availability_zone',
      message: 'ap-northeast-1a is not a zone of eu-west-1.',
    });
  });

  it('a template needs no vendor section', async () => {
    const { vendor: _, ...template } = oneServer(1);
    expect(await cloudOf('sandbox', template)).toMatchObject({ result: 'maps' });
  });

  it('vendors are named without regard to case', async () => {
    for (const [name, vendor] of [
      ['AWS', 'aws'],
      ['OpenStack', 'openstack'],
      ['K5Cloud', 'k5'],
      ['SandBox', 'sandbox'],
    ] as const)
      expect(await cloudOf(name, oneServer(1))).toMatchObject({ vendor });
    expect((await compare('?vendor=ALL', { json: oneServer(1) })).body.clouds.length).toBeGreaterThan(3);
  });

  it('secrets of a template are not in the report', async () => {
    const template = oneServer(1);
    const json = {
      ...template,
      vendor: { aws: { cred: 'NEW', region: 'ap-northeast-1', secret: 'hidden-key' } },
      configurations: template.configurations.map((layer) =>
        Object.assign(layer, {
          container: { container_registry_username: 'shop', container_registry_password: 'hidden-password' },
        }),
      ),
    };
    const { status, text } = await compare('', { json });
    expect(status).toBe(200);
    expect(text).not.toContain('hidden');
  });
});
