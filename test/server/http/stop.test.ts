import { expect, test } from 'vitest';
import { bind, broken, item, openSocket, serveStubs, stubs } from '../served.ts';

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

/** A promise, and how to keep it. */
const signal = () => {
  const keep: (() => void)[] = [];
  const given = new Promise<void>((resolve) => keep.push(resolve));
  return { given, give: () => keep.forEach((resolve) => resolve()) };
};

/** A route that answers when told to, and says when it was reached. */
const slowRoute = () => {
  const reached = signal();
  const finish = signal();
  const others = stubs.filter(({ route }) => route !== broken && route !== item);
  const binding = bind(broken, async () => {
    reached.give();
    await finish.given;
    return { done: true };
  });
  return { bindings: [...others, binding], isReached: reached.given, finish: finish.give };
};

test('a request in progress finishes, and its connection ends', async () => {
  const slow = slowRoute();
  const served = await serveStubs({ bindings: slow.bindings });
  const socket = await openSocket(served.port);
  socket.send(get('/v3/broken'));
  await slow.isReached;
  const closing = served.close();
  await served.stopping;
  slow.finish();
  const answer = await socket.untilClosed();
  await closing;
  expect(answer).toContain('HTTP/1.1 200 OK');
  expect(answer).toContain('{"done":true}');
  expect(answer.toLowerCase()).toContain('connection: close');
});

test('an idle connection is closed at once, and nothing new is accepted', async () => {
  const served = await serveStubs();
  const socket = await openSocket(served.port);
  socket.send(get('/healthz'));
  await socket.untilReceived('"status":"ok"');
  await served.close();
  await socket.untilClosed();
  await expect(openSocket(served.port)).rejects.toThrow('ECONNREFUSED');
});

test('a connection on which nothing was ever sent does not keep the server from stopping', async () => {
  const served = await serveStubs();
  const [silent, other] = [await openSocket(served.port), await openSocket(served.port)];
  // Accepted in order: once the second is answered, the first is known to the server.
  other.send(get('/healthz'));
  await other.untilReceived('"status":"ok"');
  await served.close();
  expect(await silent.untilClosed()).toBe('');
});

test('a request sent on an open connection while stopping is answered and the connection ends', async () => {
  const slow = slowRoute();
  const served = await serveStubs({ bindings: slow.bindings });
  const socket = await openSocket(served.port);
  // The second is on its way before the first is answered, so the connection is not idle when we stop.
  socket.send(get('/v3/broken'));
  await slow.isReached;
  const closing = served.close();
  await served.stopping;
  socket.send(get('/readyz'));
  slow.finish();
  const answer = await socket.untilClosed();
  await closing;
  expect(answer).toContain('{"done":true}');
  expect(answer.toLowerCase()).toContain('connection: close');
});

test('/readyz says so while stopping', async () => {
  const slow = slowRoute();
  const served = await serveStubs({ bindings: slow.bindings });
  const [busy, late] = [await openSocket(served.port), await openSocket(served.port)];
  // Half a request keeps this connection open through the stop; its other half comes when stopping.
  late.send('GET /readyz HTTP/1.1\r\nHost: a\r\n');
  busy.send(get('/v3/broken'));
  await slow.isReached;
  const closing = served.close();
  await served.stopping;
  late.send('\r\n');
  const answer = await late.untilClosed();
  expect(answer).toContain('HTTP/1.1 503');
  expect(answer).toContain('The server is stopping');
  slow.finish();
  await busy.untilClosed();
  await closing;
});
