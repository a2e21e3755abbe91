import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAgentLog } from '../../src/agent/log.ts';
import { AlmanacService } from '../../src/agent/service/almanac-service.ts';
import { type Clock, realClock } from '../../src/basics/clock.ts';
import { ServedAlmanac } from '../api/served-almanac.ts';

let almanac: ServedAlmanac;
let stackId: string;
let token: string;
beforeAll(async () => {
  almanac = await ServedAlmanac.start();
  stackId = await almanac.applyTemplate();
  token = String((await almanac.describe(stackId)).auth_token);
});
afterAll(() => almanac.close());

const tokensRead: string[] = [];
const open = (server: string, secret = () => token, clock: Clock = realClock) =>
  new AlmanacService({
    clock,
    log: createAgentLog(realClock, () => undefined),
    server,
    stackId,
    readToken: async () => {
      tokensRead.push(secret());
      return secret();
    },
  });

describe('authentication', () => {
  it('signs in once for many requests, and again before the token expires', async () => {
    let ahead = 0;
    const service = open(almanac.url, () => token, { ...realClock, now: () => realClock.now() + ahead });
    tokensRead.length = 0;
    await service.readConfig('web01');
    await service.readConfig('web01');
    expect(tokensRead).toHaveLength(1);
    ahead = 11 * 3600 * 1000;
    await service.readConfig('web01');
    expect(tokensRead).toHaveLength(2);
  });

  it('signs in again when the token is rejected', async () => {
    const service = open(almanac.url);
    await service.readConfig('web01');
    await almanac.service.database.query.deleteFrom('access_tokens').execute();
    await expect(service.readConfig('web01')).resolves.toBeNull();
  });

  it('reads the secret again on each sign-in, so that a corrected secret needs no restart', async () => {
    let secret = 'wrong';
    const service = open(almanac.url, () => secret);
    await expect(service.readConfig('web01')).rejects.toThrow();
    secret = token;
    await expect(service.readConfig('web01')).resolves.toBeNull();
  });
});

it('connects to a server on a unix socket', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'almanac-socket-'));
  const { port, hostname } = new URL(almanac.url);
  const proxy: Server = createServer((client) => {
    client.pipe(connect(Number(port), hostname)).pipe(client);
  });
  const path = join(directory, 'server.sock');
  await new Promise<void>((done) => proxy.listen(path, done));
  await expect(open(`unix:${path}`).readConfig('web01')).resolves.toBeNull();
  await new Promise((done) => proxy.close(done));
  rmSync(directory, { recursive: true });
});
