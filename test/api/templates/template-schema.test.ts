import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { oneServer } from '../../world.ts';
import { useServedAlmanac } from '../served-almanac.ts';

const almanac = useServedAlmanac();
const path = '/v3/alm/template/schema';

const validator = async () => {
  const { body } = await almanac.call('GET', path);
  return new Ajv2020({ strict: false, allErrors: true }).compile(body);
};

const examples = new URL('../../../examples/', import.meta.url);
const layer = (changes: object) => ({
  ...oneServer(),
  configurations: [{ role: 'web', flag: 'web0', provision: { instance_count: 1, ...changes } }],
});

describe('the schema of templates', () => {
  it('anyone gets it, with its own address, and everything it refers to is in it', async () => {
    const answer = await almanac.call('GET', path);
    expect(answer.status).toBe(200);
    expect(answer.body.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
    expect(answer.body.$id).toBe(almanac.url + path);
    const references = [...answer.text.matchAll(/"\$ref":"([^"]*)"/g)].map((match) => match[1]);
    expect(new Set(references)).toEqual(new Set(['#/$defs/function']));
    expect(Object.keys(answer.body.$defs as object)).toEqual(['function']);
  });

  it.each(readdirSync(examples))('the example %s is valid', async (name) => {
    const validate = await validator();
    validate(parse(readFileSync(new URL(name, examples), 'utf8')));
    expect(validate.errors).toBeNull();
  });

  it.each<[string, object]>([
    ['numbers as text', layer({ instance_count: '2' })],
    ['a function in place of a value', layer({ subnet: '${copy(web1.subnet)}' })],
    ['a value that the vendor chooses', layer({ image: '${computed}' })],
    [
      'an older name, and a word in capitals',
      layer({ load_balancer: { listeners: [{ LoadBalancerPort: 80, InstancePort: 80, Protocol: 'HTTP' }] } }),
    ],
  ])('%s: the schema accepts it as the service does', async (_, template) => {
    const validate = await validator();
    validate(template);
    expect(validate.errors).toBeNull();
  });

  it.each<[string, object]>([
    ['an unknown member', layer({ instance_cuont: 1 })],
    ['a word for a number', layer({ instance_count: 'many' })],
    ['a number out of range', layer({ instance_count: -1 })],
    ['no layer', { ...oneServer(), configurations: [] }],
    ['another version', { ...oneServer(), version: '1999-01-01' }],
    ['a layer without a flag', { ...oneServer(), configurations: [{ role: 'web' }] }],
  ])('%s is invalid, in the schema and in the service', async (_, template) => {
    expect((await validator())(template)).toBe(false);
    const token = await almanac.userToken();
    expect((await almanac.call('POST', '/v3/alm/template', { token, json: template })).status).toBe(400);
  });

  it('a caller with a current copy gets 304 without a body', async () => {
    const first = await almanac.call('GET', path);
    const etag = String(first.headers.get('etag'));
    const again = await almanac.call('GET', path, { headers: { 'if-none-match': etag } });
    expect([again.status, again.text]).toEqual([304, '']);
  });
});
