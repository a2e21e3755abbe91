import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTestPlace, onPostgres, type TestPlace } from '../open-database.ts';
import { oneServer } from '../world.ts';
import { AlmanacProcess, knownLogin } from './almanac-process.ts';
import { OwnPostgres } from './own-postgres.ts';

const regions = ['ap-northeast-1', 'us-east-1', 'us-west-1'];

interface Load {
  statuses: Map<number, number>;
  /** Ids of stacks whose creation was acknowledged. */
  created: string[];
  withoutRetryAfter: number;
  stop(): Promise<void>;
}

/** Reads all the time and creates a stack now and then. Nothing but a dead server makes a request fail without a response. */
function startLoad(servers: readonly AlmanacProcess[], token: string): Load {
  let isOver = false;
  const load = { statuses: new Map<number, number>(), created: [] as string[], withoutRetryAfter: 0 };
  const call = async (server: AlmanacProcess, method: string, path: string, json?: object) => {
    const answer = await server.call(method, path, { token, ...(json ? { json } : {}) });
    load.statuses.set(answer.status, (load.statuses.get(answer.status) ?? 0) + 1);
    if (answer.status === 503 && !answer.headers.get('retry-after')) load.withoutRetryAfter += 1;
    return answer;
  };
  const read = async (server: AlmanacProcess) => {
    while (!isOver) await call(server, 'GET', '/v3/alm/stack');
  };
  const write = async (server: AlmanacProcess) => {
    for (let number = 0; !isOver && number < 12; number += 1) {
      const template = oneServer(1, regions[number % regions.length]);
      const { status, body } = await call(server, 'POST', '/v3/alm/template', template);
      if (status === 201) load.created.push(String(body.stack_id));
      await call(server, 'GET', '/readyz');
    }
  };
  const work = servers.flatMap((server) => [read(server), read(server), write(server)]);
  return Object.assign(load, {
    async stop() {
      isOver = true;
      await Promise.all(work);
    },
  });
}

describe.runIf(onPostgres).each([1, 3])('%i servers whose PostgreSQL fails under load', (count) => {
  let postgres: OwnPostgres;
  let place: TestPlace;
  let servers: AlmanacProcess[];
  beforeAll(async () => {
    postgres = await OwnPostgres.start();
    const own = await makeTestPlace();
    place = { ...own, url: postgres.url, directory: mkdtempSync(join(tmpdir(), 'almanac-outage-')) };
    servers = [];
    for (let number = 0; number < count; number += 1)
      servers.push(await AlmanacProcess.serve(place, { ...knownLogin, ALM_SANDBOX_SPEED: '0' }));
  });
  afterAll(async () => {
    await place.remove();
    postgres.close();
  });

  it('stay up, answer 503 with Retry-After, and lose no acknowledged write', async () => {
    const [server] = servers;
    if (!server) throw new Error('no server');
    const load = startLoad(servers, await server.userToken());
    for (let round = 0; round < 10; round += 1) {
      await postgres.terminateBackends();
      await server.call('GET', '/v3/alm/stack');
    }
    for (const mode of ['fast', 'immediate'] as const) {
      postgres.stop(mode);
      expect((await server.call('GET', '/readyz')).status).toBe(503);
      expect((await server.call('GET', '/healthz')).status).toBe(200);
      postgres.startAgain();
    }
    await load.stop();

    expect(servers.map(({ process }) => process.exitCode)).toEqual(servers.map(() => null));
    expect([...load.statuses.keys()].filter((status) => ![200, 201, 503].includes(status))).toEqual([]);
    expect(load.statuses.get(503)).toBeGreaterThan(0);
    expect(load.withoutRetryAfter).toBe(0);
    for (const stackId of load.created) await server.waitFor(stackId, 'CREATE_COMPLETE');
  });
});
