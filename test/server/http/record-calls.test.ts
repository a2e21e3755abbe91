import { expect, test } from 'vitest';
import { Failure } from '../../../src/basics/failure.ts';
import type { AuditedCall } from '../../../src/server/http/record-calls.ts';
import type { ServerOptions } from '../../../src/server/server.ts';
import { type Actor, bearer, jsonOf, post, serveStubs } from '../served.ts';

const serveWithAudit = async (
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

test('every authenticated call is audited with its result', async () => {
  const { served, calls } = await serveWithAudit();
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

test('the audited stack id can come from the body, and values that are not identifiers are omitted', async () => {
  const { served, calls } = await serveWithAudit();
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

test('only identifiers that the route declares are audited, from the body before the query', async () => {
  const { served, calls } = await serveWithAudit();
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

test('a call is audited as denied even if the reply says "not found"', async () => {
  const { served, calls } = await serveWithAudit();
  const serveRejecting = (failure: Failure) =>
    serveWithAudit(undefined, {
      authorize: () => {
        throw failure;
      },
    });
  await served.fetch('/v3/item/1', { headers: bearer('good') });
  await served.fetch('/v3/item/1', { headers: bearer('good-but-denied') });
  const hidden = await serveRejecting(new Failure('not_found', 'Item 1 does not exist', { denied: true }));
  const missing = await serveRejecting(new Failure('not_found', 'Item 1 does not exist'));
  for (const each of [hidden, missing]) await each.served.fetch('/v3/item/1', { headers: bearer('good') });
  const recorded = [...calls, ...hidden.calls, ...missing.calls].map(({ status, denied }) => [
    status,
    denied,
  ]);
  expect(recorded).toEqual([
    [200, false],
    [403, true],
    [404, true],
    [404, false],
  ]);
});

test('unauthenticated calls and public routes are not audited', async () => {
  const { served, calls } = await serveWithAudit();
  await served.fetch('/v3/item/1');
  await served.fetch('/v3/item/1', { headers: bearer('bad') });
  await served.fetch('/v3/echo', { ...post('{"name":"x"}', 'application/json') });
  expect(calls).toEqual([]);
});

test('a reply is sent only after the call is recorded', async () => {
  let finishRecording = () => {};
  const recording = new Promise<void>((resolve) => (finishRecording = resolve));
  const { served } = await serveWithAudit(() => recording);
  let answered = false;
  const answer = served.fetch('/v3/item/1', { method: 'DELETE', headers: bearer('good') }).then((reply) => {
    answered = true;
    return reply;
  });
  await served.fetch('/healthz');
  expect(answered).toBe(false);
  finishRecording();
  expect((await answer).status).toBe(200);
});

test('a call that cannot be recorded gets an internal error and is recorded only once', async () => {
  const { served, calls } = await serveWithAudit(() => Promise.reject(new Error('no database')));
  const answer = await served.fetch('/v3/item/1', { method: 'DELETE', headers: bearer('good') });
  expect(answer.status).toBe(500);
  expect(await jsonOf(answer)).toMatchObject({ error: 'internal' });
  expect(calls).toHaveLength(1);
});
