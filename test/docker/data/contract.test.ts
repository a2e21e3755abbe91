import { randomBytes } from 'node:crypto';
import { afterEach } from 'vitest';
import type { Driver, StackOnVendor } from '../../../src/vendors/vendor.ts';
import { type DataWorld, dataContract, type Part } from '../../vendors/data-contract.ts';
import { databasePassword, VendorWorld } from '../world/vendor-world.ts';
import { inVolume } from '../world/volumes.ts';

const worlds: VendorWorld[] = [];
/** An engine has addresses for few networks. */
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.clear();
});

/** Reads the note in a store. Writes one with a random text at the first look. */
type Note = (world: VendorWorld, stack: StackOnVendor) => Promise<string | undefined>;

const newText = (): string => randomBytes(8).toString('hex');

const hasPart = async (world: VendorWorld, stack: StackOnVendor, part: string): Promise<boolean> =>
  (await world.containersOf(stack, { 'almanac.part': part })).length > 0;

const psql = ['psql', '-h', '127.0.0.1', '-U', 'app', '-d', 'app', '-qAtc'];
const mariadb = ['mariadb', '--no-defaults', '-h', '127.0.0.1', '-u', 'app', 'app', '-N', '-e'];
const secret = databasePassword.reveal();

const databaseNote: Note = async (world, stack) => {
  if (!(await hasPart(world, stack, 'database-app'))) return undefined;
  const passwords = ['env', `MYSQL_PWD=${secret}`, `PGPASSWORD=${secret}`];
  const isPostgres =
    (await world.exec(stack, 'database-app', 'test', '-d', '/run/postgresql')).exitCode === 0;
  const query = async (statement: string) => {
    const argv = [...passwords, ...(isPostgres ? psql : mariadb), statement];
    const { exitCode, stdout, stderr } = await world.exec(stack, 'database-app', ...argv);
    if (exitCode !== 0) throw new Error(stderr);
    return stdout.trim();
  };
  await query('CREATE TABLE IF NOT EXISTS note (text varchar(40))');
  const found = await query('SELECT text FROM note');
  if (found !== '') return found;
  await query(`INSERT INTO note VALUES ('${newText()}')`);
  return query('SELECT text FROM note');
};

const cacheNote: Note = async (world, stack) => {
  if (!(await hasPart(world, stack, 'cache-sessions'))) return undefined;
  const redis = async (...argv: string[]) =>
    (await world.exec(stack, 'cache-sessions', 'redis-cli', ...argv)).stdout.trim();
  await redis('setnx', 'note', newText());
  return redis('get', 'note');
};

const filesNote =
  (part: string): Note =>
  async (world, stack) => {
    const volume = `alm-${stack.id}-${part}`;
    if (!(await usedVolumes(world, stack)).some(({ name }) => name === volume)) return undefined;
    const script = `test -e /volume/note || echo ${newText()} > /volume/note; cat /volume/note`;
    return inVolume(world.engine, volume, script);
  };

const diskNote: Note = async (world, stack) => {
  if (!(await hasPart(world, stack, 'data0-0'))) return undefined;
  const script = `test -e /root/note || echo ${newText()} > /root/note; cat /root/note`;
  return (await world.exec(stack, 'data0-0', 'sh', '-c', script)).stdout.trim();
};

const notes: Readonly<Record<Part, Note>> = {
  database: databaseNote,
  cache: cacheNote,
  files: filesNote('storage-data0-0'),
  shared: filesNote('files-media0'),
  disk: diskNote,
};

/** None of the contract's stacks has replicas or groups. */
async function usedVolumes(world: VendorWorld, stack: StackOnVendor) {
  const kept = (await world.keptOf(stack)).map(({ volume }) => volume);
  const volumes = await world.engine.volumes.list({ 'almanac.stack': stack.id });
  return volumes.filter(({ name }) => !kept.includes(name));
}

async function storeIds(world: VendorWorld, stack: StackOnVendor): Promise<string[]> {
  const servers = await world.containersOf(stack, { 'almanac.kind': 'instance' });
  return [
    ...(await usedVolumes(world, stack)).map(({ name, labels }) => `${name}@${labels['almanac.id']}`),
    ...servers.map(({ id }) => id.slice(0, 12)),
  ];
}

const volume = 'a volume';

dataContract('docker', (): DataWorld => {
  const world = new VendorWorld({ agent: 'on signal' });
  worlds.push(world);
  /** Stacks whose update was cancelled: the reconciler no longer applies it. */
  const stopped = new Set<string>();
  const running = () => world.stacks.filter(({ id }) => !stopped.has(id));
  const connect = (): Driver => ({
    ...world.connect(),
    apply: (stack, request) => {
      stopped.delete(stack.id);
      return world.applyDocument(stack, request);
    },
    remove: (stack, { releases }) => {
      stopped.delete(stack.id);
      return world.remove(stack, releases);
    },
    cancelUpdate: async (stack, version) => {
      const answer = await world.driver.cancelUpdate(stack, version);
      if (answer.cancelled) stopped.add(stack.id);
      return answer;
    },
  });
  return {
    vendor: world.vendor,
    connect,
    newStack: () => world.newStack(),
    document: (stack, model) => world.vendor.compile(model, stack.id),
    passMoment: async () => {
      for (const stack of running()) await world.drive(stack, ({ kind }) => kind !== 'unfinished');
    },
    passAll: async () => {
      for (const stack of running())
        await world.drive(stack, async ({ kind }) => {
          if (kind === 'busy') await world.signalAgents(stack);
          return kind === 'settled' || kind === 'absent';
        });
    },
    dataIn: (stack, part) => notes[part](world, stack),
    storeIds: (stack) => storeIds(world, stack),
    keptData: async (stack) => (await world.keptOf(stack)).map((kept) => kept.volume),
    can: { keeps: { database: volume, cache: volume, files: volume, shared: volume } },
  };
}, ['files']);
