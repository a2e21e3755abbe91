import { describe, expect, it } from 'vitest';
import { oneServer } from '../../world.ts';
import { type Request, useServedAlmanac } from '../served-almanac.ts';

const almanac = useServedAlmanac();

const as = (type: string, raw: string): Request => ({ raw, headers: { 'content-type': type } });
const layer = oneServer().configurations[0];

interface Rejection {
  code: string;
  error: string;
  message: string;
  description: string;
  problems?: { path: string; message: string }[];
}

const expectRejected = async (request: Request) => {
  const answer = await almanac.call<Rejection>('POST', '/v3/alm/template', {
    token: await almanac.userToken(),
    ...request,
  });
  expect(answer.status).toBe(400);
  return answer.body;
};

describe('a rejected template', () => {
  it('an invalid template is rejected with all problems and their paths', async () => {
    const body = await expectRejected({
      json: {
        ...oneServer(),
        label: 'x'.repeat(65),
        colour: 'red',
        configurations: [
          {
            ...layer,
            provision: { ...layer?.provision, instance_count: 'many', subnet: { cidr: 'nowhere' } },
          },
        ],
      },
    });
    expect(body.code).toBe('1006');
    expect(body.error).toBe('invalid_template');
    expect(body.description).toBe('The document was not accepted; nothing was changed.');
    expect(body.problems?.map(({ path }) => path).toSorted()).toEqual([
      'colour',
      'configurations/0/provision/instance_count',
      'configurations/0/provision/subnet/cidr',
      'label',
    ]);
    const [firstProblem] = body.problems ?? [];
    expect(body.message).toBe(`${firstProblem?.path}: ${firstProblem?.message} (and 3 more)`);
  });

  it.each<[string, Request]>([
    ['an empty body', as('application/json', '')],
    ['a body of spaces', as('application/json', '  \n ')],
    ['empty YAML', as('application/x-yaml', '')],
    ['no body and no type', {}],
    ['an empty wrapped text', { json: { template: '' } }],
    ['an empty form field', { form: { template: '' } }],
    ['an empty JSON string', { json: '' }],
  ])('a template is rejected as empty (1007) when it is %s', async (_, request) => {
    expect((await expectRejected(request)).code).toBe('1007');
  });

  it.each<[string, string, object]>([
    ['its version is another one', 'version', { ...oneServer(), version: '2018-07-02' }],
    ['its version is missing', 'version', { ...oneServer(), version: undefined }],
    [
      'its credential is unknown and comes without a secret',
      'vendor/aws/cred',
      { ...oneServer(), vendor: { aws: { cred: 'AKIAUNKNOWN', region: 'ap-northeast-1' } } },
    ],
    [
      'it names two vendors',
      'vendor',
      { ...oneServer(), vendor: { ...oneServer().vendor, sandbox: { cred: 'SANDBOX', region: 'x' } } },
    ],
    [
      'its vendor is unknown',
      'vendor/moon',
      { ...oneServer(), vendor: { moon: { cred: 'SANDBOX', region: 'x' } } },
    ],
    ['its vendor is missing', 'vendor', { ...oneServer(), vendor: undefined }],
    ['it has no layers', 'configurations', { ...oneServer(), configurations: [] }],
    ['its layers are missing', 'configurations', { ...oneServer(), configurations: undefined }],
    ['it is an empty object', 'configurations', {}],
    ['it is an empty object, wrapped', 'configurations', { template: {} }],
    ['two layers share a flag', 'configurations/1/flag', { ...oneServer(), configurations: [layer, layer] }],
  ])('a template is rejected with 1006 when %s', async (_, path, json) => {
    const body = await expectRejected({ json });
    expect(body.code).toBe('1006');
    expect(body.problems?.map((problem) => problem.path)).toContain(path);
  });

  it('an unreadable template is rejected with the location and without quoting it', async () => {
    const json = await expectRejected(as('application/json', '{"version":\n "s3cr3t'));
    expect(json.code).toBe('1006');
    expect(json.message).toMatch(/line 2/);
    const yaml = await expectRejected(as('application/x-yaml', 'version: [s3cr3t\nlabel: "s3cr3t'));
    expect(yaml.message).toMatch(/line \d/);
    expect(JSON.stringify([json, yaml])).not.toContain('s3cr3t');
  });

  it('a rejected template leaves nothing behind', async () => {
    await expectRejected({ json: { ...oneServer(), version: 'x' } });
    const list = await almanac.call<unknown[]>('GET', '/v3/alm/stack', { token: await almanac.userToken() });
    expect(list.body).toEqual([]);
    const { query } = almanac.service.database;
    for (const table of ['stacks', 'versions', 'version_secrets', 'events'] as const)
      expect(await query.selectFrom(table).selectAll().execute()).toEqual([]);
  });
});
