import { describe, expect, it } from 'vitest';
import { useServedAlmanac } from '../served-almanac.ts';
import { V2Caller } from '../v2/caller.ts';

const almanac = useServedAlmanac();

const apply = async (body: string, type: string) =>
  almanac.call('POST', '/v3/alm/template', {
    token: await almanac.userToken(),
    raw: body,
    headers: { 'content-type': type },
  });

describe('the place of a syntax error is in the problem as numbers', () => {
  it.each<[string, string, string, object]>([
    ['JSON', 'application/json', '{\n  "version": 1,\n}', { line: 3, column: 1 }],
    ['a member that JSON has twice', 'application/json', '{"a": 1,\n "a": 2}', { line: 2, column: 2 }],
    ['YAML', 'application/yaml', 'version: 1\nlabel: [1, 2\n', { line: 3, column: 1 }],
    ['a member that YAML has twice', 'application/yaml', 'a: 1\nb: 2\na: 3\n', { line: 3, column: 1 }],
  ])('in a template: %s', async (_, type, text, position) => {
    const answer = await apply(text, type);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ problems: [{ path: '', ...position }] });
  });

  it('in the configuration of a v2 stack, within its own text', async () => {
    const v2 = await V2Caller.of(almanac);
    const answer = await v2.create('{\n "min": }');
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ problems: [{ path: 'configurations', line: 2, column: 9 }] });
  });

  it('in the scope of a role, and in any other body', async () => {
    const token = await almanac.userToken();
    const role = await almanac.call('POST', '/v3/role', { token, json: { name: 'r', scope: '{\n]' } });
    expect(role.body).toMatchObject({ problems: [{ path: 'scope', line: 2, column: 1 }] });
    const headers = { 'content-type': 'application/json' };
    const body = await almanac.call('POST', '/v3/role', { token, headers, raw: '{"name"\n"r"}' });
    expect(body.status).toBe(400);
    expect(body.body).toMatchObject({ problems: [{ path: '', line: 2, column: 1 }] });
  });

  it('a problem of a text that can be parsed has a path and no place', async () => {
    const answer = await apply('version: 1\n', 'application/yaml');
    const [problem] = answer.body.problems as object[];
    expect(Object.keys(problem ?? {}).toSorted()).toEqual(['message', 'path']);
  });
});
