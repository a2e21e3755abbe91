import { describe, expect, it } from 'vitest';
import { type Json, useServedAlmanac } from '../served-almanac.ts';
import { DataCaller, local, mysql, redis, withData } from './data-caller.ts';

const almanac = useServedAlmanac();
const data = new DataCaller(almanac);

/** A complete stack with three stores, by kind. */
const created = async () => {
  const { stackId } = await data.created(withData({ rds: mysql, elasticache: redis, storage: local }));
  const stores = await data.stores(stackId);
  const of = (kind: string): Json => stores.find((store) => store.kind === kind) ?? {};
  return { stackId, database: of('database'), cache: of('cache'), files: of('files') };
};
const statesOf = async (stackId: string) =>
  Object.fromEntries((await data.stores(stackId)).map(({ kind, state }) => [kind, state]));

describe('an update that removes several stores', () => {
  it('is refused with one sentence and one entry for each, and nothing changes', async () => {
    const { stackId, database, cache, files } = await created();
    const refused = await data.update(stackId, withData());
    expect(refused.status).toBe(409);
    const stores = refused.body.stores as Json[];
    expect(stores.map(({ id }) => id).toSorted()).toEqual([database.id, cache.id, files.id].toSorted());
    for (const { sentence, confirm, resource, store_id } of stores) {
      expect(confirm).toEqual(['data=keep', 'data=delete']);
      expect(sentence).toContain(`${String(resource)} (${String(store_id)}) is removed.`);
      expect(refused.body.message).toContain(sentence);
    }
    expect(await statesOf(stackId)).toEqual({ database: 'in_use', cache: 'in_use', files: 'in_use' });
  });

  it('keeps and deletes each as its own word says: by id, by id at the vendor, by resource', async () => {
    const { stackId, database, cache, files } = await created();
    const words = `${database.id}:keep,${cache.store_id}:delete,${files.resource}:keep`;
    await data.updated(stackId, withData(), `?data=${words}`);
    expect(await statesOf(stackId)).toEqual({ database: 'kept', cache: 'gone', files: 'kept' });
  });

  it('asks about those alone that have no word', async () => {
    const { stackId, database, files } = await created();
    const refused = await data.update(stackId, withData(), `?data=${database.id}:delete,unknown:delete`);
    expect(refused.status).toBe(409);
    expect((refused.body.stores as Json[]).map(({ kind }) => kind).toSorted()).toEqual(['cache', 'files']);
    expect((refused.body.stores as Json[]).map(({ id }) => id)).toContain(files.id);
    expect(await statesOf(stackId)).toEqual({ database: 'in_use', cache: 'in_use', files: 'in_use' });
  });

  it.each(['a:drop', 'a:keep,', ':keep', 'a:keep,b', 'a:b:keep', 'keep,delete'])(
    'rejects data=%s: 400',
    async (word) => {
      const answer = await data.update('mo-none', withData(), `?data=${word}`);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ problems: [{ path: 'data' }] });
    },
  );
});

describe('a deletion', () => {
  it('deletes the stores whose word says so, and keeps the others', async () => {
    const { stackId, cache } = await created();
    await data.deleted(stackId, `?servers=replace&data=${cache.id}:delete`);
    expect(await statesOf(stackId)).toEqual({ database: 'kept', cache: 'gone', files: 'kept' });
  });

  it('in progress can be repeated with the same words, and not with others', async () => {
    const { stackId, cache, database } = await created();
    const fault = { kind: 'unreachable', seconds: 600, stack_id: stackId };
    await data.call('POST', '/v3/sandbox/fault', { json: fault });
    const query = `?servers=replace&data=${cache.id}:delete`;
    const first = await data.delete(stackId, query);
    expect(first.status).toBe(200);
    expect((await data.delete(stackId, query)).body).toEqual(first.body);
    expect((await data.delete(stackId)).body).toEqual(first.body);
    for (const other of [`${cache.id}:keep`, `${database.id}:delete`, 'delete', 'keep'])
      expect((await data.delete(stackId, `?data=${other}`)).status).toBe(409);
    await data.call('POST', '/v3/sandbox/fault', { json: { kind: 'clear', stack_id: stackId } });
    await almanac.waitFor(stackId, 'DELETE_COMPLETE');
    expect(await statesOf(stackId)).toEqual({ database: 'kept', cache: 'gone', files: 'kept' });
  });
});

describe('GET /v3/alm/stack/{stack_id}/deletion', () => {
  const preview = (stackId: string, query = '') =>
    data.call('GET', `/v3/alm/stack/${stackId}/deletion${query}`);

  it('says of each store what becomes of it and what to confirm, and changes nothing', async () => {
    const { stackId, cache } = await created();
    const { status, body } = await preview(stackId);
    expect(status).toBe(200);
    expect(body.stack_id).toBe(stackId);
    const stores = body.data as Json[];
    expect(stores.map(({ kind }) => kind).toSorted()).toEqual(['cache', 'database', 'disk', 'files']);
    for (const { kind, confirm, action } of stores) {
      expect(action).toBe('remove');
      expect(confirm).toEqual(kind === 'disk' ? ['servers=replace'] : ['data=keep', 'data=delete']);
    }
    expect(stores.find(({ id }) => id === cache.id)?.sentence).toContain('Its data is kept: ');
    expect(await statesOf(stackId)).toEqual({ database: 'in_use', cache: 'in_use', files: 'in_use' });
    expect((await almanac.describe(stackId)).stack_status).toBe('CREATE_COMPLETE');
  });

  it('has the sentences that the deletion with the same words replies with', async () => {
    const { stackId, cache } = await created();
    const query = `?data=${cache.id}:delete`;
    const stores = (await preview(stackId, query)).body.data as Json[];
    expect(stores.find(({ id }) => id === cache.id)?.sentence).toContain('Its data is deleted.');
    const deleted = await data.delete(stackId, `${query}&servers=replace`);
    const sentencesOf = (list: readonly Json[]) => list.map(({ id, sentence }) => [id, sentence]);
    expect(sentencesOf(deleted.body.data as Json[])).toEqual(sentencesOf(stores));
  });

  it('rejects another value of data, and does not find an unknown stack', async () => {
    const { stackId } = await created();
    expect((await preview(stackId, '?data=drop')).status).toBe(400);
    expect((await preview('mo-none')).status).toBe(404);
  });
});
