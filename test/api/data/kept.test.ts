import { describe, expect, it } from 'vitest';
import { useServedAlmanac } from '../served-almanac.ts';
import { DataCaller, local, mysql, redis, withData } from './data-caller.ts';

const almanac = useServedAlmanac();
const data = new DataCaller(almanac);

describe('data that outlives its stack', () => {
  it('stays on the list after the stack is deleted: where it is, since when, and who released it', async () => {
    const { stackId } = await data.created(withData({ rds: mysql, elasticache: redis, storage: local }));
    await data.deleted(stackId);
    const stores = await data.stores(stackId);
    expect(stores.map(({ kind }) => kind).toSorted()).toEqual(['cache', 'database', 'files']);
    for (const store of stores)
      expect(store).toMatchObject({
        state: 'kept',
        protected: false,
        kept: {
          reference: expect.stringMatching(/^snap-/),
          where: expect.stringContaining('snapshot'),
          since: expect.stringMatching(/Z$/),
          until: null,
          restore: `alm data restore --id ${store.id}`,
        },
        ended_at: expect.stringMatching(/Z$/),
        ended_by: 'delete 1',
        released_by: 'root',
      });
    expect((await data.list(`?stack_id=${stackId}`)).body).toHaveLength(3);
  });

  it('is not kept with data=delete, and then nothing is listed unless all states are', async () => {
    const { stackId } = await data.created(withData({ rds: mysql }));
    await data.deleted(stackId, '?servers=replace&data=delete');
    expect((await data.list(`?stack_id=${stackId}`)).body).toEqual([]);
    const stores = await data.stores(stackId);
    expect(stores).toMatchObject([{ state: 'gone', kept: null, released_by: 'root' }]);
  });
});

describe('DELETE /v3/alm/data/{data_id}', () => {
  it('takes kept data off the list, deletes nothing, says where it still is, and leaves an event', async () => {
    const { stackId, id } = await data.keptDatabase();
    const answer = await data.forget(id);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ id, state: 'forgotten', kept: { reference: expect.any(String) } });
    expect((await data.list(`?stack_id=${stackId}&kind=database`)).body).toEqual([]);
    expect((await data.show(id)).body).toEqual(answer.body);
    const events = await data.call('GET', `/v3/alm/stack/${stackId}/events`);
    expect(events.text).toContain(`root asked to forget ${id}. It is not deleted`);
  });

  it('works for data of a deleted stack', async () => {
    const { stackId, id } = await data.keptDatabase();
    await data.deleted(stackId);
    expect((await data.forget(id)).body.state).toBe('forgotten');
  });

  it('is refused for a store in use and for one that is forgotten, and changes nothing', async () => {
    const { stackId } = await data.created(withData({ rds: mysql }));
    const [store] = await data.stores(stackId);
    const refused = await data.forget(String(store?.id));
    expect(refused.status).toBe(409);
    expect(refused.body.message).toContain('it is in use');
    expect(await data.stores(stackId)).toEqual([store]);
    const { id } = await data.keptDatabase();
    await data.forget(id);
    expect((await data.forget(id)).body.message).toContain('it is forgotten');
  });
});

describe('POST /v3/alm/data/{data_id}/restore', () => {
  it('gives the stack its database back, with the data, and the list says what it was made from', async () => {
    const { stackId, id, content } = await data.keptDatabase();
    const answer = await data.restore(id);
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({ stack_id: stackId, stack_status: 'UPDATE_IN_PROGRESS' });
    await almanac.waitFor(stackId, 'UPDATE_COMPLETE');
    expect(await data.contents(stackId, 'DatabaseInstance')).toEqual([content]);
    const stores = await data.stores(stackId);
    expect(stores).toHaveLength(2);
    expect(stores.find(({ state }) => state === 'in_use')).toMatchObject({ restored_from: id });
    expect(stores.find(({ state }) => state === 'kept')?.id).toBe(id);
  });

  it('restores once for one idempotency key', async () => {
    const { stackId, id } = await data.keptDatabase();
    const request = { headers: { 'Idempotency-Key': `restore-${id}` } };
    const first = await data.restore(id, request);
    await almanac.waitFor(stackId, 'UPDATE_COMPLETE');
    const second = await data.restore(id, request);
    expect([first.status, second.status]).toEqual([202, 202]);
    expect(second.body.version_id).toBe(first.body.version_id);
    const other = await data.restore(`${id}x`, request);
    expect(other.status).toBe(409);
  });

  it('is refused for an older version than the current one', async () => {
    const { id } = await data.keptDatabase();
    expect((await data.restore(id, { headers: { 'If-Match': 'older' } })).status).toBe(412);
    expect((await data.show(id)).body.state).toBe('kept');
  });

  it('is refused while a store is in use there, which stays with its data', async () => {
    const { stackId, id } = await data.keptDatabase();
    await data.updated(stackId, withData({ rds: mysql }));
    const before = await data.contents(stackId, 'DatabaseInstance');
    const refused = await data.restore(id);
    expect(refused.status).toBe(409);
    expect(refused.body.message).toContain('is in use');
    expect(await data.contents(stackId, 'DatabaseInstance')).toEqual(before);
  });

  it('is refused for a deleted stack, with the way to restore into another one', async () => {
    const { stackId, id } = await data.keptDatabase();
    await data.deleted(stackId);
    const refused = await data.restore(id);
    expect(refused.status).toBe(409);
    expect(refused.body.description).toContain(`restore_from: ${id}`);
  });

  it('is refused for a store that is not kept', async () => {
    const { stackId } = await data.created(withData({ rds: mysql }));
    const [store] = await data.stores(stackId);
    expect((await data.restore(String(store?.id))).status).toBe(409);
  });
});
