import { describe, expect, it } from 'vitest';
import { deleteStack } from '../../../src/operations/stacks/change/delete-stack.ts';
import { rollBack } from '../../../src/operations/stacks/change/roll-back.ts';
import { findVersion } from '../../../src/store/stacks/versions.ts';
import {
  contentIn,
  inCloud,
  messagesOf,
  rds,
  settled,
  storesIn,
  template,
  update,
  useLives,
  versionOf,
  world,
} from './lives.ts';

useLives();

describe('door 5: a rollback after a removal', () => {
  it('asks, restores the data on request, and the restored store is the same data', async () => {
    const stackId = await settled(template({ rds }));
    const first = await versionOf(stackId);
    const [content] = await contentIn(stackId, 'DatabaseInstance');
    await update(stackId, template(), { data: 'keep' });
    await world.settle();
    const back = { stackId, versionId: first };
    await expect(rollBack(world.service, world.actor, back)).rejects.toMatchObject({
      message: expect.stringMatching(
        /DatabaseInstanceweb0 is made new and empty. Its last data is kept as data-/,
      ),
    });
    await rollBack(world.service, world.actor, { ...back, restore: 'latest' });
    await world.settle();
    expect(await contentIn(stackId, 'DatabaseInstance')).toEqual([content]);
    expect((await storesIn(stackId, 'database')).at(-1)).toMatchObject({
      state: 'in_use',
      restored_from: (await storesIn(stackId, 'database'))[0]?.id,
    });
  });

  it('makes an empty one only if the request says so, and the events say it too', async () => {
    const stackId = await settled(template({ rds }));
    const first = await versionOf(stackId);
    const [content] = await contentIn(stackId, 'DatabaseInstance');
    await update(stackId, template(), { data: 'keep' });
    await world.settle();
    await rollBack(world.service, world.actor, { stackId, versionId: first, restore: 'empty' });
    await world.settle();
    expect(await contentIn(stackId, 'DatabaseInstance')).not.toEqual([content]);
    expect(await messagesOf(stackId)).toContainEqual(expect.stringContaining('is made new and empty'));
  });
});

describe('door 6: a rollback past a grown or upgraded database', () => {
  it('keeps the storage and the version, says so, and does the rest', async () => {
    const stackId = await settled(template({ rds: { ...rds, version: '8.0' } }));
    const first = await versionOf(stackId);
    const [content] = await contentIn(stackId, 'DatabaseInstance');
    const grown = { ...rds, storage: 40, version: '8.4' };
    await update(stackId, template({ rds: grown, servers: 2 }));
    await world.settle();
    const word = { conditions: { fingerprint: '', servers: 'replace' } } as const;
    const { versionId } = await rollBack(world.service, world.actor, { stackId, versionId: first, ...word });
    await world.settle();
    const [database] = await inCloud(stackId, 'DatabaseInstance');
    expect(database?.properties).toMatchObject({ storageGib: 40, engineVersion: '8.4' });
    expect(await contentIn(stackId, 'DatabaseInstance')).toEqual([content]);
    expect(await inCloud(stackId, 'Instance')).toHaveLength(1);
    expect(await messagesOf(stackId)).toContain(
      'Database web0 keeps its storage of 40 GiB and its version 8.4: it cannot go back.',
    );
    const version = await findVersion(world.database.query, stackId, versionId);
    expect(version?.document).toMatchObject({
      configurations: [{ provision: { rds: { storage: 40, version: '8.4' } } }],
    });
  });
});

describe('door 7: deleting a stack whose creation failed before its database existed', () => {
  it('promises nothing that is kept', async () => {
    await world.fault({ kind: 'fail_resource', position: 1 });
    const stackId = await settled(template({ rds }));
    expect((await world.describe(stackId)).status).toBe('CREATE_FAILED');
    const { data } = await deleteStack(world.service, world.actor, { stackId, language: 'v3' });
    expect(data).toEqual([]);
    await world.settle();
    expect((await world.row(stackId)).status_reason).not.toMatch(/snapshot|kept/);
    expect(await storesIn(stackId, 'database')).toEqual([]);
  });
});
