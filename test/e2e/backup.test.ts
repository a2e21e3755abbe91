import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Json } from '../http.ts';
import { makeTestPlace, type TestPlace } from '../open-database.ts';
import { oneServer } from '../world.ts';
import { AlmanacProcess, knownLogin, runAlmanac } from './almanac-process.ts';
import { readSandboxWorld } from './behind-the-servers.ts';

let place: TestPlace;
let server: AlmanacProcess;
let file: string;
beforeAll(async () => {
  place = await makeTestPlace();
  file = join(place.directory, 'saved.gz');
  server = await AlmanacProcess.serve(place);
});
afterAll(async () => {
  await server.kill('SIGTERM');
  await place.remove();
});

const listed = async (): Promise<unknown[]> =>
  (await server.call<Json[]>('GET', '/v3/alm/stack')).body.map(({ stack_id }) => stack_id);

const update = async (stackId: string, instances: number) => {
  await server.call('PUT', `/v3/alm/template/${stackId}`, { json: oneServer(instances) });
  return server.waitFor(stackId, 'UPDATE_COMPLETE');
};

it('a backup and restore during operation restores everything without a restart', async () => {
  const kept = await server.applyTemplate(oneServer());
  const before = await server.waitFor(kept, 'CREATE_COMPLETE');
  const saved = await runAlmanac(place, ['backup', file]);
  expect(saved).toMatchObject({ code: 0, stderr: '' });
  expect(saved.stdout).toContain('The sealing key is not in the backup');

  await server.call('DELETE', `/v3/alm/stack/${kept}?servers=replace`);
  await server.waitFor(kept, 'DELETE_COMPLETE');
  const later = await server.applyTemplate(oneServer());
  await server.waitFor(later, 'CREATE_COMPLETE');

  const restored = await runAlmanac(place, ['restore', file]);
  expect(restored).toMatchObject({ code: 0, stderr: '' });
  expect(await listed()).toEqual([kept]);
  const after = await server.waitFor(kept, 'CREATE_COMPLETE');
  expect(after).toEqual(before);
  expect([...(await readSandboxWorld(place)).keys()]).toEqual([kept]);

  expect((await update(kept, 2)).instances).toHaveLength(2);
  expect(server.process.exitCode).toBeNull();
});

it('a backup that the key cannot open is rejected, and nothing is changed', async () => {
  const before = await listed();
  const ALM_SECRET_KEY = randomBytes(32).toString('base64');
  const { code, stdout, stderr } = await runAlmanac(place, ['restore', file], { ALM_SECRET_KEY });
  expect(code).toBe(1);
  expect(stdout).toBe('');
  expect(stderr).toContain('almanac: The secrets in this database are sealed with another key.');
  expect(await listed()).toEqual(before);
});

it('restore of a missing file prints an error without a stack trace', async () => {
  const { code, stderr } = await runAlmanac(place, ['restore', join(place.directory, 'nothing.gz')]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^almanac: .*nothing\.gz/);
  expect(stderr).not.toMatch(/\n\s+at /);
});

it('work in progress at the time of the backup is finished after the restore', async () => {
  const slowPlace = await makeTestPlace();
  const slow = await AlmanacProcess.serve(slowPlace, { ...knownLogin, ALM_SANDBOX_SPEED: '0.1' });
  const stackId = await slow.applyTemplate(oneServer());
  const copy = join(slowPlace.directory, 'saved.gz');
  expect((await runAlmanac(slowPlace, ['backup', copy])).code).toBe(0);
  await slow.waitFor(stackId, 'CREATE_COMPLETE');
  expect((await runAlmanac(slowPlace, ['restore', copy])).code).toBe(0);
  const stack = await slow.waitFor(stackId, 'CREATE_COMPLETE');
  expect(stack.instances).toHaveLength(1);
  await slow.kill('SIGTERM');
  await slowPlace.remove();
});
