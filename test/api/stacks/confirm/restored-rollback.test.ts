import { expect, it } from 'vitest';
import { oneServer } from '../../../world.ts';
import { useServedAlmanac } from '../../served-almanac.ts';

const almanac = useServedAlmanac();

const database = { engine: 'mysql', db_instance_type: 'db.t3.small', storage: 20 };
const cache = { engine: 'redis', node_type: 'cache.t3.micro', nodes: 1 };

const template = (stores: object) => {
  const document = oneServer();
  const [web] = document.configurations;
  return { ...document, configurations: [{ ...web, provision: { ...web?.provision, ...stores } }] };
};

const call = async (method: string, path: string, json?: object) =>
  almanac.call(method, path, { token: await almanac.userToken(), ...(json ? { json } : {}) });

interface Store {
  id: string;
  kind: string;
  restored_from: string | null;
}

const storesOf = async (id: string, state: string): Promise<Store[]> =>
  (await call('GET', `/v3/alm/data?stack_id=${id}&state=${state}`)).body as unknown as Store[];

/** A stack whose database was kept and whose cache was deleted. */
async function withoutStores(): Promise<{ id: string; version_id: string }> {
  const id = await almanac.applyTemplate(template({ rds: database, elasticache: cache }));
  const { version_id } = await almanac.waitFor(id, 'CREATE_COMPLETE', 60);
  const living = await storesOf(id, 'in_use');
  const words = living
    .filter(({ kind }) => kind !== 'disk')
    .map((store) => `${store.id}:${store.kind === 'database' ? 'keep' : 'delete'}`);
  const answer = await call('PUT', `/v3/alm/template/${id}?data=${words.join(',')}`, template({}));
  expect(answer.status).toBe(202);
  await almanac.waitFor(id, 'UPDATE_COMPLETE', 60);
  return { id, version_id: String(version_id) };
}

it('a rollback that asks about kept data says to machines what may be chosen for each store, with its sentence', async () => {
  const { id, version_id } = await withoutStores();
  const [kept] = await storesOf(id, 'kept');
  const { status, body } = await call('POST', `/v3/alm/stack/${id}/rollback`, { version_id });
  expect(status).toBe(409);
  const returning = body.returning as { kept: string; confirm: string[]; sentences: string[] }[];
  expect(returning.map((store) => [store.kept, store.confirm])).toEqual([
    [kept?.id, ['restore=latest', 'restore=empty']],
    ['', ['restore=empty']],
  ]);
  expect(returning[0]?.sentences[0]).toContain(`is made with its last data, kept as ${kept?.id}.`);
  expect(body.message).toBe(returning.map(({ sentences }) => sentences.at(-1)).join(' '));
});

it('restore=latest restores what is kept, and begins empty where nothing is', async () => {
  const { id, version_id } = await withoutStores();
  const [kept] = await storesOf(id, 'kept');
  const answer = await call('POST', `/v3/alm/stack/${id}/rollback?restore=latest`, { version_id });
  expect(answer.status).toBe(202);
  await almanac.waitFor(id, 'UPDATE_COMPLETE', 60);
  const living = await storesOf(id, 'in_use');
  expect(living.find(({ kind }) => kind === 'database')?.restored_from).toBe(kept?.id);
  expect(living.find(({ kind }) => kind === 'cache')?.restored_from).toBeNull();
});

it('a refusal has a sentence for each way to go on', async () => {
  const id = await almanac.applyTemplate(template({ rds: database }));
  await almanac.waitFor(id, 'CREATE_COMPLETE', 60);
  const { body } = await call('PUT', `/v3/alm/template/${id}`, template({}));
  const [store] = body.stores as { sentence: string; confirm: string[]; sentences: string[] }[];
  expect(store?.confirm).toEqual(['data=keep', 'data=delete']);
  expect(store?.sentences).toEqual([store?.sentence, expect.stringMatching(/Its data is deleted\.$/)]);
});
