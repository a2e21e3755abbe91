import { EventEmitter, once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import Fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { MemoryRoom } from '../../../src/basics/memory-room.ts';
import { holdMemory } from '../../../src/server/operational/hold-memory.ts';

const megabyte = 1024 ** 2;

it('a caller that leaves while it is authenticated holds no memory', async () => {
  const room = new MemoryRoom({ limit: 5 * megabyte, thread: 0, used: () => 0, collect: () => {} });
  const app = Fastify();
  onTestFinished(() => app.close());
  const asked = new EventEmitter();
  const isOver = once(asked, 'over');
  app.addHook('onRequest', async (_, reply) => {
    await once(reply.raw, 'close');
  });
  holdMemory(app, { room, accountOf: () => 'one' });
  app.addHook('preParsing', async () => void asked.emit('over'));
  app.post('/', () => 'done');
  await app.listen({ host: '127.0.0.1', port: 0 });

  const caller = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  caller.on('error', () => {});
  await once(caller, 'connect');
  caller.write(
    'POST / HTTP/1.1\r\nhost: almanac\r\ncontent-type: text/plain\r\ncontent-length: 1000000\r\n\r\n',
    () => setImmediate(() => caller.resetAndDestroy()),
  );
  await isOver;
  expect(room.hold('another', 4 * megabyte)).not.toBeNull();
});
