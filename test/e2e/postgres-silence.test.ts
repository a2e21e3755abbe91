import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { type Answer, callHttp, eventually, type Json } from '../http.ts';
import { makeTestPlace, onPostgres, type TestPlace } from '../open-database.ts';
import { oneServer } from '../world.ts';
import { AlmanacProcess, knownLogin } from './almanac-process.ts';
import { BlackHole } from './black-hole.ts';
import { type Network, OwnPostgres } from './own-postgres.ts';

/** 5 s for a connection, 10 s for a response, and time for a busy machine. */
const longestWaitMs = 25_000;

let atEnd: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of atEnd.toReversed()) await end();
  atEnd = [];
});

async function serveOn(network?: Network): Promise<{ server: AlmanacProcess; postgres: OwnPostgres }> {
  const postgres = await OwnPostgres.start(network);
  atEnd.push(() => postgres.close());
  const own = await makeTestPlace();
  const directory = mkdtempSync(join(tmpdir(), 'almanac-silence-'));
  const place: TestPlace = { ...own, url: postgres.url, directory };
  atEnd.push(() => place.remove());
  const server = await AlmanacProcess.serve(place, { ...knownLogin, ALM_SANDBOX_SPEED: '0' });
  await server.userToken();
  return { server, postgres };
}

interface Timed extends Answer<Json> {
  ms: number;
}

async function timed(call: Promise<Answer<Json>>): Promise<Timed> {
  const start = performance.now();
  const answer = await call;
  return { ...answer, ms: performance.now() - start };
}

const list = (server: AlmanacProcess) => timed(server.call('GET', '/v3/alm/stack'));
const health = (server: AlmanacProcess) => timed(callHttp('GET', `${server.url}/healthz`));

function expectRefusal({ status, headers, ms }: Timed): void {
  expect(status).toBe(503);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect(ms).toBeLessThan(longestWaitMs);
}

const recovered = (server: AlmanacProcess) =>
  eventually(
    () => list(server),
    ({ status }) => status === 200,
  );

describe.runIf(onPostgres)('PostgreSQL that does not answer', () => {
  it('30 seconds without packets: 503 with Retry-After in bounded time, then everything continues and nothing is lost', async ({
    skip,
  }) => {
    const hole = BlackHole.make();
    if (typeof hole === 'string') return skip(hole);
    atEnd.push(() => hole.remove());
    const { server, postgres } = await serveOn(hole.network);
    const created: string[] = [await server.applyTemplate(oneServer())];
    await server.waitFor(created[0] ?? '', 'CREATE_COMPLETE');

    hole.open();
    const end = performance.now() + 30_000;
    const refused: Timed[] = [];
    const create = async () => {
      const answer = await timed(
        server.call('POST', '/v3/alm/template', { json: oneServer(1, 'us-east-1') }),
      );
      if (answer.status === 201) created.push(String(answer.body.stack_id));
      else refused.push(answer);
    };
    while (performance.now() < end) {
      const answers = Promise.all([...Array.from({ length: 12 }, () => list(server)), create()]);
      const { status, ms } = await health(server);
      expect([status, ms < 5_000]).toEqual([200, true]);
      refused.push(...(await answers).flatMap((answer) => answer ?? []));
    }
    hole.close();

    expect(refused.length).toBeGreaterThan(12);
    for (const answer of refused) expectRefusal(answer);
    await recovered(server);
    await eventually(
      () => postgres.countListeners(),
      (count) => count >= 1,
    );
    // Locks of transactions that the silence interrupted end a few seconds later.
    await eventually(create, () => created.length > 1);
    for (const stackId of created) await server.waitFor(stackId, 'CREATE_COMPLETE');
    expect(server.process.exitCode).toBe(null);
  });

  it('all connections wait for a lock: 503 with Retry-After in bounded time, then everything continues', async () => {
    const { server, postgres } = await serveOn();
    const stackId = await server.applyTemplate(oneServer());
    await server.waitFor(stackId, 'CREATE_COMPLETE');
    const other = new pg.Client({ connectionString: postgres.url });
    await other.connect();
    await other.query('begin');
    await other.query('lock table stacks in access exclusive mode');

    const answers = Promise.all(Array.from({ length: 40 }, () => list(server)));
    const { status, ms } = await health(server);
    expect([status, ms < 5_000]).toEqual([200, true]);
    for (const answer of await answers) expectRefusal(answer);
    // PostgreSQL gives up too: nothing piles up behind the lock.
    expect(
      await postgres.ask("select pid from pg_stat_activity where application_name = 'almanac'"),
    ).toBeLessThan(12);

    await other.query('rollback');
    await other.end();
    await recovered(server);
    expect((await server.call('GET', `/v3/alm/stack/${stackId}`)).status).toBe(200);
  });
});
