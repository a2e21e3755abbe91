import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../http.ts';
import { makeTestPlace, onPostgres, type TestPlace } from '../open-database.ts';
import { oneServer } from '../world.ts';
import { AlmanacProcess, knownLogin } from './almanac-process.ts';
import { readSandboxWorld } from './behind-the-servers.ts';

const settings = { ...knownLogin, ALM_SANDBOX_SPEED: '0.05' };

describe.runIf(onPostgres)('two servers on one PostgreSQL', () => {
  let place: TestPlace;
  let one: AlmanacProcess;
  let two: AlmanacProcess;
  beforeAll(async () => {
    place = await makeTestPlace();
    [one, two] = await Promise.all([
      AlmanacProcess.serve(place, settings),
      AlmanacProcess.serve(place, settings),
    ]);
  });
  afterAll(async () => {
    await Promise.all([one.kill('SIGKILL'), two.kill('SIGKILL')]);
    await place.remove();
  });

  const passesOf = async (server: AlmanacProcess): Promise<number> => {
    const { text } = await server.call('GET', '/metrics');
    return Number(/almanac_reconcile_passes_total\{end="noted"\} (\d+)/.exec(text)?.[1] ?? 0);
  };

  it('create one first account, whose token works on both', async () => {
    const shown = [one, two].filter((server) => server.stdout.includes('are shown only once'));
    expect(shown).toHaveLength(1);
    const token = await one.userToken();
    expect((await two.call('GET', '/v3/alm/stack', { token })).status).toBe(200);
  });

  it('share the work', async () => {
    const stackIds = await Promise.all(
      Array.from({ length: 12 }, (_, index) => (index % 2 ? one : two).applyTemplate(oneServer())),
    );
    for (const stackId of stackIds) await two.waitFor(stackId, 'CREATE_COMPLETE');
    expect(await passesOf(one)).toBeGreaterThan(0);
    expect(await passesOf(two)).toBeGreaterThan(0);
    await Promise.all(
      stackIds.map((stackId) => one.call('DELETE', `/v3/alm/stack/${stackId}?servers=replace`)),
    );
    for (const stackId of stackIds) await two.waitFor(stackId, 'DELETE_COMPLETE');
  });

  it('finish the work of a killed one, and create nothing twice', async () => {
    const stackIds = await Promise.all(Array.from({ length: 12 }, () => one.applyTemplate(oneServer(2))));
    await one.kill('SIGKILL');
    for (const stackId of stackIds) {
      const stack = await two.waitFor(stackId, 'CREATE_COMPLETE');
      expect(stack.instances).toHaveLength(2);
    }
    const list = (await two.call<Json[]>('GET', '/v3/alm/stack')).body;
    expect(list).toHaveLength(stackIds.length);
    const world = await readSandboxWorld(place);
    expect([...world.keys()].toSorted()).toEqual(stackIds.toSorted());
    for (const names of world.values()) expect(names).toEqual([...new Set(names)]);
  });
});
