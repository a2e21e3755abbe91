import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../http.ts';
import { EngineWorld } from './world/engine-world.ts';

/** Needs quoting in SQL, shells and configuration files. */
const password = `pa'ss"w\\o $rd`;
const passwordFile = '/etc/almanac/database-password';

const world = new EngineWorld();
const { containers } = world.engine;
let net = '';

beforeAll(async () => {
  net = await world.network('net', '10.51.0.0/24');
});
afterAll(() => world.clear());

/** A primary and a replica. Both are started before either is ready. */
async function pair(role: string): Promise<{ primary: string; replica: string }> {
  const make = async (name: string, environment: Record<string, string>) => {
    const volume = world.name(`${role}-${name}`);
    await world.engine.volumes.create({ name: volume, labels: world.labels });
    const id = await world.create({
      role,
      name: `${role}-${name}`,
      hostname: `${role}-${name}`,
      environment: { ...environment, DATABASE_PASSWORD_FILE: passwordFile },
      networks: [{ network: net, aliases: [`${role}-${name}`] }],
      mounts: [{ kind: 'volume', volume, target: '/data' }],
    });
    await containers.putFiles(id, [{ path: passwordFile, content: password, mode: 0o600 }]);
    await containers.start(id);
    return id;
  };
  const replica = { DATABASE_ROLE: 'replica', DATABASE_PRIMARY_HOST: `${role}-primary` };
  const made = {
    replica: await make('replica', replica),
    primary: await make('primary', { DATABASE_NAME: 'app', DATABASE_USER: 'app' }),
  };
  await world.ready(made.primary, made.replica);
  return made;
}

/** Runs SQL over the network, as an application does. */
type Query = (
  from: string,
  host: string,
  sql: string,
  secret?: string,
) => Promise<{ exitCode: number; stdout: string }>;

const queryPostgres: Query = (from, host, sql, secret = password) =>
  containers.exec(from, ['psql', '-h', host, '-U', 'app', '-d', 'app', '-Atc', sql], {
    environment: { PGPASSWORD: secret },
  });

const queryMariadb: Query = (from, host, sql, secret = password) =>
  containers.exec(from, ['mariadb', '--no-defaults', '-h', host, '-u', 'app', '-N', '-B', 'app', '-e', sql], {
    environment: { MYSQL_PWD: secret },
  });

describe.each([
  { role: 'postgres', query: queryPostgres },
  { role: 'mariadb', query: queryMariadb },
])('a $role database', ({ role, query }) => {
  let primary = '';
  let replica = '';
  const onPrimary = (sql: string, secret?: string) => query(replica, `${role}-primary`, sql, secret);
  const onReplica = (sql: string) => query(primary, `${role}-replica`, sql);
  const seenOnReplica = (sql: string, text: string) =>
    eventually(
      () => onReplica(sql),
      ({ stdout }) => stdout.trim() === text,
    );

  beforeAll(async () => {
    ({ primary, replica } = await pair(role));
  });

  it('requires the password', async () => {
    expect((await onPrimary('SELECT 1', 'wrong')).exitCode).not.toBe(0);
    expect((await onPrimary('SELECT 1', '')).exitCode).not.toBe(0);
    expect(await onPrimary('SELECT 1')).toMatchObject({ exitCode: 0, stdout: '1\n' });
  });

  it('replicates writes to its replica, which rejects writes', async () => {
    const text = `CREATE TABLE greeting (word VARCHAR(20)); INSERT INTO greeting VALUES ('grüß');`;
    expect((await onPrimary(text)).exitCode).toBe(0);
    await seenOnReplica('SELECT word FROM greeting', 'grüß');
    expect((await onReplica(`INSERT INTO greeting VALUES ('no')`)).exitCode).not.toBe(0);
  });

  it('keeps its data through a kill and a restart, and its replica continues', async () => {
    await containers.kill(primary, 'SIGKILL');
    await containers.wait(primary);
    await containers.start(primary);
    await containers.stop(replica, 10);
    await world.ready(primary);
    expect((await queryAfterRestart(`INSERT INTO greeting VALUES ('again')`)).exitCode).toBe(0);
    await containers.start(replica);
    await world.ready(replica);
    await seenOnReplica('SELECT count(*) FROM greeting', '2');
  });

  it('copies existing data to a new replica', async () => {
    await containers.remove(replica, { force: true });
    await world.engine.volumes.remove(world.name(`${role}-replica`));
    const made = await laterReplica();
    await world.ready(made);
    replica = made;
    await seenOnReplica('SELECT count(*) FROM greeting', '2');
  });

  it('initializes correctly after it was killed during initialization', async () => {
    const environment = { DATABASE_NAME: 'app', DATABASE_USER: 'app', DATABASE_PASSWORD: password };
    const id = await world.run({ role, name: `${role}-killed`, environment, networks: [{ network: net }] });
    await eventually(
      () => world.exec(id, 'ls', '/data/new'),
      ({ stdout }) => stdout !== '',
    );
    await containers.kill(id, 'SIGKILL');
    await containers.wait(id);
    await containers.start(id);
    await world.ready(id);
    expect(await world.stdout(id, 'ls', '/data')).toBe('main');
  });

  const queryAfterRestart = (sql: string) => query(primary, `${role}-primary`, sql);
  const laterReplica = () =>
    world.run({
      role,
      name: `${role}-replica`,
      hostname: `${role}-replica`,
      environment: {
        DATABASE_ROLE: 'replica',
        DATABASE_PRIMARY_HOST: `${role}-primary`,
        DATABASE_PASSWORD: password,
      },
      networks: [{ network: net, aliases: [`${role}-replica`] }],
    });
});
