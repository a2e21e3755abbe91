import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { realClock } from '../../src/basics/clock.ts';
import { openEngine } from '../../src/docker-engine/engine.ts';
import { EngineUnreachable } from '../../src/docker-engine/errors.ts';
import type { Engine } from '../../src/docker-engine/types.ts';

const directory = mkdtempSync(join(tmpdir(), 'almanac-engine-'));
/** Responds with 200 and an empty body, as Docker does for the statistics of a container that is being removed. */
const server: Server = createServer((_, reply) => reply.setHeader('api-version', '1.44').end());
let engine: Engine;
beforeAll(async () => {
  const socketPath = join(directory, 'engine.sock');
  await new Promise<void>((done) => server.listen(socketPath, done));
  engine = openEngine({ socketPath, clock: realClock });
});
afterAll(async () => {
  await new Promise((done) => server.close(done));
  rmSync(directory, { recursive: true });
});

it('an empty response to a request for statistics does not count as a reading', async () => {
  expect(await engine.containers.cpuTime('leaving')).toBeUndefined();
});

it('an empty response to any other request is one that did not arrive', async () => {
  await expect(engine.containers.inspect('leaving')).rejects.toThrow(EngineUnreachable);
});
