import { expect, test } from 'vitest';
import { bind, broken, item, openSocket, serveStubs, stubs } from '../served.ts';

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

/** A promise and the function that resolves it. */
const signal = () => {
  const resolvers: (() => void)[] = [];
  const promise = new Promise<void>((resolve) => resolvers.push(resolve));
  return { promise, resolve: () => resolvers.forEach((resolve) => resolve()) };
};

/** A route that reports when it is reached and replies on request. */
const slowRoute = () => {
  const reached = signal();
  const finish = signal();
  const others = stubs.filter(({ route }) => route !== broken && route !== item);
  const binding = bind(broken, async () => {
    reached.resolve();
    await finish.promise;
    return { done: true };
  });
  return { bindings: [...others, binding], isReached: reached.promise, finish: finish.resolve };
};

test('while the server stops, a request in progress finishes and its connection closes', async () => {
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

test('when the server stops, idle connections close immediately and new ones are rejected', async () => {
  const served = await serveStubs();
  const socket = await openSocket(served.port);
  socket.send(get('/healthz'));
  await socket.untilReceived('"status":"ok"');
  await served.close();
  await socket.untilClosed();
  await expect(openSocket(served.port)).rejects.toThrow('ECONNREFUSED');
});

test('a connection without any request does not prevent the server from stopping', async () => {
  const served = await serveStubs();
  const [silent, other] = [await openSocket(served.port), await openSocket(served.port)];
  // Connections are accepted in order: once the second gets a reply, the server has accepted the first.
  other.send(get('/healthz'));
  await other.untilReceived('"status":"ok"');
  await served.close();
  expect(await silent.untilClosed()).toBe('');
});

test('while the server stops, a request on an open connection is answered and the connection closes', async () => {
  const slow = slowRoute();
  const served = await serveStubs({ bindings: slow.bindings });
  const socket = await openSocket(served.port);
  // The second request arrives before the first gets its reply, so the connection is not idle during the stop.
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

test('/readyz reports that the server is stopping', async () => {
  const slow = slowRoute();
  const served = await serveStubs({ bindings: slow.bindings });
  const [busy, late] = [await openSocket(served.port), await openSocket(served.port)];
  // Half a request keeps this connection open during the stop; the other half follows while the server stops.
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
