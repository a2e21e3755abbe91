import { expect, test } from 'vitest';
import type { AuditedCall } from '../../src/server/record-calls.ts';
import { type Actor, bearer, jsonOf, post, serveStubs } from './served.ts';

const listening = async (audit?: (call: AuditedCall<Actor>) => Promise<void>) => {
  const calls: AuditedCall<Actor>[] = [];
  const served = await serveStubs({
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
