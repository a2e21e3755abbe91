import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { useServedAlmanac } from '../served-almanac.ts';

const almanac = useServedAlmanac();
const path = '/v2/alm/configuration/schema';

const validator = async () => {
  const { body } = await almanac.call('GET', path);
  return new Ajv2020({ strict: false, allErrors: true }).compile(body);
};

const configuration = (changes: object = {}) => ({ architecture: 'art_elb', type: 't2.micro', ...changes });

const create = async (configurations: object) => {
  const json = { cred: 'SANDBOX', region: 'ap-northeast-1', configurations };
  return almanac.call('POST', '/v2/alm/stack', { token: await almanac.userToken(), json });
};

const database = { Engine: 'db_mysql', DBtype: 'db.t3.small', DBStorage: '20', ReadReplica1: 'true' };

describe('the schema of v2 configurations', () => {
  it('anyone gets it, with its own address and descriptions, and nothing it refers to is elsewhere', async () => {
    const { status, body, text } = await almanac.call('GET', path);
    expect(status).toBe(200);
    expect([body.$schema, body.$id]).toEqual([
      'https://json-schema.org/draft/2020-12/schema',
      almanac.url + path,
    ]);
    expect(text).toContain('One server, or a group behind a load balancer.');
    expect(text).not.toContain('$ref');
  });

  it.each<[string, object]>([
    ['numbers and booleans', configuration({ min: 2, max: 4, scaling: true })],
    ['numbers and booleans as text', configuration({ min: '2', max: '4', scaling: 'True' })],
    ['a word in capitals', configuration({ architecture: 'ART_SINGLE' })],
    ['empty values', configuration({ image: '', min: null })],
    ['a database and a cache', configuration({ database: [database] })],
    ['what a reply adds', configuration({ AWS: 'AKIA', AWS_ACCOUNT_NAME: 'SANDBOX' })],
  ])('%s: the schema accepts it as the service does', async (_, written) => {
    const validate = await validator();
    validate(written);
    expect(validate.errors).toBeNull();
    expect((await create(written)).status).toBe(200);
  });

  it.each<[string, object]>([
    ['an unknown member', configuration({ imagee: 'library/nginx' })],
    ['a word for a number', configuration({ min: 'many' })],
    ['a number out of range', configuration({ spotRange: 101 })],
    ['an unknown word', configuration({ architecture: 'art_many' })],
    ['no type', { architecture: 'art_single' }],
    ['a database without an engine', configuration({ database: [{ ...database, Engine: undefined }] })],
  ])('%s is invalid, in the schema and in the service', async (_, written) => {
    expect((await validator())(JSON.parse(JSON.stringify(written)))).toBe(false);
    expect((await create(written)).status).toBe(400);
  });

  it('a stored configuration that was read is valid, so that an editor shows no problem in it', async () => {
    const token = await almanac.userToken();
    const { body: made } = await create(configuration({ min: 1, max: 2, image: 'library/nginx' }));
    const { body } = await almanac.call('GET', `/v2/alm/stack/${String(made.stack_id)}`, { token });
    const [stack] = body as unknown as { configuration: object }[];
    const validate = await validator();
    validate(stack?.configuration);
    expect(validate.errors).toBeNull();
  });

  it('a caller with a current copy gets 304 without a body', async () => {
    const etag = String((await almanac.call('GET', path)).headers.get('etag'));
    const again = await almanac.call('GET', path, { headers: { 'if-none-match': etag } });
    expect([again.status, again.text]).toEqual([304, '']);
  });
});
