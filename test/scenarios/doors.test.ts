import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cancelUpdate } from '../../src/operations/stacks/change/cancel-update.ts';
import { deleteStack } from '../../src/operations/stacks/change/delete-stack.ts';
import { rollBack } from '../../src/operations/stacks/change/roll-back.ts';
import { readEvents } from '../../src/operations/stacks/read/describe-stack.ts';
import { previewUpdate } from '../../src/operations/stacks/read/preview-template.ts';
import type { DataWord } from '../../src/operations/stacks/submit/guard-data.ts';
import { storesOfStack } from '../../src/store/data/stores.ts';
import { findVersion } from '../../src/store/stacks/versions.ts';
import { contentOf } from '../../src/vendors/sandbox/data.ts';
import { resourcesAt } from '../../src/vendors/sandbox/timeline.ts';
import { oneServer, World, written } from '../world.ts';

/** Ways on which data was lost once. Each of these tests failed before there was a ledger. */

let world: World;
beforeEach(async () => {
  world = await World.open();
});
afterEach(async () => {
  expect(world.errors).toEqual([]);
  await world.close();
});

interface Parts {
  servers?: number;
  rds?: object;
  container?: object;
  provision?: object;
}

const template = ({ servers = 1, rds, container, provision = {} }: Parts = {}) => {
  const { configurations, ...rest } = oneServer(servers);
  const [layer] = configurations;
  const whole = { ...layer?.provision, ...(rds ? { rds } : {}), ...provision };
  return { ...rest, configurations: [{ ...layer, provision: whole, ...(container ? { container } : {}) }] };
};

const rds = { engine: 'mysql', storage: 20 };
const local = { container_image: 'shop/web', container_storage: { type: 'local' } };

const update = (stackId: string, document: object, word: DataWord = {}) =>
  world.update(stackId, document, word);
const cancel = (stackId: string, word: DataWord = {}) =>
  cancelUpdate(world.service, world.actor, { stackId, conditions: { fingerprint: '', ...word } });
const versionOf = async (stackId: string) => (await world.describe(stackId)).versionId;
const messagesOf = async (stackId: string) =>
  (await readEvents(world.service, world.actor, { stackId, language: 'v3', after: 0, limit: 1000 })).map(
    ({ message }) => message,
  );

const settled = async (document: object): Promise<string> => {
  const stackId = await world.create(document);
  await world.settle();
  return stackId;
};

/** What the simulated cloud really has, whatever Almanac believes. */
async function inCloud(stackId: string, type: string) {
  const { account_id: account, credential_id: credential } = await world.row(stackId);
  const { stack } = await world.cloud.read(`${account}/${credential}`, stackId);
  const resources = stack ? resourcesAt(stack, world.clock.now()) : [];
  return resources.filter((resource) => resource.type === type);
}

const contentIn = async (stackId: string, type: string) => (await inCloud(stackId, type)).map(contentOf);
const storesIn = async (stackId: string, kind: string) =>
  (await storesOfStack(world.database.query, stackId)).filter((row) => row.kind === kind);

/** The vendor completes the version that adds a database while a newer one already waits. */
async function completedInPassing(more: object = {}) {
  const stackId = await settled(template());
  const first = await versionOf(stackId);
  const { versionId: second } = await update(stackId, template({ rds: { ...rds, ...more } }));
  await world.worker('one').runDue();
  await update(stackId, template({ rds: { ...rds, ...more }, servers: 2 }));
  while ((await world.row(stackId)).settled_version === first) await world.advance(0.5);
  const [content] = await contentIn(stackId, 'DatabaseInstance');
  return { stackId, first, second, content };
}

describe.each([
  ['a database', {}],
  ['a protected database', { deletion_protection: true }],
])('door 1: %s that an update added and the vendor completed while a newer update waited', (_, more) => {
  it('is still there after the newer update is cancelled, because the stack was complete with it', async () => {
    const { stackId, second, content } = await completedInPassing(more);
    expect(await cancel(stackId)).toMatchObject({ versionId: second });
    await world.settle();
    expect(await world.describe(stackId)).toMatchObject({ status: 'UPDATE_COMPLETE', versionId: second });
    expect(await contentIn(stackId, 'DatabaseInstance')).toEqual([content]);
  });
});

describe('door 1: cancelling an update whose own database is ready', () => {
  it('asks what becomes of it, and keeps it in a snapshot on request', async () => {
    const stackId = await settled(template());
    await update(stackId, template({ rds: { ...rds, replica: 1 } }));
    while (!(await storesIn(stackId, 'database')).some(({ state }) => state === 'in_use'))
      await world.advance(0.5);
    const [content] = await contentIn(stackId, 'DatabaseInstance');
    expect(content).toBe((await storesIn(stackId, 'database'))[0]?.store_id);
    expect((await world.describe(stackId)).status).toBe('UPDATE_IN_PROGRESS');
    await expect(cancel(stackId)).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringMatching(/^The cancellation removes data. DatabaseInstance .* is removed./),
      stores: [{ kind: 'database', confirm: ['data=keep', 'data=delete'] }],
    });
    expect(await contentIn(stackId, 'DatabaseInstance')).toContain(content);
    await cancel(stackId, { data: 'keep' });
    await world.settle();
    expect(await contentIn(stackId, 'DatabaseInstance')).toEqual([]);
    expect(await storesIn(stackId, 'database')).toMatchObject([{ state: 'kept' }]);
  });

  it('is refused for a protected one, whatever the request says', async () => {
    const stackId = await settled(template());
    await update(stackId, template({ rds: { ...rds, replica: 1, deletion_protection: true } }));
    while (!(await storesIn(stackId, 'database')).some(({ state }) => state === 'in_use'))
      await world.advance(0.5);
    await expect(cancel(stackId, { data: 'delete' })).rejects.toMatchObject({
      message: expect.stringContaining('deletion_protection'),
    });
  });
});

describe('door 2: a database completed in passing, after the newer update without it failed at the vendor', () => {
  it('is removed only by an update that says so', async () => {
    const { stackId, content } = await completedInPassing();
    await world.fault({ kind: 'fail_resource', position: 1 }, stackId);
    await update(stackId, template({ servers: 4 }), { data: 'keep', servers: 'replace' });
    await world.settle();
    expect((await world.describe(stackId)).status).toBe('UPDATE_FAILED');
    expect(await contentIn(stackId, 'DatabaseInstance')).toEqual([content]);
    await expect(update(stackId, template({ servers: 5 }), { servers: 'replace' })).rejects.toMatchObject({
      kind: 'conflict',
      stores: [{ kind: 'database' }],
    });
    await update(stackId, template({ servers: 5 }), { data: 'delete', servers: 'replace' });
    await world.settle();
    expect(await contentIn(stackId, 'DatabaseInstance')).toEqual([]);
  });
});

describe('door 3: the disk of a fixed server', () => {
  it.each([
    ['another image', { image: 'ami-0123456789abcdef0' }],
    ['another type', { instance_type: 't2.large' }],
    ['no key pair', { keypair: false }],
  ])('is replaced for %s only with servers=replace, on updates', async (_, provision) => {
    const stackId = await settled(template());
    const [before] = await inCloud(stackId, 'Instance');
    await expect(update(stackId, template({ provision }))).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringMatching(
        /Instance \S+ \(i-\w+\) is replaced by a new one. What is only on its disk is lost./,
      ),
      description: expect.stringContaining('?servers=replace'),
    });
    expect((await inCloud(stackId, 'Instance')).map(({ id }) => id)).toEqual([before?.id]);
    await update(stackId, template({ provision }), { servers: 'replace' });
    await world.settle();
    expect((await inCloud(stackId, 'Instance')).map(({ id }) => id)).not.toEqual([before?.id]);
  });

  it('grows in place, without a question', async () => {
    const stackId = await settled(template({ provision: { volume_size: 30 } }));
    const [before] = await inCloud(stackId, 'Instance');
    await update(stackId, template({ provision: { volume_size: 31 } }));
    await world.settle();
    const [after] = await inCloud(stackId, 'Instance');
    expect(after?.id).toBe(before?.id);
    expect(after?.properties['volume']).toMatchObject({ sizeGib: 31 });
  });

  it('goes with its stack only with servers=replace', async () => {
    const stackId = await settled(template());
    await expect(world.delete(stackId, {})).rejects.toMatchObject({
      message: expect.stringMatching(
        /^The deletion removes data. Instance .*What is only on its disk is lost.$/,
      ),
    });
    await world.delete(stackId, { servers: 'replace' });
  });
});

describe('door 4: persistent files of a fixed server', () => {
  it('are the same after the server was replaced', async () => {
    const stackId = await settled(template({ container: local }));
    const before = await contentIn(stackId, 'Volume');
    const [server] = await inCloud(stackId, 'Instance');
    expect(before).toHaveLength(1);
    const word = { servers: 'replace' } as const;
    await update(stackId, template({ container: local, provision: { instance_type: 't2.large' } }), word);
    await world.settle();
    expect((await inCloud(stackId, 'Instance'))[0]?.id).not.toBe(server?.id);
    expect(await contentIn(stackId, 'Volume')).toEqual(before);
  });

  it('are data: an update that removes them asks', async () => {
    const stackId = await settled(template({ container: local }));
    const next = template({ container: { container_image: 'shop/web' } });
    await expect(update(stackId, next, { servers: 'replace' })).rejects.toMatchObject({
      stores: [{ kind: 'files', confirm: ['data=keep', 'data=delete'] }],
    });
  });
});

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

describe('door 8: preview, refusal, answer and event', () => {
  it('say the same sentence about the same store', async () => {
    const stackId = await settled(template({ rds }));
    const preview = await previewUpdate(world.service, world.actor, {
      stackId,
      template: written(template()),
    });
    const [store] = preview.data;
    const sentence = store?.sentence ?? '';
    expect(sentence).toMatch(
      /^DatabaseInstance DatabaseInstanceweb0 \(db-\w+\) is removed. Its data is kept: /,
    );
    expect(preview.warnings).toContain(sentence);
    await expect(update(stackId, template())).rejects.toMatchObject({
      message: `The update removes data. ${sentence}`,
      stores: [{ sentence }],
    });
    await update(stackId, template(), { data: 'keep' });
    expect(await messagesOf(stackId)).toContain(sentence);
  });
});

describe('door 9: the advice of a refusal where the vendor keeps nothing', () => {
  beforeEach(() => {
    Object.assign(world.service.vendors.get('sandbox') ?? {}, { keptAs: () => '' });
  });

  it('never offers data=keep, and what it offers works', async () => {
    const stackId = await settled(template({ rds }));
    for (const word of [{}, { data: 'keep' } as const])
      await expect(update(stackId, template(), word)).rejects.toMatchObject({
        message: expect.stringContaining('Its data is lost: this vendor cannot keep it.'),
        description: expect.not.stringContaining('data=keep'),
        stores: [{ confirm: ['data=delete'] }],
      });
    await update(stackId, template(), { data: 'delete' });
    await world.settle();
    expect((await world.describe(stackId)).status).toBe('UPDATE_COMPLETE');
    expect(await inCloud(stackId, 'DatabaseInstance')).toEqual([]);
  });
});

describe('events', () => {
  it('carry the version that the vendor worked on, not the newest wish', async () => {
    const stackId = await settled(template());
    const { versionId: second } = await update(stackId, template({ servers: 3 }));
    await world.worker('one').runDue();
    const { versionId: third } = await update(stackId, template({ servers: 4 }));
    await world.settle();
    const events = await world.database.query
      .selectFrom('events')
      .selectAll()
      .where('stack_id', '=', stackId)
      .where('kind', '=', 'resource')
      .execute();
    const made = (name: string) =>
      events.find(({ resource, status }) => resource === name && status === 'CREATE_COMPLETE');
    expect(made('Instanceweb0-2')?.version_id).toBe(second);
    expect(made('Instanceweb0-3')?.version_id).toBe(third);
  });
});

describe('releases per store', () => {
  it('keep one and delete another', async () => {
    const { configurations, ...rest } = template({ rds });
    const cache = { engine: 'redis', node_type: 'cache.t2.micro' };
    const [layer] = configurations;
    const both = {
      ...rest,
      configurations: [{ ...layer, provision: { ...layer?.provision, elasticache: cache } }],
    };
    const stackId = await settled(both);
    await update(stackId, template(), { data: { DatabaseInstanceweb0: 'keep', CacheClusterweb0: 'delete' } });
    await world.settle();
    expect(await storesIn(stackId, 'database')).toMatchObject([{ state: 'kept' }]);
    expect(await storesIn(stackId, 'cache')).toMatchObject([{ state: 'gone' }]);
  });
});
