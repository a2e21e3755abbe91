import { expect, expectTypeOf, test } from 'vitest';
import { CallFailed, createClient } from '../../src/contract/client.ts';
import { metrics } from '../../src/contract/operational.ts';
import { issueToken } from '../../src/contract/v3/sign-in/access.ts';
import { describeStack, listStacks } from '../../src/contract/v3/stacks.ts';
import { applyTemplate } from '../../src/contract/v3/templates.ts';
import { bind, echo, item, removeItem, serveStubs, silent } from '../server/served.ts';

const replyWith = (status: number) => async () => new Response('<html>', { status });

test('the client sends path, query, headers and body, encoded where necessary', async () => {
  const served = await serveStubs();
  const client = createClient({ url: `${served.url}/`, token: 'good' });
  expect(await client.call(item, { params: { item_id: 'a/b ü' } })).toEqual({
    actor: 'user-1',
    item_id: 'a/b ü',
  });
  expect(await client.call(echo, { query: { limit: 3 }, body: { name: 'n', tags: ['x'] } })).toEqual({
    body: { name: 'n', tags: ['x'] },
    query: { limit: 3 },
  });
  const removed = await client.call(removeItem, { params: { item_id: '1' }, body: { username: 'ann' } });
  expect(removed).toEqual({ item_id: '1', username: 'ann' });
});

test('the client sends a document body unchanged', async () => {
  const served = await serveStubs();
  const client = createClient({ url: served.url, token: () => 'good' });
  const applied = await client.call(applyTemplate, {
    body: { text: 'version: x\n', format: 'yaml' },
    headers: { 'idempotency-key': 'once' },
  });
  expectTypeOf(applied.stack_id).toEqualTypeOf<string>();
  expect(applied).toMatchObject({ stack_id: 'yaml', version_id: 'version: x\n' });
  expect(JSON.parse(applied.status)).toMatchObject({ headers: { 'idempotency-key': 'once' } });
});

test('the client returns null for an empty reply and a string for a text reply', async () => {
  const served = await serveStubs();
  const client = createClient({ url: served.url });
  expect(await client.call(silent)).toBeNull();
  expect(await client.call(metrics)).toContain('process_cpu');
});

test('exchange returns the paging headers of a list', async () => {
  const served = await serveStubs({
    bindings: [
      bind(listStacks, ({ query, setHeader }) => {
        setHeader('x-next-cursor', `after-${query.cursor ?? 'start'}`);
        return [];
      }),
    ],
  });
  const client = createClient({ url: served.url, token: 'good' });
  const first = await client.exchange(listStacks);
  expect(first.body).toEqual([]);
  expect(first.headers.get('x-next-cursor')).toBe('after-start');
  const second = await client.exchange(listStacks, { query: { cursor: 'c1', limit: 1 } });
  expect(second.headers.get('x-next-cursor')).toBe('after-c1');
});

test('an error reply throws CallFailed with the error body', async () => {
  const served = await serveStubs();
  const client = createClient({ url: served.url, token: 'bad' });
  const failure = await client.call(item, { params: { item_id: '1' } }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(CallFailed);
  expect(failure).toMatchObject({
    status: 401,
    message: 'The access token is invalid or expired',
    body: { code: '0401', error: 'unauthorized' },
    requestId: expect.stringMatching(/^\w{20}$/),
  });
});

test('a reply that is not from the service throws CallFailed without an error body', async () => {
  const failing = createClient({ url: 'http://proxy', fetch: replyWith(502) });
  await expect(failing.call(listStacks)).rejects.toMatchObject({
    status: 502,
    body: null,
    message: 'GET /v3/alm/stack returned status 502',
  });
  const malformed = createClient({ url: 'http://proxy', fetch: replyWith(200) });
  await expect(malformed.call(listStacks)).rejects.toThrow('returned a response that is not JSON');
});

test('the client does not send the token to public routes', async () => {
  const sent: (string | null)[] = [];
  const client = createClient({
    url: 'http://service',
    token: 'secret',
    fetch: async (_url, init) => {
      sent.push(new Headers(init?.headers).get('authorization'));
      return new Response('[]');
    },
  });
  await client.call(issueToken, { body: { grant_type: 'password' } });
  await client.call(listStacks);
  expect(sent).toEqual([null, 'Bearer secret']);
});

test('a call without a required input does not compile', () => {
  const client = createClient({ url: 'http://service', fetch: async () => new Response('{}') });
  // @ts-expect-error: stack_id is required
  void client.call(describeStack, { params: {} });
  // @ts-expect-error: params are required
  void client.call(describeStack);
  expectTypeOf(client.call(listStacks)).resolves.toBeArray();
  expect(client).toBeDefined();
});
