import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/store/database/database.ts';
import { deleteExpiredPemLinks, insertPemLink, takePemLinkRead } from '../../../src/store/ssh/pem-links.ts';
import { findAgent, saveAgent } from '../../../src/store/stacks/agents.ts';
import { listContainers, saveContainers } from '../../../src/store/stacks/containers.ts';
import {
  bumpLayers,
  changeLayerRevision,
  insertLayerRevision,
  readLayerRevision,
} from '../../../src/store/stacks/layer-revisions.ts';
import {
  deleteReplacements,
  listReplacements,
  markForReplacement,
  markReplacementsRequested,
} from '../../../src/store/stacks/replacements.ts';
import { openTestDatabase } from '../../open-database.ts';
import { insertAccounts, makeStack } from './make-stack.ts';

let database: Database;
beforeEach(async () => {
  database = await openTestDatabase();
  await insertAccounts(database.query, 'account1', 'account2');
  await makeStack(database.query, { id: 'one' });
  await makeStack(database.query, { id: 'two' });
  await makeStack(database.query, { id: 'foreign', account_id: 'account2' });
});
afterEach(() => database.close());

const container = (changes: object = {}) => ({
  stack_id: 'one',
  container_id: 'c1',
  account_id: 'account1',
  agent_id: 'a1',
  instance_id: 'i1',
  status: 'running',
  updated_at: 1000,
  ...changes,
});

describe('agents', () => {
  it('have one row per stack with their last report', async () => {
    const row = {
      stack_id: 'one',
      agent_id: 'a1',
      instance_id: 'i1',
      status: 'starting',
      message: '',
      updated_at: 1,
      app_digest: '',
      sends_logs: 0,
    };
    await saveAgent(database.query, row);
    await saveAgent(database.query, { ...row, stack_id: 'two' });
    await saveAgent(database.query, { ...row, status: 'error', message: 'no disk', updated_at: 2 });
    expect(await findAgent(database.query, 'one', 'a1')).toMatchObject({
      status: 'error',
      message: 'no disk',
      updated_at: 2,
    });
    expect(await findAgent(database.query, 'two', 'a1')).toMatchObject({ status: 'starting' });
    expect(await findAgent(database.query, 'one', 'a2')).toBeUndefined();
  });
});

describe('containers', () => {
  const found = async (filter: Parameters<typeof listContainers>[2], account = 'account1') =>
    (await listContainers(database.query, account, filter)).map((row) => `${row.stack_id}/${row.status}`);

  it('are found by id, stack or instance, latest report first, and only by their own account', async () => {
    await saveContainers(database.query, [container()]);
    await saveContainers(database.query, [
      container({ stack_id: 'two', status: 'complete', updated_at: 3000 }),
    ]);
    await saveContainers(database.query, [container({ status: 'restarting', updated_at: 2000 })]);
    await saveContainers(database.query, [container({ container_id: 'c2', instance_id: 'i2' })]);
    expect(await found({ containerId: 'c1' })).toEqual(['two/complete', 'one/restarting']);
    expect(await found({ stackId: 'one' })).toEqual(['one/restarting', 'one/running']);
    expect(await found({ instanceId: 'i2' })).toEqual(['one/running']);
    expect(await found({ containerId: 'c1' }, 'account2')).toEqual([]);
  });

  it('of a deleted stack are not listed', async () => {
    await saveContainers(database.query, [container()]);
    await database.query.updateTable('stacks').set({ deleted_at: 5 }).where('id', '=', 'one').execute();
    expect(await found({ containerId: 'c1' })).toEqual([]);
  });
});

describe('replacements', () => {
  it('are marked once, then marked as requested, then deleted', async () => {
    expect(await markForReplacement(database.query, { stackId: 'one', instanceId: 'i1', now: 10 })).toBe(
      true,
    );
    expect(await markForReplacement(database.query, { stackId: 'one', instanceId: 'i1', now: 20 })).toBe(
      false,
    );
    expect(await markForReplacement(database.query, { stackId: 'two', instanceId: 'i1', now: 20 })).toBe(
      true,
    );
    await markReplacementsRequested(database.query, { stackId: 'one', instanceIds: ['i1'], now: 30 });
    expect(await listReplacements(database.query, 'one')).toEqual([
      { stack_id: 'one', instance_id: 'i1', noticed_at: 10, asked_at: 30 },
    ]);
    expect(await listReplacements(database.query, 'two')).toMatchObject([{ asked_at: null }]);
    await deleteReplacements(database.query, 'one', ['i1']);
    expect(await listReplacements(database.query, 'one')).toEqual([]);
    expect(await listReplacements(database.query, 'two')).toHaveLength(1);
  });
});

describe('layer revisions', () => {
  const read = (flag: string, stackId = 'one') => readLayerRevision(database.query, stackId, flag);

  it('follow the clock, and increase by one if the clock did not advance', async () => {
    await insertLayerRevision(database.query, { stackId: 'one', flag: 'web', digest: 'x' }, 100_500);
    expect(await read('web')).toBe(100);
    await changeLayerRevision(database.query, { stackId: 'one', flag: 'web', digest: 'y' }, 100_900);
    expect(await read('web')).toBe(101);
    await bumpLayers(database.query, 'one', 50_000);
    expect(await read('web')).toBe(102);
    await bumpLayers(database.query, 'one', 900_000);
    expect(await read('web')).toBe(900);
  });

  it('increase for one layer or for all layers of one stack', async () => {
    for (const stackId of ['one', 'two'])
      for (const flag of ['web', 'api'])
        await insertLayerRevision(database.query, { stackId, flag, digest: 'x' }, 1000);
    await changeLayerRevision(database.query, { stackId: 'one', flag: 'web', digest: 'y' }, 5000);
    expect([await read('web'), await read('api')]).toEqual([5, 1]);
    await bumpLayers(database.query, 'one', 9000);
    expect([await read('web'), await read('api'), await read('api', 'two')]).toEqual([9, 9, 1]);
  });
});

describe('links to keys', () => {
  const link = {
    hash: 'h',
    stack_id: 'one',
    flag: 'web',
    expires_at: 1000,
    reads_left: 2,
    created_by: 'user ann',
  };

  it('can be read a limited number of times until they expire, also concurrently', async () => {
    await insertPemLink(database.query, { ...link, reads_left: 5 });
    const reads = await Promise.all(
      Array.from({ length: 9 }, () => takePemLinkRead(database.query, 'h', 500)),
    );
    expect(reads.filter(Boolean)).toHaveLength(5);
    await insertPemLink(database.query, { ...link, hash: 'late' });
    expect(await takePemLinkRead(database.query, 'late', 999)).toMatchObject({ flag: 'web', reads_left: 1 });
    expect(await takePemLinkRead(database.query, 'late', 1000)).toBeUndefined();
    expect(await takePemLinkRead(database.query, 'unknown', 1)).toBeUndefined();
  });

  it('are deleted after they expire', async () => {
    await insertPemLink(database.query, link);
    await insertPemLink(database.query, { ...link, hash: 'later', expires_at: 2000 });
    await deleteExpiredPemLinks(database.query, 1000);
    const left = await database.query.selectFrom('pem_links').select('hash').execute();
    expect(left).toEqual([{ hash: 'later' }]);
  });
});
