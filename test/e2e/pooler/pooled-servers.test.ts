import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../http.ts';
import { makeTestPlace, onPostgres, type TestPlace } from '../../open-database.ts';
import { oneServer } from '../../world.ts';
import { AlmanacProcess, knownLogin } from '../almanac-process.ts';
import { readSandboxWorld } from '../behind-the-servers.ts';
import { OwnPostgres } from '../own-postgres.ts';
import { Pgbouncer } from './pgbouncer.ts';

describe.runIf(onPostgres)('two servers behind pgbouncer in transaction mode, with four connections', () => {
  let place: TestPlace;
  let postgres: OwnPostgres;
  let pooler: Pgbouncer;
  let servers: AlmanacProcess[];
  beforeAll(async () => {
    postgres = await OwnPostgres.start();
    pooler = await Pgbouncer.start(postgres.url);
    place = { ...(await makeTestPlace()), url: pooler.url };
    const settings = { ...knownLogin, ALM_LISTEN_DATABASE_URL: postgres.url };
    servers = await Promise.all([1, 2].map(() => AlmanacProcess.serve(place, settings)));
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.kill('SIGKILL')));
    await pooler.close();
    postgres.close();
    await place.remove();
  });

  const [one, two] = [() => servers[0] as AlmanacProcess, () => servers[1] as AlmanacProcess];

  it('create and delete stacks, each once, and listen past the pooler', async () => {
    expect(await postgres.countListeners()).toBe(2);
    const stackIds = await Promise.all(
      Array.from({ length: 12 }, (_, index) => (index % 2 ? one() : two()).applyTemplate(oneServer())),
    );
    for (const stackId of stackIds) await one().waitFor(stackId, 'CREATE_COMPLETE');
    const world = await readSandboxWorld({ ...place, url: postgres.url });
    expect([...world.keys()].toSorted()).toEqual(stackIds.toSorted());
    for (const names of world.values()) expect(names).toEqual([...new Set(names)]);
    await Promise.all(
      stackIds.map((stackId) => two().call('DELETE', `/v3/alm/stack/${stackId}?servers=replace`)),
    );
    for (const stackId of stackIds) await one().waitFor(stackId, 'DELETE_COMPLETE');
    await eventually(
      () => readSandboxWorld({ ...place, url: postgres.url }),
      ({ size }) => size === 0,
    );
  });
});
