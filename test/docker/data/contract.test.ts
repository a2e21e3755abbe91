import { randomBytes } from 'node:crypto';
import { afterAll } from 'vitest';
import type { StackModel } from '../../../src/model/stack-model.ts';
import type { Driver, StackOnVendor } from '../../../src/vendors/vendor.ts';
import { dataContract } from '../../vendors/data-contract.ts';
import { serverAndDatabase } from '../../vendors/sample-model.ts';
import { databasePassword, VendorWorld } from '../world/vendor-world.ts';

const worlds: VendorWorld[] = [];
afterAll(async () => {
  for (const world of worlds) await world.clear();
});

const password = `MYSQL_PWD=${databasePassword.reveal()}`;
const client = ['mariadb', '--no-defaults', '-h', '127.0.0.1', '-u', 'app', '-N', '-e'];

/** Writes a row with a random text at the first look. Reads it later. */
async function rowIn(world: VendorWorld, stack: StackOnVendor): Promise<string | undefined> {
  if ((await world.containersOf(stack, { 'almanac.part': 'database-app' })).length === 0) return undefined;
  const query = async (statement: string) => {
    const { exitCode, stdout, stderr } = await world.exec(
      stack,
      'database-app',
      'env',
      password,
      ...client,
      statement,
      'app',
    );
    if (exitCode !== 0) throw new Error(stderr);
    return stdout.trim();
  };
  await query('CREATE TABLE IF NOT EXISTS note (text varchar(40))');
  const found = await query('SELECT text FROM note');
  if (found !== '') return found;
  await query(`INSERT INTO note VALUES ('${randomBytes(8).toString('hex')}')`);
  return query('SELECT text FROM note');
}

dataContract('docker, as a row of MariaDB', () => {
  const world = new VendorWorld({ agent: 'on signal' });
  worlds.push(world);
  const models = new Map<object, StackModel>();
  /** Stacks whose update was cancelled: the reconciler no longer applies it. */
  const stopped = new Set<string>();
  const driver: Driver = {
    ...world.driver,
    apply: (stack, { document, version }) => {
      stopped.delete(stack.id);
      return world.apply(stack, models.get(document) ?? serverAndDatabase(true), version);
    },
    remove: (stack, { data }) => world.remove(stack, data),
    cancelUpdate: async (stack, version) => {
      const answer = await world.driver.cancelUpdate(stack, version);
      if (answer.cancelled) stopped.add(stack.id);
      return answer;
    },
  };
  const running = () => world.stacks.filter(({ id }) => !stopped.has(id));
  return {
    driver,
    newStack: () => world.newStack(),
    document: (_stack, hasDatabase) => {
      const document = {};
      models.set(document, serverAndDatabase(hasDatabase));
      return document;
    },
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
    dataIn: (stack) => rowIn(world, stack),
    keptData: async (stack) => (await world.keptOf(stack)).map(({ volume }) => volume),
  };
});
