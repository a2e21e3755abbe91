import { expect, it } from 'vitest';
import { DataCaller, local, mysql, redis, withData } from '../data/data-caller.ts';
import { type Json, useServedAlmanac } from '../served-almanac.ts';

const almanac = useServedAlmanac();
const data = new DataCaller(almanac);

/** The newest entry of a route about a resource. */
const entryOf = async (route: string, resource: string): Promise<Json | undefined> =>
  (await data.call<Json[]>('GET', '/v3/audit?limit=1000')).body.find(
    (entry) => entry.route === route && entry.resource === resource,
  );
const onStack = (route: string, stackId: string) => entryOf(route, `mrn:alm:stack:${stackId}`);

it('the audit entry of an update names each store that the request released, and the choice', async () => {
  const { stackId } = await data.created(withData({ rds: mysql, elasticache: redis }));
  const stores = await data.stores(stackId);
  const find = (kind: string) => {
    const { id, store_id, resource } = stores.find((store) => store.kind === kind) ?? {};
    return { id: String(id), store_id: String(store_id), resource: String(resource) };
  };
  const [database, cache] = [find('database'), find('cache')];
  await data.updated(stackId, withData(), `?data=${database.id}:keep,${cache.resource}:delete`);
  const detail = String((await onStack('v3UpdateTemplate', stackId))?.detail);
  expect(detail).toMatch(/^released data: /);
  expect(detail).toContain(`${database.id} (${database.store_id}) keep`);
  expect(detail).toContain(`${cache.id} (${cache.store_id}) delete`);
});

it('the audit entry of a refused request, and of one that releases nothing, names no store', async () => {
  const { stackId } = await data.created(withData({ rds: mysql }));
  expect((await data.update(stackId, withData())).status).toBe(409);
  expect(await onStack('v3UpdateTemplate', stackId)).toMatchObject({ status: 409 });
  expect(await onStack('v3UpdateTemplate', stackId)).not.toHaveProperty('detail');
  await data.updated(stackId, { ...withData({ rds: mysql }), description: 'other' }, '?data=delete');
  expect(await onStack('v3UpdateTemplate', stackId)).toMatchObject({ status: 202 });
  expect(await onStack('v3UpdateTemplate', stackId)).not.toHaveProperty('detail');
});

it('the audit entry of a deletion names databases, files and disks', async () => {
  const { stackId } = await data.created(withData({ rds: mysql, storage: local }));
  const stores = (await data.list(`?stack_id=${stackId}`)).body;
  await data.deleted(stackId);
  const detail = String((await onStack('v3DeleteStack', stackId))?.detail);
  expect(stores).toHaveLength(3);
  for (const { id, kind } of stores)
    expect(detail).toMatch(new RegExp(`${String(id)} \\(\\S+\\) ${kind === 'disk' ? 'delete' : 'keep'}`));
});

it('the audit entries of forgetting and restoring kept data name it', async () => {
  const { id } = await data.keptDatabase();
  await data.restore(id);
  await data.forget(id);
  for (const route of ['v3RestoreData', 'v3ForgetData'])
    expect(await entryOf(route, `mrn:alm:data:${id}`)).toMatchObject({ decision: 'allowed', actor: 'root' });
});
