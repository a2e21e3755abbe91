import { expect, test } from 'vitest';
import { Failure } from '../../../src/basics/failure.ts';
import type { AuditedCall } from '../../../src/server/http/record-calls.ts';
import type { ServerOptions } from '../../../src/server/server.ts';
import { type Actor, bearer, jsonOf, post, serveStubs } from '../served.ts';

const listening = async (
  audit?: (call: AuditedCall<Actor>) => Promise<void>,
  rules: Partial<ServerOptions<Actor>> = {},
) => {
  const calls: AuditedCall<Actor>[] = [];
  const served = await serveStubs({
    ...rules,
    audit: async (call) => {
      calls.push(call);
      await audit?.(call);
    },
  });
  return { served, calls };
};

test('every call by somebody known is told, with how it ended', async () => {
  const { served, calls } = await listening();
  await served.fetch('/v3/item/1?stack_id=mo-1', { headers: { ...bearer('good'), 'x-request-id': 'one' } });
  await served.fetch('/v3/item/1', { method: 'DELETE', headers: bearer('good-but-denied') });
  await served.fetch('/v3/item/1', { method: 'HEAD', headers: bearer('good') });
  expect(
    calls.map(({ route, stackId, readOnly, status }) => [route.name, stackId, readOnly, status]),
  ).toEqual([
    ['item', 'mo-1', true, 200],
    ['removeItem', null, false, 403],
    ['item', null, true, 200],
  ]);
  expect(calls[0]?.request).toMatchObject({ id: 'one', address: '127.0.0.1' });
});

test('a stack named in the body is found there, and what is no identifier is not repeated', async () => {
  const { served, calls } = await listening();
  const remove = (body: string, type: string) =>
    served.fetch('/v3/item/1', {
      ...post(body, type),
      method: 'DELETE',
      headers: { ...bearer('good'), 'content-type': type },
    });
  await remove('{"stack_id":"mo-1"}', 'application/json');
  await remove('stack_id=mo-2', 'application/x-www-form-urlencoded');
  await remove('{"stack_id":"a secret, by mistake"}', 'application/json');
  expect(calls.map(({ stackId }) => stackId)).toEqual(['mo-1', 'mo-2', null]);
});

test('what the route reads is told by its name, the body before the query, and nothing else', async () => {
  const { served, calls } = await listening();
  const remove = (query: string, json: object) =>
    served.fetch(`/v3/item/1${query}`, {
      method: 'DELETE',
      body: JSON.stringify(json),
      headers: { ...bearer('good'), 'content-type': 'application/json' },
    });
  await remove('?stack_id=mo-1', { stack_id: 'mo-2', username: 'ann@example.test' });
  await remove('?username=bob&role_id=r1', { role_id: 'r2', password: 'secret' });
  await remove('?stack_id=mo-1', { stack_id: 'two words', username: ['ann'] });
  expect(calls.map(({ stackId, named }) => [stackId, Object.fromEntries(named)])).toEqual([
    ['mo-2', { username: 'ann@example.test' }],
    [null, {}],
    [null, {}],
  ]);
});

test('denied is what was refused, also when the caller is told that there is no such thing', async () => {
  const { served, calls } = await listening();
  const refusing = (failure: Failure) =>
    listening(undefined, {
      authorize: () => {
        throw failure;
      },
    });
  await served.fetch('/v3/item/1', { headers: bearer('good') });
  await served.fetch('/v3/item/1', { headers: bearer('good-but-denied') });
  const hidden = await refusing(new Failure('not_found', 'Item 1 does not exist', { denied: true }));
  const missing = await refusing(new Failure('not_found', 'Item 1 does not exist'));
  for (const each of [hidden, missing]) await each.served.fetch('/v3/item/1', { headers: bearer('good') });
  const told = [...calls, ...hidden.calls, ...missing.calls].map(({ status, denied }) => [status, denied]);
  expect(told).toEqual([
    [200, false],
    [403, true],
    [404, true],
    [404, false],
  ]);
});

test('strangers and public routes are not told', async () => {
  const { served, calls } = await listening();
  await served.fetch('/v3/item/1');
  await served.fetch('/v3/item/1', { headers: bearer('bad') });
  await served.fetch('/v3/echo', { ...post('{"name":"x"}', 'application/json') });
  expect(calls).toEqual([]);
});

test('the answer is sent only when the call is recorded', async () => {
  let recorded = () => {};
  const recording = new Promise<void>((resolve) => (recorded = resolve));
  const { served } = await listening(() => recording);
  let answered = false;
  const answer = served.fetch('/v3/item/1', { method: 'DELETE', headers: bearer('good') }).then((reply) => {
    answered = true;
    return reply;
  });
  await served.fetch('/healthz');
  expect(answered).toBe(false);
  recorded();
  expect((await answer).status).toBe(200);
});

test('what could not be recorded is answered as our mistake, and tried once', async () => {
  const { served, calls } = await listening(() => Promise.reject(new Error('no database')));
  const answer = await served.fetch('/v3/item/1', { method: 'DELETE', headers: bearer('good') });
  expect(answer.status).toBe(500);
  expect(await jsonOf(answer)).toMatchObject({ error: 'internal' });
  expect(calls).toHaveLength(1);
});
