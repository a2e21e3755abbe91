import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cache, database } from '../../vendors/docker/documents.ts';
import { sampleModel } from '../../vendors/sample-model.ts';
import { testSocket } from '../world/engine-world.ts';
import { VendorWorld } from '../world/vendor-world.ts';

/** The commands of the operator, on volumes of a stack that was deleted. */
const world = new VendorWorld();
const old = world.newStack();
const fresh = world.newStack();
const model = sampleModel({
  layers: [],
  databases: [
    database({ name: 'main', engine: 'postgresql', replicas: 0 }),
    database({ name: 'shop', engine: 'mysql', replicas: 0 }),
  ],
  caches: [cache({ nodes: 1 })],
});

const run = promisify(execFile);
const program = fileURLToPath(new URL('../../../dist/almanac/main.js', import.meta.url));
const environment = {
  ...process.env,
  DOCKER_HOST: `unix://${testSocket()}`,
  ALM_DOCKER_SOCKET: testSocket(),
};
const almanac = async (...args: string[]): Promise<string> =>
  (await run('node', [program, 'volumes', ...args], { env: environment })).stdout;
const docker = async (...args: string[]): Promise<string> =>
  (await run('docker', args, { env: environment })).stdout.trim();

interface Listed {
  volume: string;
  flag: string;
  engine: string;
  account_id: string;
  until: string | null;
}
const listed = async (): Promise<Listed[]> =>
  JSON.parse(await almanac('list', '--json', '--stack', old.id)) as Listed[];
const volumeOf = (flag: string) => `alm-${old.id}-${flag}`;

beforeAll(async () => {
  await world.make(old, model);
  await world.removeCompletely(old, 'keep');
  await world.make(fresh, model);
});
afterAll(async () => {
  await world.clear();
});

it('almanac volumes lists the data of a deleted stack, in a table and as JSON', async () => {
  expect(
    (await listed()).map(({ flag, engine, account_id }) => [flag, engine, account_id]).toSorted(),
  ).toEqual([
    ['main', 'postgresql', 'test'],
    ['sessions', 'redis', 'test'],
    ['shop', 'mysql', 'test'],
  ]);
  expect(await almanac('list')).toContain(volumeOf('database-main-postgresql'));
});

it('docker neither removes nor prunes a kept volume', async () => {
  const volume = volumeOf('database-main-postgresql');
  await expect(docker('volume', 'rm', volume)).rejects.toThrow(/in use/);
  await docker('volume', 'prune', '-f');
  expect((await listed()).map((each) => each.volume)).toContain(volume);
});

it('almanac volumes keeps a volume for ever, and removes one only when its name is repeated', async () => {
  const volume = volumeOf('cache-sessions-redis');
  expect(JSON.parse(await almanac('keep', volume, '--days', '0', '--json'))).toMatchObject({ until: null });
  await expect(almanac('remove', volume)).rejects.toThrow(/repeat its name/);
  await almanac('remove', volume, '--confirm', volume);
  expect((await listed()).map((each) => each.volume)).not.toContain(volume);
  const used = `alm-${fresh.id}-cache-sessions-redis`;
  await expect(almanac('remove', used, '--confirm', used)).rejects.toThrow(/There is no kept volume/);
});
