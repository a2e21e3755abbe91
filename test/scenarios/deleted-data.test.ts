import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deleteStack } from '../../src/operations/stacks/change/delete-stack.ts';
import { oneServer, World } from '../world.ts';

let world: World;
beforeEach(async () => {
  world = await World.open();
});
afterEach(async () => {
  expect(world.errors).toEqual([]);
  await world.close();
});

const template = () => {
  const { configurations, ...rest } = oneServer(1);
  const [layer] = configurations;
  const provision = { ...layer?.provision, rds: { engine: 'mysql', storage: 20 } };
  return { ...rest, configurations: [{ ...layer, provision }] };
};

const settledStack = async () => {
  const stackId = await world.create(template());
  await world.settle();
  return { stackId };
};

describe('deleting a stack with data', () => {
  it('leaves a snapshot, and says so in the answer, the status and the events', async () => {
    const { stackId } = await settledStack();
    const { data } = await world.delete(stackId);
    const sentence = /^DatabaseInstance \S+ \(db-\w+\) is removed. Its data is kept: .*snapshot/;
    expect(data.find(({ kind }) => kind === 'database')).toMatchObject({
      resourceType: 'DatabaseInstance',
      keptAs: expect.stringContaining('snapshot'),
      sentence: expect.stringMatching(sentence),
    });
    expect((await world.row(stackId)).status_reason).toMatch(sentence);
    await world.advance(1);
    expect((await world.row(stackId)).status_reason).toMatch(sentence);
    await world.settle();
    expect(await world.row(stackId)).toMatchObject({ status: 'DELETE_COMPLETE' });
    const { query } = world.database;
    const events = await query
      .selectFrom('events')
      .select('message')
      .where('stack_id', '=', stackId)
      .orderBy('number')
      .execute();
    const messages = events.map(({ message }) => message);
    expect(messages.filter((message) => message.includes('kept in snapshot'))).toHaveLength(1);
    expect(messages).toContainEqual(
      expect.stringMatching(
        /^All resources are deleted. DatabaseInstance \S+ \S+ is removed. Its data is kept/,
      ),
    );
    expect(messages).toContainEqual(
      expect.stringMatching(/^The data of DatabaseInstance .* is kept as data-/),
    );
  });

  it('leaves nothing with data=delete', async () => {
    const { stackId } = await settledStack();
    const conditions = { fingerprint: '', data: 'delete', servers: 'replace' } as const;
    await deleteStack(world.service, world.actor, { stackId, language: 'v3', conditions });
    await world.settle();
    const { query } = world.database;
    const events = await query
      .selectFrom('events')
      .select('message')
      .where('stack_id', '=', stackId)
      .orderBy('number')
      .execute();
    expect(events.filter(({ message }) => message.includes('kept in snapshot'))).toEqual([]);
    expect(events.at(-1)?.message).toMatch(/DatabaseInstance \S+ \S+ is removed. Its data is deleted/);
  });

  it('cannot change its mind while it is in progress', async () => {
    const { stackId } = await settledStack();
    await world.delete(stackId);
    const again = (data: 'keep' | 'delete') =>
      deleteStack(world.service, world.actor, {
        stackId,
        language: 'v3',
        conditions: { fingerprint: '', data },
      });
    await expect(again('delete')).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringContaining('already being deleted with data=keep'),
    });
    await expect(again('keep')).resolves.toMatchObject({ stackId });
    await expect(world.delete(stackId)).resolves.toMatchObject({ stackId });
  });
});
