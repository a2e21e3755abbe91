import { type AddressInfo, connect, createServer, Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Backend, Forwarder } from '../../src/agent/deploy/forwarder.ts';
import { realClock } from '../../src/basics/clock.ts';
import { eventually } from '../http.ts';
import { freePort } from './world/fake-engine.ts';

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

/** A container on a separate address. Responds with its name when the client has sent everything. */
async function container(id: string, host: string): Promise<Backend> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    let received = '';
    // Not `text(socket)`: it destroys the socket at the end.
    socket.on('data', (chunk) => (received += String(chunk)));
    socket.on('end', () => socket.end(`${id} received ${received}`));
  });
  await new Promise<void>((done) => server.listen(port, host, done));
  closing.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { id, host: () => host, refresh: async () => undefined };
}

const client = (): Socket => connect({ port, host: '127.0.0.1', allowHalfOpen: true });
const send = (socket: Socket, content: string): Promise<string> => {
  socket.end(content);
  return text(socket);
};

describe('the forwarder', () => {
  it('keeps forwarding after connections could not be accepted', async () => {
    const blue = await container('blue', '127.0.5.1');
    const listening = vi.spyOn(Server.prototype, 'listen');
    await forwarder.switchTo(blue, [port]);
    const [server] = listening.mock.contexts as Server[];
    listening.mockRestore();
    for (const error of [1, 2].map(() => new Error('accept EMFILE')))
      expect(server?.emit('error', error)).toBe(true);
    expect(await send(client(), 'x')).toBe('blue received x');
  });

  it('forwards a request, and the response after the client has closed its side', async () => {
    await forwarder.switchTo(await container('blue', '127.0.5.1'), [port]);
    expect(await send(client(), 'x'.repeat(300_000))).toBe(`blue received ${'x'.repeat(300_000)}`);
    await eventually(
      async () => forwarder.connectionsOf('blue'),
      (count) => count === 0,
    );
  });

  it('sends new connections to the new container and keeps open ones on the old', async () => {
    await forwarder.switchTo(await container('blue', '127.0.5.1'), [port]);
    const early = client();
    await eventually(
      async () => forwarder.connectionsOf('blue'),
      (count) => count === 1,
    );
    await forwarder.switchTo(await container('green', '127.0.5.2'), [port]);
    expect(await send(client(), 'late')).toBe('green received late');
    expect(await send(early, 'early')).toBe('blue received early');
    await forwarder.drain('blue', 5);
    expect(forwarder.connectionsOf('blue')).toBe(0);
  });

  it('draining closes idle connections, but not those that wait for a response', async () => {
    await forwarder.switchTo(await container('blue', '127.0.5.1'), [port]);
    const [idle, requesting] = [client(), client()];
    const closed = [idle, requesting].map(
      (socket) => new Promise((done) => socket.on('close', done).on('end', () => socket.end())),
    );
    requesting.write('half of a request');
    await eventually(
      async () => forwarder.connectionsOf('blue'),
      (count) => count === 2,
    );
    const drained = forwarder.drain('blue', 0.2);
    await closed[0];
    await eventually(
      async () => forwarder.connectionsOf('blue'),
      (count) => count === 1,
    );
    forwarder.closeConnections('blue');
    await closed[1];
    await drained;
  });

  it('follows a container that restarted with another address', async () => {
    const moved = await container('blue', '127.0.5.3');
    let host = '127.0.5.4';
    const refresh = async () => {
      host = moved.host();
    };
    await forwarder.switchTo({ id: 'blue', host: () => host, refresh }, [port]);
    expect(await send(client(), 'hello')).toBe('blue received hello');
  });

  it('opens all ports or changes nothing', async () => {
    const taken = createServer();
    await new Promise<void>((done) => taken.listen(0, '127.0.0.1', done));
    closing.push(() => taken.close());
    await forwarder.switchTo(await container('blue', '127.0.5.1'), [port]);
    const other = await freePort();
    const green = await container('green', '127.0.5.2');
    const { port: takenPort } = taken.address() as AddressInfo;
    await expect(forwarder.switchTo(green, [port, other, takenPort])).rejects.toThrow(
      `Cannot listen on port ${takenPort} of the instance: EADDRINUSE.`,
    );
    expect(forwarder.ports).toEqual([port]);
    expect(await send(client(), 'hello')).toBe('blue received hello');
  });
});
