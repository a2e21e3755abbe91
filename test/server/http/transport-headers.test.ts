import { Type } from 'typebox';
import { expect, it } from 'vitest';
import { route } from '../../../src/contract/route.ts';
import { bind, type Served, serveStubs } from '../served.ts';

const who = route({
  name: 'who',
  method: 'GET',
  path: '/v3/who',
  tag: 'Test',
  summary: 'For tests',
  access: 'public',
  bodyKind: 'none',
  replies: { 200: { description: 'The caller.', schema: Type.Unknown() } },
});

const behindProxy = (): Promise<Served> =>
  serveStubs({
    bindings: [bind(who, ({ request }) => ({ address: request.address }))],
    trustProxy: ['127.0.0.1', '10.0.0.0/8'],
  });

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:51234', '203.0.113.7'],
  ['2001:db8::7', '2001:db8::7'],
  ['[2001:db8::7]:443', '2001:db8::7'],
  ['198.51.100.1, 203.0.113.7:1, 10.1.2.3:80', '203.0.113.7'],
  ['garbage<script>', '127.0.0.1'],
  ['a'.repeat(300), '127.0.0.1'],
  ['203.0.113.7, unknown', '127.0.0.1'],
  ['unknown, 203.0.113.7', '203.0.113.7'],
  ['999.1.1.1:80', '127.0.0.1'],
])('X-Forwarded-For %s of a trusted proxy means that the caller is %s', async (header, address) => {
  const served = await behindProxy();
  const answer = await served.fetch('/v3/who', { headers: { 'x-forwarded-for': header } });
  expect(await answer.json()).toEqual({ address });
});

it.each([
  ['https://almanac.example', 'max-age=31536000'],
  ['http://127.0.0.1:8080', null],
])('with the public URL %s, replies and errors have Strict-Transport-Security %s', async (url, header) => {
  const served = await serveStubs({ baseUrl: () => url });
  for (const path of ['/healthz', '/v3/broken', '/nowhere'])
    expect((await served.fetch(path)).headers.get('strict-transport-security')).toBe(header);
});

it('replies of routes that need a token are not stored by browsers and proxies', async () => {
  const served = await serveStubs();
  const answer = await served.fetch('/v3/item/1', { headers: { authorization: 'Bearer good' } });
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
});
