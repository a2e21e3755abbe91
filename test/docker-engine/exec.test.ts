import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { realClock } from '../../src/basics/clock.ts';
import { connect } from '../../src/docker-engine/connection.ts';
import { EngineUnreachable } from '../../src/docker-engine/errors.ts';
import { execCalls } from '../../src/docker-engine/exec.ts';

const directory = mkdtempSync(join(tmpdir(), 'almanac-exec-'));
const socketPath = join(directory, 'engine.sock');
const open = new Set<Duplex>();
let server: Server;

/** An engine whose processes write nothing and never exit. */
beforeEach(async () => {
  server = createServer((_request, reply) => void reply.end('{"Id":"1"}'));
  server.on('upgrade', (_request, socket) => {
    open.add(socket.on('error', () => undefined).on('close', () => open.delete(socket)));
    socket.write('HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n');
  });
  await new Promise<void>((done) => server.listen(socketPath, done));
});
afterEach(async () => {
  for (const socket of open) socket.destroy();
  await new Promise((done) => server.close(done));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

it('exec times out when a process hangs; a stream has no timeout', async () => {
  const { exec, execStream } = execCalls(connect(socketPath), realClock, 0.3);
  const stream = await execStream('some', ['sh']);
  const error = await exec('some', ['ready.sh']).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(EngineUnreachable);
  expect((error as Error).message).toBe('ready.sh in container some timed out after 0.3 s.');
  expect(stream.stdout.destroyed).toBe(false);
});

it('exec stops at the signal of its caller instead of its own timeout', async () => {
  const { exec } = execCalls(connect(socketPath), realClock, 60);
  const signal = AbortSignal.timeout(100);
  await expect(exec('some', ['sleep'], { signal })).rejects.toThrow('aborted due to timeout');
});
