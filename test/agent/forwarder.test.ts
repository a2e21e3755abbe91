import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Backend, Forwarder } from '../../src/agent/deploy/forwarder.ts';
import { realClock } from '../../src/basics/clock.ts';
import { eventually } from '../http.ts';
import { freePort } from './world/pretend-engine.ts';

let forwarder: Forwarder;
let port: number;
const closing: (() => void)[] = [];
beforeEach(async () => {
  forwarder = new Forwarder(realClock, '127.0.0.1');
  port = await freePort();
});
afterEach(() => {
  forwarder.close();
  for (const close of closing.splice(0)) close();
});

/** A container on an address of its own, which greets with its name when the client has said all. */
async function container(id: string, host: string): Promise<Backend> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    let said = '';
    // Not `text(socket)`, which destroys the socket when it has read all.
    socket.on('data', (chunk) => (said += String(chunk)));
    socket.on('end', () => socket.end(`${id} heard ${said}`));
  });
  await new Promise<void>((done) => server.listen(port, host, done));
  closing.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { id, host: () => host, refresh: async () => undefined };
}

const client = (): Socket => connect({ port, host: '127.0.0.1', allowHalfOpen: true });
const say = (socket: Socket, words: string): Promise<string> => {
  socket.end(words);
  return text(socket);
};

describe('the forwarder', () => {
  it('passes on what a client says, and the answer after the client has said all', async () => {
    await forwarder.switchTo(await container('blue', '127.0.5.1'), [port]);
    expect(await say(client(), 'x'.repeat(300_000))).toBe(`blue heard ${'x'.repeat(300_000)}`);
    await eventually(
      async () => forwarder.connectionsOf('blue'),
      (count) => count === 0,
    );
  });

  it('sends new connections to the new container and leaves the open ones where they are', async () => {
    await forwarder.switchTo(await container('blue', '127.0.5.1'), [port]);
    const early = client();
    await eventually(
      async () => forwarder.connectionsOf('blue'),
      (count) => count === 1,
    );
    await forwarder.switchTo(await container('green', '127.0.5.2'), [port]);
    expect(await say(client(), 'late')).toBe('green heard late');
    expect(await say(early, 'early')).toBe('blue heard early');
    await forwarder.drained('blue', 5);
    expect(forwarder.connectionsOf('blue')).toBe(0);
  });

  it('closes connections that only wait, and not those that wait for an answer, unless it is told to', async () => {
    await forwarder.switchTo(await container('blue', '127.0.5.1'), [port]);
    const [waiting, asking] = [client(), client()];
    const closed = [waiting, asking].map(
      (socket) => new Promise((done) => socket.on('close', done).on('end', () => socket.end())),
    );
    asking.write('half of a question');
    await eventually(
      async () => forwarder.connectionsOf('blue'),
      (count) => count === 2,
    );
    const drained = forwarder.drained('blue', 0.2);
    await closed[0];
    await eventually(
      async () => forwarder.connectionsOf('blue'),
      (count) => count === 1,
    );
    forwarder.cut('blue');
    await closed[1];
    await drained;
  });

  it('finds a container again that was started at another address', async () => {
    const moved = await container('blue', '127.0.5.3');
    let host = '127.0.5.4';
    const refresh = async () => {
      host = moved.host();
    };
    await forwarder.switchTo({ id: 'blue', host: () => host, refresh }, [port]);
    expect(await say(client(), 'hello')).toBe('blue heard hello');
  });

  it('holds all of the ports or changes nothing', async () => {
    const taken = createServer();
    await new Promise<void>((done) => taken.listen(0, '127.0.0.1', done));
    closing.push(() => taken.close());
    await forwarder.switchTo(await container('blue', '127.0.5.1'), [port]);
    const other = await freePort();
    const green = await container('green', '127.0.5.2');
    const { port: takenPort } = taken.address() as AddressInfo;
    await expect(forwarder.switchTo(green, [port, other, takenPort])).rejects.toThrow(
      `Port ${takenPort} of the instance cannot be held: EADDRINUSE.`,
    );
    expect(forwarder.ports).toEqual([port]);
    expect(await say(client(), 'hello')).toBe('blue heard hello');
  });
});
