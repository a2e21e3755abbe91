import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { oneServer } from '../../world.ts';
import { type Request, useServedAlmanac } from '../served-almanac.ts';

const almanac = useServedAlmanac();

const template = oneServer();
const text = JSON.stringify(template);
const yaml = stringify(template);
const as = (type: string, raw: string): Request => ({ raw, headers: { 'content-type': type } });

const apply = async (request: Request, path = '/v3/alm/template') =>
  almanac.call('POST', path, { token: await almanac.userToken(), ...request });

describe('the formats of a template', () => {
  it.each<[string, Request]>([
    ['the raw document in JSON', { json: template }],
    ['JSON that names its charset', as('application/json; charset=utf-8', text)],
    ['JSON of no declared type', { raw: text }],
    ['JSON called plain text', as('text/plain', text)],
    ['an object wrapped as template', { json: { template } }],
    ['a string wrapped as template', { json: { template: text } }],
    ['YAML text wrapped as template', { json: { template: yaml } }],
    ['a JSON string', { json: text }],
    ['a form field', { form: { template: text } }],
    ['a form field holding YAML', { form: { template: yaml } }],
    [
      'a form field with a charset',
      as('application/x-www-form-urlencoded; charset=utf-8', `template=${encodeURIComponent(text)}`),
    ],
    ['application/x-yaml', as('application/x-yaml', yaml)],
    ['application/yaml', as('application/yaml', yaml)],
    ['text/yaml', as('text/yaml', yaml)],
    ['YAML of no declared type', { raw: yaml }],
  ])('a template is accepted as %s', async (_, request) => {
    const answer = await apply(request);
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      status: 'success',
      stack_status: 'CREATE_IN_PROGRESS',
      stack_id: expect.stringMatching(/^mo-[0-9a-f]{13}-[0-9A-Za-z]{9}-tk$/),
      version_id: expect.stringMatching(/^[A-Za-z0-9._]{32}$/),
    });
    const stack = await almanac.waitFor(String(answer.body.stack_id), 'CREATE_COMPLETE');
    expect(stack.configuration).toEqual(template);
    await almanac.call('DELETE', `/v3/alm/stack/${String(stack.stack_id)}?servers=replace`, {
      token: await almanac.userToken(),
    });
  });
});

describe('the nickname', () => {
  it('a nickname in the query is used and is not part of the template', async () => {
    const answer = await apply({ json: template }, '/v3/alm/template?nickname=shop%20front');
    const stack = await almanac.describe(String(answer.body.stack_id));
    expect(stack.nickname).toBe('shop front');
    expect(stack.configuration).toEqual(template);
  });

  it('a nickname in the template is used and is not stored in it', async () => {
    const stack = await almanac.describe(
      await almanac.applyTemplate({ ...template, nickname: 'my own name' }),
    );
    expect(stack.nickname).toBe('my own name');
    expect(stack.configuration).toEqual(template);
  });
});

describe('the region', () => {
  it.each([
    ['ap-northeast-2', 'kr'],
    ['us-east-1', 'nv'],
    ['us-west-1', 'nc'],
  ])('region %s gives the stack id the suffix %s', async (region, code) => {
    expect(await almanac.applyTemplate(oneServer(1, region))).toMatch(new RegExp(`-${code}$`));
  });
});
