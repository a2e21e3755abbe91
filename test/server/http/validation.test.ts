import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { problemFinder } from '../../../src/server/http/validation.ts';
import { jsonOf, post, serveStubs } from '../served.ts';

test('all problems of query and body are reported at once', async () => {
  const served = await serveStubs();
  const response = await served.fetch(
    '/v3/echo?limit=11&unknown=fine',
    post('{"name":"","count":"x","on":1,"tags":[1],"kind":"blue"}', 'application/json'),
  );
  expect(response.status).toBe(400);
  const body = await jsonOf(response);
  expect(body['code']).toBe('1000');
  expect(body['problems']).toEqual([
    { path: 'limit', message: 'limit must be at most 10' },
    { path: 'name', message: 'name must not be empty' },
    { path: 'count', message: 'count must be an integer' },
    { path: 'on', message: 'on must be true or false' },
    { path: 'tags/0', message: 'tags/0 must be a string' },
    { path: 'kind', message: 'kind must be one of red, green' },
  ]);
  expect(body['message']).toContain('limit must be at most 10; name must not be empty');
  expect(body['message']).toContain('and 1 more');
});

test('a query parameter is converted to the type of the schema', async () => {
  const served = await serveStubs();
  const response = await served.fetch('/v3/echo?limit=7&other=1', post('{"name":"a"}'));
  expect(await response.json()).toEqual({ body: { name: 'a' }, query: { limit: 7, other: '1' } });
});

test('rejects a query parameter that is set twice', async () => {
  const served = await serveStubs();
  const response = await served.fetch('/v3/echo?limit=1&limit=2', post('{"name":"a"}'));
  expect(await response.json()).toMatchObject({
    problems: [{ path: 'limit', message: 'limit is set more than once' }],
  });
});

test.each(['[]', '"text"', 'null', '7'])('%s is not an object', async (text) => {
  const served = await serveStubs();
  const response = await served.fetch('/v3/echo', post(text, 'application/json'));
  expect(await response.json()).toMatchObject({
    problems: [{ path: '', message: 'The body must be an object' }],
  });
});

test('finds all problems, however many there are', () => {
  const names = Array.from({ length: 30 }, (_, index) => `field${index}`);
  const find = problemFinder(
    Type.Object(Object.fromEntries(names.map((name) => [name, Type.Integer()]))),
    'It',
  );
  expect(find(Object.fromEntries(names.map((name) => [name, 'x'])))).toHaveLength(30);
});

test('a union mismatch is one problem, and unknown members are reported by name', () => {
  const find = problemFinder(
    Type.Object({ a: Type.Union([Type.Literal('x'), Type.Integer()]) }, { additionalProperties: false }),
    'It',
  );
  expect(find({ a: 'y', b: 1 })).toEqual([
    { path: 'b', message: 'b is unknown' },
    { path: 'a', message: 'a has an invalid format' },
  ]);
});
