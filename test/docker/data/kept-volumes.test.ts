import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { StackOnVendor } from '../../../src/vendors/vendor.ts';
import { eventually } from '../../http.ts';
import { cache, database } from '../../vendors/docker/documents.ts';
import { sampleModel } from '../../vendors/sample-model.ts';
import { testSocket } from '../world/engine-world.ts';
import { databasePassword, VendorWorld } from '../world/vendor-world.ts';

/** The commands of docs/vendors/docker.md, on volumes of a stack that was deleted. */
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

const inPart = async (stack: StackOnVendor, part: string, ...argv: string[]): Promise<string> => {
  const { exitCode, stdout, stderr } = await world.exec(stack, part, ...argv);
  if (exitCode !== 0) throw new Error(`${argv.join(' ')}: ${stderr}${stdout}`);
  return stdout.trim();
};
const psql = (stack: StackOnVendor, statement: string) => {
  const password = `PGPASSWORD=${databasePassword.reveal()}`;
  const client = ['psql', '-h', '127.0.0.1', '-U', 'app', '-d', 'app', '-Atc', statement];
  return inPart(stack, 'database-main', 'env', password, ...client);
};
const mysql = (stack: StackOnVendor, statement: string) => {
  const password = `MYSQL_PWD=${databasePassword.reveal()}`;
  const client = ['mariadb', '--no-defaults', '-h', '127.0.0.1', '-u', 'app', '-N', '-e', statement, 'app'];
  return inPart(stack, 'database-shop', 'env', password, ...client);
};
const redis = (stack: StackOnVendor, ...argv: string[]) =>
  inPart(stack, 'cache-sessions', 'redis-cli', ...argv);

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

/** Images built with --from-host have no programs of their own. */
const usr = ['-v', '/usr:/usr:ro'];
const server = ['-e', 'DATABASE_NAME=app', '-e', 'DATABASE_USER=app', '-e', 'DATABASE_PASSWORD=unused'];
const copyName = `copy-${old.id}`;
const startCopy = async (image: string, volume: string, ...more: string[]): Promise<void> => {
  await docker('run', '-d', '--name', copyName, ...usr, ...more, '-v', `${volume}:/data`, `almanac/${image}`);
  const ready = () =>
    docker('exec', copyName, '/opt/almanac/entry/ready.sh').then(
      () => true,
      () => false,
    );
  await eventually(ready, (isReady) => isReady);
};
const endCopy = () => docker('rm', '-f', copyName);

beforeAll(async () => {
  await world.make(old, model);
  await psql(old, "CREATE TABLE note (text text); INSERT INTO note VALUES ('from postgres')");
  await mysql(old, "CREATE TABLE note (text text); INSERT INTO note VALUES ('from mariadb')");
  await redis(old, 'set', 'note', 'from redis');
  await world.removeCompletely(old, 'keep');
  await world.make(fresh, model);
});
afterAll(async () => {
  await endCopy().catch(() => '');
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

it('a kept PostgreSQL database can be copied to another stack', async () => {
  const as = ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups'];
  await startCopy('postgres', volumeOf('database-main-postgresql'), ...server);
  const dump = ['pg_dump', '-h', '/run/postgresql', '--no-owner', '--no-privileges', 'app'];
  const restore = ['psql', '-h', '/run/postgresql', '-d', 'app', '-c', 'SET ROLE app', '-f', '-'];
  const from = ['docker', 'exec', copyName, ...as, ...dump].join(' ');
  const to = `docker exec -i alm-${fresh.id}-database-main ${as.join(' ')} ${restore.join(' ').replace('SET ROLE app', "'SET ROLE app'")}`;
  await run('bash', ['-c', `set -o pipefail; ${from} | ${to}`], { env: environment });
  await endCopy();
  expect(await psql(fresh, 'SELECT text FROM note')).toBe('from postgres');
});

it('a kept MariaDB database can be copied to another stack', async () => {
  await startCopy('mariadb', volumeOf('database-shop-mysql'), ...server);
  const socket = '--no-defaults --socket=/run/mysqld/mysqld.sock app';
  const from = `docker exec ${copyName} mariadb-dump ${socket}`;
  const to = `docker exec -i alm-${fresh.id}-database-shop mariadb ${socket}`;
  await run('bash', ['-c', `set -o pipefail; ${from} | ${to}`], { env: environment });
  await endCopy();
  expect(await mysql(fresh, 'SELECT text FROM note')).toBe('from mariadb');
});

it('a kept Redis cache can be copied to another stack', async () => {
  await startCopy('redis', volumeOf('cache-sessions-redis'), '--network', `alm-${fresh.id}`);
  await redis(fresh, 'replicaof', copyName, '6379');
  await eventually(
    () => redis(fresh, 'info', 'replication'),
    (found) => found.includes('master_link_status:up'),
  );
  await redis(fresh, 'replicaof', 'no', 'one');
  await endCopy();
  expect(await redis(fresh, 'get', 'note')).toBe('from redis');
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
