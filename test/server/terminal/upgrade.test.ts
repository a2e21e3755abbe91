import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { VirtualClock } from '../../../src/basics/clock.ts';
import { Failure } from '../../../src/basics/failure.ts';
import { route } from '../../../src/contract/route.ts';
import { makeRateLimits } from '../../../src/server/http/rate-limit.ts';
import type { SocketBinding } from '../../../src/server/terminal/upgrade.ts';
import { type Actor, jsonOf, openSocket, serveStubs } from '../served.ts';

const echo = route({
  name: 'echoSocket',
  method: 'GET',
  path: '/v3/socket/{word}',
  access: 'public',
  summary: 'For tests',
  tag: 'Test',
  params: Type.Object({ word: Type.String({ maxLength: 10 }) }),
  bodyKind: 'none',
  replies: { 200: { description: 'Not used.', schema: null } },
});

const binding: SocketBinding = {
  route: echo,
  admit: async ({ params, request }) => {
    const { word } = params as { word: string };
    if (word === 'denied') throw new Failure('unauthorized', 'Invalid ticket');
    return (socket) => {
      socket.send(`${word} ${request.address}`);
      socket.on('message', (data: Buffer) => socket.send(`received ${data.toString()}`));
    };
  },
};

const serve = () => serveStubs({ sockets: [binding] });

const talk = (url: string, word: string): Promise<string[]> =>
  new Promise((resolve, reject) => {
    const received: string[] = [];
    const socket = new WebSocket(`${url.replace('http', 'ws')}/v3/socket/${word}`);
    socket.on('open', () => socket.send('hello'));
    socket.on('message', (data: Buffer) => {
      received.push(data.toString());
      if (received.length === 2) socket.close();
    });
    socket.on('close', () => resolve(received));
    socket.on('error', reject);
  });

const upgrade = (path: string, { to = 'websocket', method = 'GET', body = '' } = {}) =>
  [
    `${method} ${path} HTTP/1.1`,
    'Host: here',
    'Connection: Upgrade, HTTP2-Settings',
    `Upgrade: ${to}`,
    'HTTP2-Settings: AAMAAABk',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ...(body ? ['Content-Type: application/json', `Content-Length: ${body.length}`] : []),
    '',
    body,
  ].join('\r\n');

test('a socket route is upgraded to a WebSocket', async () => {
  const { url } = await serve();
  expect(await talk(url, 'good')).toEqual(['good 127.0.0.1', 'received hello']);
});

test('a rejected upgrade gets an HTTP error, and the connection closes', async () => {
  const { url, port, logLines } = await serve();
  await expect(talk(url, 'denied')).rejects.toThrow('401');
  await expect(talk(url, 'x'.repeat(20))).rejects.toThrow('400');
  const socket = await openSocket(port);
  socket.send(upgrade('/v3/socket/denied'));
  const answer = await socket.untilClosed();
  expect(answer).toMatch(/^HTTP\/1.1 401 /);
  expect(answer).toMatch(/connection: close/i);
  expect(answer).toContain('"message":"Invalid ticket"');
  const line = logLines().find(({ failure }) => failure === 'unauthorized');
  expect(line).toMatchObject({ route: echo.path, status: 401 });
});

test('other routes are not upgraded to WebSockets', async () => {
  const { port } = await serve();
  for (const [path, status] of [
    ['/healthz', 200],
    ['/nothing', 404],
  ] as const) {
    const socket = await openSocket(port);
    socket.send(upgrade(path));
    expect(await socket.untilClosed()).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  }
});

test('a socket route without an upgrade gets 400 with the reason', async () => {
  const { fetch } = await serve();
  const answer = await fetch('/v3/socket/good');
  expect(answer.status).toBe(400);
  expect(await jsonOf(answer)).toMatchObject({ message: 'This route requires a WebSocket connection' });
});

test('a request to upgrade to another protocol is served over HTTP, with its body', async () => {
  const { port } = await serve();
  const socket = await openSocket(port);
  socket.send(upgrade('/v3/echo', { to: 'h2c', method: 'POST', body: '{"name":"a body"}' }));
  expect(await socket.untilReceived('a body')).toMatch(/^HTTP\/1.1 200 /);
  socket.send(upgrade('/healthz', { to: 'h2c' }));
  expect(await socket.untilReceived('"version"')).toContain('1.2.3');
  socket.end();
});

test('rejects an invalid WebSocket handshake', async () => {
  const { port } = await serve();
  const socket = await openSocket(port);
  socket.send(upgrade('/v3/socket/good').replace(/Sec-WebSocket-Key: .*\r\n/, ''));
  expect(await socket.untilClosed()).toMatch(/^HTTP\/1.1 400 /);
});

test('a client that disconnects during the handshake does not affect other clients', async () => {
  const { url, port } = await serve();
  for (let caller = 0; caller < 5; caller += 1) {
    const socket = await openSocket(port);
    socket.send(upgrade('/v3/socket/good'));
    socket.end();
  }
  expect(await talk(url, 'good')).toHaveLength(2);
});

test('the rate limit for anonymous callers applies to WebSockets', async () => {
  const clock = new VirtualClock();
  const limits = makeRateLimits<Actor>({
    clock,
    perAddress: 1,
    limitOf: async ({ id }) => ({ demands: [{ key: id, perSecond: 0 }] }),
  });
  const { url } = await serveStubs({ sockets: [binding], limits });
  await talk(url, 'good');
  await talk(url, 'good');
  await expect(talk(url, 'good')).rejects.toThrow('429');
});

test('a message larger than 1 MiB closes the connection', async () => {
  const { url } = await serve();
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v3/socket/good`);
  const code = new Promise((resolve) => socket.on('close', resolve));
  socket.on('open', () => socket.send(Buffer.alloc(1024 * 1024 + 1)));
  socket.on('error', () => {});
  expect(await code).toBe(1009);
});
