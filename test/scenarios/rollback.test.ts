import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cancelUpdate } from '../../src/operations/stacks/change/cancel-update.ts';
import { rollBack } from '../../src/operations/stacks/change/roll-back.ts';
import { readEvents } from '../../src/operations/stacks/read/describe-stack.ts';
import { listLayerRevisions } from '../../src/store/stacks/layer-revisions.ts';
import { readVersionSecrets } from '../../src/store/stacks/versions.ts';
import { oneServer, World } from '../world.ts';

let world: World;
beforeEach(async () => {
  world = await World.open();
});
afterEach(async () => {
  expect(world.errors).toEqual([]);
  await world.close();
});

const running = async (stackId: string): Promise<number> =>
  (await world.describe(stackId)).view.instances.filter((server) => server.state === 'running').length;
const versionOf = async (stackId: string): Promise<string> => (await world.describe(stackId)).versionId;
const cancel = (stackId: string) => cancelUpdate(world.service, world.actor, { stackId });
const replace = { fingerprint: '', servers: 'replace' } as const;
const goBackTo = (stackId: string, version: string) =>
  rollBack(world.service, world.actor, { stackId, versionId: version, conditions: replace });

const settledStack = async (servers = 1): Promise<{ stack: string; first: string }> => {
  const stack = await world.create(oneServer(servers));
  await world.settle();
  return { stack, first: await versionOf(stack) };
};

const messages = async (stackId: string): Promise<string[]> =>
  (await readEvents(world.service, world.actor, { stackId, language: 'v3', after: 0, limit: 1000 })).map(
    (event) => event.message,
  );

const withPassword = (password: string, servers = 1) => {
  const template = oneServer(servers);
  const container = {
    container_image: 'shop/web',
    container_registry_username: 'shop',
    container_registry_password: password,
  };
  return { ...template, configurations: [{ ...template.configurations[0], container }] };
};

describe('roll back', () => {
  it('applies the older template as a new version, and the servers follow', async () => {
    const { stack, first } = await settledStack(1);
    await world.update(stack, oneServer(3));
    await world.settle();
    expect(await running(stack)).toBe(3);
    const { versionId } = await goBackTo(stack, first);
    expect(versionId).not.toBe(first);
    expect(await world.describe(stack)).toMatchObject({ status: 'UPDATE_IN_PROGRESS', versionId });
    await world.settle();
    expect(await world.describe(stack)).toMatchObject({ status: 'UPDATE_COMPLETE', versionId });
    expect(await running(stack)).toBe(1);
    expect(await messages(stack)).toContain(`root asked to roll back to version ${first}.`);
  });

  it('copies the secrets of the older version, still sealed', async () => {
    const stack = await world.create(withPassword('first-password'));
    const first = await versionOf(stack);
    await world.update(stack, withPassword('second-password'));
    const { versionId } = await goBackTo(stack, first);
    const [old, now] = await Promise.all(
      [first, versionId].map((version) => readVersionSecrets(world.database.query, version)),
    );
    expect([...(now?.keys() ?? [])]).toEqual(['web0/registry_password']);
    expect(now).toEqual(old);
    await expect(world.update(stack, withPassword('${sealed}', 2))).resolves.toBeDefined();
  });

  it('uses the vendor document compiled at that time, not a new compilation', async () => {
    const { stack, first } = await settledStack();
    const compiledThen = { region: 'ap-northeast-1', resources: [], outputs: [] };
    await world.database.query
      .updateTable('versions')
      .set({ vendor_document: JSON.stringify(compiledThen) })
      .where('id', '=', first)
      .execute();
    const { versionId } = await goBackTo(stack, first);
    const row = await world.database.query
      .selectFrom('versions')
      .selectAll()
      .where('id', '=', versionId)
      .executeTakeFirstOrThrow();
    expect(JSON.parse(row.vendor_document)).toEqual(compiledThen);
    expect(row.number).toBe(2);
  });

  it('to an unknown version, or to one of another stack, is not found', async () => {
    const { stack } = await settledStack();
    const other = await settledStack();
    await expect(goBackTo(stack, 'no-such-version')).rejects.toMatchObject({ kind: 'not_found' });
    await expect(goBackTo(stack, other.first)).rejects.toMatchObject({ kind: 'not_found' });
    expect(await world.describe(stack)).toMatchObject({ status: 'CREATE_COMPLETE' });
  });

  it('of a stack that is being deleted is a conflict', async () => {
    const { stack, first } = await settledStack();
    await world.delete(stack);
    await expect(goBackTo(stack, first)).rejects.toMatchObject({ kind: 'conflict' });
  });
});

async function untilRunning(stack: string, servers: number): Promise<void> {
  for (let tries = 0; tries < 60 && (await running(stack)) !== servers; tries += 1) await world.advance(0.1);
  expect(await running(stack)).toBe(servers);
}

describe('cancel', () => {
  it('of an update in progress at the vendor returns to the previous version', async () => {
    const { stack, first } = await settledStack(1);
    await world.update(stack, oneServer(4));
    await world.advance(1);
    expect(await cancel(stack)).toEqual({ stackId: stack, versionId: first });
    expect(await world.describe(stack)).toMatchObject({ status: 'UPDATE_IN_PROGRESS', versionId: first });
    await world.advance(1);
    expect(await world.describe(stack)).toMatchObject({ status: 'UPDATE_IN_PROGRESS' });
    await world.settle();
    expect(await world.describe(stack)).toMatchObject({ status: 'UPDATE_COMPLETE', versionId: first });
    expect(await running(stack)).toBe(1);
    const servers = (await world.inTheCloud())[stack]?.filter((name) => name.startsWith('Instance'));
    expect(servers).toHaveLength(1);
    expect(await messages(stack)).toContain(`root cancelled the update; going back to version ${first}.`);
  });

  it('of an update that was never sent to the vendor changes nothing there', async () => {
    const { stack, first } = await settledStack();
    const before = await world.inTheCloud();
    await world.update(stack, oneServer(4));
    await cancel(stack);
    await world.settle();
    expect(await world.describe(stack)).toMatchObject({ status: 'UPDATE_COMPLETE', versionId: first });
    expect(await world.inTheCloud()).toEqual(before);
  });

  it('requested twice is one cancellation, also after the cancelled version was reached in passing', async () => {
    const { stack, first } = await settledStack();
    await world.update(stack, oneServer(2));
    await world.advance(1);
    await cancel(stack);
    await untilRunning(stack, 2);
    expect(await cancel(stack)).toEqual({ stackId: stack, versionId: first });
    await world.settle();
    expect(await world.describe(stack)).toMatchObject({ status: 'UPDATE_COMPLETE', versionId: first });
    expect(await running(stack)).toBe(1);
    expect((await messages(stack)).filter((message) => /cancelled/.test(message))).toHaveLength(1);
  });

  it('after another cancelled update was reached in passing still returns to the last desired version', async () => {
    const { stack, first } = await settledStack();
    await world.update(stack, oneServer(2));
    await world.advance(1);
    await cancel(stack);
    await untilRunning(stack, 2);
    await world.update(stack, oneServer(3));
    expect(await cancel(stack)).toEqual({ stackId: stack, versionId: first });
    await world.settle();
    expect(await running(stack)).toBe(1);
  });

  it('is followed by an update or a rollback like any other', async () => {
    const { stack } = await settledStack();
    const { versionId: cancelled } = await world.update(stack, oneServer(4));
    await world.advance(1);
    await cancel(stack);
    await world.update(stack, oneServer(2));
    await world.settle();
    expect(await running(stack)).toBe(2);
    await goBackTo(stack, cancelled);
    await world.settle();
    expect(await world.describe(stack)).toMatchObject({ status: 'UPDATE_COMPLETE' });
    expect(await running(stack)).toBe(4);
  });

  it('makes agents deploy the previous container again', async () => {
    const stack = await world.create(withPassword('first-password'));
    await world.settle();
    const revision = async () => (await listLayerRevisions(world.database.query, stack))[0];
    const before = await revision();
    await world.update(stack, withPassword('second-password'));
    const during = await revision();
    await cancel(stack);
    const after = await revision();
    expect(during?.updated).toBeGreaterThan(before?.updated ?? Infinity);
    expect(after?.updated).toBeGreaterThan(during?.updated ?? Infinity);
    expect(after?.digest).toBe(before?.digest);
  });

  it('sends a version to the vendor again even if the vendor refused it before', async () => {
    const { stack, first } = await settledStack();
    await world.database.query
      .updateTable('stacks')
      .set({ refused_wish: first, refused_reason: 'not today' })
      .where('id', '=', stack)
      .execute();
    await world.update(stack, oneServer(3));
    await world.advance(1);
    await cancel(stack);
    await world.settle();
    expect(await world.describe(stack)).toMatchObject({ status: 'UPDATE_COMPLETE', statusReason: '' });
    expect(await running(stack)).toBe(1);
  });

  it('is rejected, with advice, when there is nothing to cancel', async () => {
    const stack = await world.create();
    const refused = (description: RegExp) => ({
      kind: 'conflict',
      description: expect.stringMatching(description),
    });
    await expect(cancel(stack)).rejects.toMatchObject(refused(/Delete it/));
    await world.update(stack, oneServer(2));
    await expect(cancel(stack)).rejects.toMatchObject(refused(/another update.*or delete the stack/));
    await world.settle();
    await expect(cancel(stack)).rejects.toMatchObject(refused(/roll back/));
    await world.delete(stack);
    await expect(cancel(stack)).rejects.toMatchObject({ kind: 'conflict' });
    await world.settle();
    await expect(cancel(stack)).rejects.toMatchObject({ kind: 'not_found' });
  });

  it('is atomic', async () => {
    const { stack } = await settledStack();
    await world.update(stack, oneServer(4));
    const before = await world.row(stack);
    const broken = { ...world.database, transaction: failsAtTheEnd(world) };
    const service = { ...world.service, database: broken };
    await expect(cancelUpdate(service, world.actor, { stackId: stack })).rejects.toThrow('the power failed');
    expect(await world.row(stack)).toEqual(before);
  });
});

/** Does all the work and then loses it, as a crash before the commit would. */
const failsAtTheEnd =
  ({ database }: World): World['database']['transaction'] =>
  (work) =>
    database.transaction(async (query) => {
      await work(query);
      throw new Error('the power failed');
    });
