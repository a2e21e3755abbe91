import { beforeAll, describe, expect, it } from 'vitest';
import { oneServer } from '../../world.ts';
import { type Request, useServedAlmanac } from '../served-almanac.ts';

interface Compared {
  status: string;
  source: object;
  target: object;
  diff: { new: object[]; removed: object; edited: Record<string, { oldvalue: unknown; newvalue: unknown }> };
}

const almanac = useServedAlmanac();
let token: string;
let stackId: string;
let first: string;
let second: string;

beforeAll(async () => {
  token = await almanac.userToken();
  stackId = await almanac.applyTemplate(oneServer(1));
  first = String((await almanac.describe(stackId)).version_id);
  const json = oneServer(2);
  const answer = await almanac.call('PUT', `/v3/alm/template/${stackId}`, { token, json });
  second = String(answer.body.version_id);
});

const compare = (request: Request, as = token) =>
  almanac.call<Compared>('POST', '/v3/alm/template/compare', { token: as, ...request });
const at = (version: string, stack = stackId) => ({ [stack]: { version } });
/** The source is the first version, the target a template that is not stored. */
const compareWith = (template: unknown) =>
  compare({ json: { id: [at(first)], body: [JSON.stringify(template)] } });

const edits = {
  label: { oldvalue: '1 servers', newvalue: '2 servers' },
  'configurations/provision/instance_count': { oldvalue: 1, newvalue: 2 },
};

const layered = (...layers: object[]) => ({ ...oneServer(1), configurations: layers });
const web0 = oneServer(1).configurations[0] ?? {};

describe('comparing two stored versions', () => {
  it('two versions are compared member by member, and both are returned', async () => {
    const { status, body } = await compare({ json: { id: [at(first), at(second)] } });
    expect(status).toBe(202);
    expect(body).toEqual({
      status: 'success',
      source: oneServer(1),
      target: oneServer(2),
      diff: { new: [], removed: [], edited: edits },
    });
  });

  it.each(['', 'latest'])('the newest version can be requested as "%s"', async (version) => {
    const { body } = await compare({ json: { id: [at(first), at(version)] } });
    expect(body.diff.edited).toEqual(edits);
  });

  it('identical versions have no differences', async () => {
    const { body } = await compare({ json: { id: [at(first), at(first)] } });
    expect(body.diff).toEqual({ new: [], removed: [], edited: {} });
  });

  it('versions of different stacks can be compared, also with JSON strings in a form', async () => {
    const other = await almanac.applyTemplate(oneServer(2));
    const { status, body } = await compare({ form: { id: JSON.stringify([at(first), at('', other)]) } });
    expect(status).toBe(202);
    expect(body.diff.edited).toEqual(edits);
  });
});

describe('comparing with a submitted template', () => {
  it.each<[string, () => Request]>([
    ['JSON', () => ({ json: { id: [at(first)], body: [`${JSON.stringify(oneServer(2))}\n`] } })],
    [
      'a form with a JSON array',
      () => ({
        form: { id: JSON.stringify([at(first)]), body: JSON.stringify([JSON.stringify(oneServer(2))]) },
      }),
    ],
    [
      'a form with the text',
      () => ({ form: { id: JSON.stringify(at(first)), body: JSON.stringify(oneServer(2)) } }),
    ],
  ])('the target template is accepted in %s', async (_, request) => {
    const { status, body } = await compare(request());
    expect(status).toBe(202);
    expect(body.diff).toEqual({ new: [], removed: [], edited: edits });
  });

  it('the comparison reports new and removed members', async () => {
    const { description: _, ...rest } = oneServer(1);
    const provision = { availability_zone: 'ap-northeast-1a', keypair: true };
    const { body } = await compareWith({ ...rest, configurations: [{ ...web0, provision }] });
    expect(body.diff).toEqual({
      new: [{ 'configurations/provision/keypair': true }],
      removed: {
        description: '',
        'configurations/provision/image': '${computed}',
        'configurations/provision/instance_type': 't2.micro',
        'configurations/provision/instance_count': 1,
      },
      edited: {},
    });
  });

  it('the vendor section may be omitted, as in an update', async () => {
    const { vendor, ...rest } = oneServer(2);
    const { body } = await compareWith(rest);
    expect(body.diff).toEqual({ new: [], removed: [], edited: edits });
    expect(body.target).toMatchObject({ vendor });
  });

  it('layers are matched by flag', async () => {
    const added = { role: 'web', flag: 'api0', provision: { availability_zone: 'ap-northeast-1a' } };
    const { body } = await compareWith(layered(added, web0));
    expect(body.diff).toEqual({
      new: [
        { 'configurations/api0/role': 'web' },
        { 'configurations/api0/flag': 'api0' },
        { 'configurations/api0/provision/availability_zone': 'ap-northeast-1a' },
      ],
      removed: [],
      edited: {},
    });
  });

  it('an older spelling is equal to the current one, and secrets are not reported', async () => {
    const older = {
      image: 'shop/web',
      dockerHubUsername: 'shop',
      dockerHubPassword: 'hidden-one',
      ports: [80],
    };
    const present = {
      container_image: 'shop/web',
      container_registry_username: 'shop',
      container_registry_password: 'hidden-two',
      container_ports: [80, 443],
    };
    const stack = await almanac.applyTemplate(layered({ ...web0, container: older }));
    const vendor = { aws: { cred: 'SANDBOX', region: 'ap-northeast-1', secret: 'hidden-three' } };
    const text = JSON.stringify({ ...layered({ ...web0, container: present }), vendor });
    const answer = await compare({ json: { id: [at('', stack)], body: [text] } });
    expect(answer.body.diff).toEqual({
      new: [{ 'configurations/container/container_ports/2': 443 }],
      removed: [],
      edited: {},
    });
    expect(answer.text).not.toContain('hidden');
  });

  it('rejects an unreadable template with the location', async () => {
    const trailingComma = await compare({ json: { id: [at(first)], body: ['{"version": "2017-03-03",}'] } });
    expect(trailingComma.status).toBe(400);
    expect(trailingComma.body).toMatchObject({ code: '1006', problems: [{ path: 'body/0' }] });
  });

  it('rejects an invalid template with all problems and without secrets', async () => {
    const container = { container_image: 5, colour: 'red', dockerHubPassword: 'hidden-secret' };
    const answer = await compareWith(layered({ ...web0, container }));
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('"path":"body/0/configurations/0/container/colour"');
    expect(answer.text).not.toContain('hidden-secret');
    expect((await compare({ json: { id: [at(first)], body: ['[1]'] } })).status).toBe(400);
  });
});

describe('rejected comparisons', () => {
  const text = JSON.stringify(oneServer(2));
  it.each<[string, () => object, RegExp]>([
    ['no id', () => ({ body: [text] }), /id not specified/],
    ['an empty id', () => ({ id: [], body: [text] }), /id not specified/],
    ['no target', () => ({ id: [at(first)] }), /target is not specified/],
    ['three ids', () => ({ id: [at(first), at(second), at(first)] }), /only two/],
    ['a second id and a body', () => ({ id: [at(first), at(second)], body: [text] }), /only two/],
    ['two bodies', () => ({ id: [at(first)], body: [text, text] }), /only two/],
    ['two stacks in one entry', () => ({ id: [{ ...at(first), other: {} }, at('')] }), /id\/0/],
    ['an entry that is not an object', () => ({ id: [at(first), 'nonsense'] }), /id\/1/],
    ['a version that is not a string', () => ({ id: [{ [stackId]: { version: 7 } }] }), /id\/0/],
    ['a body that is not a string', () => ({ id: [at(first)], body: [{}] }), /body\/0/],
  ])('rejects a comparison that has %s', async (_, json, message) => {
    const answer = await compare({ json: json() });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: '1000', message: expect.stringMatching(message) });
  });

  it('rejects a comparison with an unknown version', async () => {
    expect((await compare({ json: { id: [at(first), at('nothing')] } })).status).toBe(404);
  });

  it('rejects a comparison with a stack of another account, as source or as target', async () => {
    const other = await almanac.otherAccountToken();
    const theirs = await almanac.applyTemplate(oneServer(1), other);
    expect((await compare({ json: { id: [at(''), at('')] } }, other)).status).toBe(404);
    expect((await compare({ json: { id: [at('', theirs), at('')] } }, other)).status).toBe(404);
  });

  it('rejects a comparison without a token or from an API client', async () => {
    const json = { id: [at(first), at(second)] };
    expect((await almanac.call('POST', '/v3/alm/template/compare', { json })).status).toBe(401);
    expect((await compare({ json }, await almanac.clientToken())).status).toBe(403);
  });
});

it('a template of nearly 1 MiB is compared quickly', async () => {
  const container = {
    container_env_vars: Object.fromEntries(
      Array.from({ length: 9_000 }, (_, index) => [`VARIABLE_${index}`, 'x'.repeat(80)]),
    ),
  };
  const json = { id: [at(first)], body: [JSON.stringify(layered({ ...web0, container }))] };
  const { status, body } = await compare({ json });
  expect(status).toBe(202);
  expect(body.diff.new).toHaveLength(9_000);
});
