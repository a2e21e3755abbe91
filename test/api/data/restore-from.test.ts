import { describe, expect, it } from 'vitest';
import { allow, deny, rolesOn } from '../access/role-statements.ts';
import { type Json, useServedAlmanac } from '../served-almanac.ts';
import { DataCaller, local, mysql, redis, withData } from './data-caller.ts';

const almanac = useServedAlmanac();
const data = new DataCaller(almanac);
const { userWith } = rolesOn(almanac);

const apply = (json: object, token?: string) =>
  data.call('POST', '/v3/alm/template', { json, ...(token === undefined ? {} : { token }) });
const restoring = (id: string, region?: string) =>
  withData({ rds: { ...mysql, restore_from: id }, ...(region === undefined ? {} : { region }) });

describe('restore_from in a template', () => {
  it('makes the database of a new stack from kept data of a deleted one', async () => {
    const { stackId: old, id, content } = await data.keptDatabase();
    await data.deleted(old);
    const { stackId } = await data.created(restoring(id));
    expect(await data.contents(stackId, 'DatabaseInstance')).toEqual([content]);
    expect(await data.stores(stackId)).toMatchObject([{ state: 'in_use', restored_from: id }]);
    expect((await data.show(id)).body.state).toBe('kept');
  });

  it('makes a cache and files from kept data', async () => {
    const { stackId: old } = await data.created(withData({ elasticache: redis, storage: local }));
    const [cache, volume] = [await data.contents(old, 'CacheCluster'), await data.contents(old, 'Volume')];
    await data.deleted(old);
    const kept = await data.stores(old);
    const from = (kind: string) => ({ restore_from: kept.find((store) => store.kind === kind)?.id });
    const { stackId } = await data.created(
      withData({ elasticache: { ...redis, ...from('cache') }, storage: { ...local, ...from('files') } }),
    );
    expect(await data.contents(stackId, 'CacheCluster')).toEqual(cache);
    expect(await data.contents(stackId, 'Volume')).toEqual(volume);
  });

  it('is ignored once it was restored: the same template again keeps what was written since', async () => {
    const { stackId, id } = await data.keptDatabase();
    await data.updated(stackId, restoring(id));
    const before = (await data.stores(stackId)).find(({ state }) => state === 'in_use');
    await data.updated(stackId, { ...restoring(id), description: 'again' });
    await data.forget(id);
    await data.updated(stackId, { ...restoring(id), description: 'and again' });
    const after = (await data.stores(stackId)).find(({ state }) => state === 'in_use');
    expect(after).toEqual(before);
  });

  it('does not replace a database that is in use by another one', async () => {
    const { id } = await data.keptDatabase();
    const { stackId } = await data.created(withData({ rds: mysql }));
    const before = await data.contents(stackId, 'DatabaseInstance');
    const refused = await data.update(stackId, restoring(id), '?data=delete');
    expect(refused.status).toBe(409);
    expect(refused.body.description).toContain('Remove it first with an update');
    expect(await data.contents(stackId, 'DatabaseInstance')).toEqual(before);
  });
});

describe('restore_from is refused with its path in the template', () => {
  const path = 'configurations/0/provision/rds/restore_from';
  const refused = async (template: object, message: string, token?: string) => {
    const answer = await apply(template, token);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ problems: [{ path, message: expect.stringContaining(message) }] });
  };

  it('for an unknown id, and for the data of another account', async () => {
    await refused(restoring('data-none'), 'unknown kept data data-none');
    const { id } = await data.keptDatabase();
    await refused(restoring(id), `unknown kept data ${id}`, await almanac.otherAccountToken());
    const hidden = (await data.show(id)).body.stack_id;
    const { token } = await userWith(
      'half',
      allow(['*']),
      deny(['stack:*'], [`mrn:alm:stack:${String(hidden)}`]),
    );
    await refused(restoring(id), `unknown kept data ${id}`, token);
  });

  it('for data of another kind', async () => {
    const { stackId } = await data.created(withData({ elasticache: redis }));
    await data.deleted(stackId);
    const [cache] = await data.stores(stackId);
    await refused(restoring(String(cache?.id)), 'is a cache, not a database');
  });

  it('for data in another region', async () => {
    const { id } = await data.keptDatabase();
    await refused(restoring(id, 'us-east-1'), 'is in another region: ap-northeast-1');
  });

  it('for data that is in use elsewhere, forgotten or gone', async () => {
    const { stackId } = await data.created(withData({ rds: mysql }));
    const [store] = await data.stores(stackId);
    await refused(restoring(String(store?.id)), 'is not kept: it is in use');
    const { id } = await data.keptDatabase();
    await data.forget(id);
    await refused(restoring(id), 'is not kept: it is forgotten');
    await data.updated(stackId, withData(), '?data=delete');
    await refused(restoring(String(store?.id)), 'is not kept: it is gone');
  });
});

describe('POST /v3/alm/stack/{stack_id}/rollback?restore', () => {
  const rollBack = (stackId: string, versionId: string, query = '') =>
    data.call('POST', `/v3/alm/stack/${stackId}/rollback${query}`, { json: { version_id: versionId } });

  it('asks before a database comes back empty: 409 with both ways, and nothing changes', async () => {
    const { stackId, versionId, id } = await data.keptDatabase();
    const refused = await rollBack(stackId, versionId);
    expect(refused.status).toBe(409);
    expect(refused.body.message).toContain(`Its last data is kept as ${id}`);
    expect(refused.body.description).toContain('?restore=latest');
    expect(refused.body.description).toContain('?restore=empty');
    expect(await data.contents(stackId, 'DatabaseInstance')).toEqual([]);
  });

  it.each(['latest', 'the id'])('brings the data back with restore=%s', async (which) => {
    const { stackId, versionId, id, content } = await data.keptDatabase();
    const answer = await rollBack(stackId, versionId, `?restore=${which === 'latest' ? which : id}`);
    expect(answer.status).toBe(202);
    await almanac.waitFor(stackId, 'UPDATE_COMPLETE');
    expect(await data.contents(stackId, 'DatabaseInstance')).toEqual([content]);
  });

  it('makes an empty database with restore=empty, and the kept data stays kept', async () => {
    const { stackId, versionId, id, content } = await data.keptDatabase();
    expect((await rollBack(stackId, versionId, '?restore=empty')).status).toBe(202);
    await almanac.waitFor(stackId, 'UPDATE_COMPLETE');
    const contents = await data.contents(stackId, 'DatabaseInstance');
    expect(contents).toHaveLength(1);
    expect(contents).not.toEqual([content]);
    expect((await data.show(id)).body.state).toBe('kept');
  });

  it('restores the newest of several with restore=latest, and an older one by its id', async () => {
    const { stackId, versionId, id, content } = await data.keptDatabase();
    await data.updated(stackId, withData({ rds: mysql }));
    const newer = await data.contents(stackId, 'DatabaseInstance');
    await data.updated(stackId, withData(), '?data=keep');
    await rollBack(stackId, versionId, '?restore=latest');
    await almanac.waitFor(stackId, 'UPDATE_COMPLETE');
    expect(await data.contents(stackId, 'DatabaseInstance')).toEqual(newer);
    await data.updated(stackId, withData(), '?data=delete');
    await rollBack(stackId, versionId, `?restore=${id}`);
    await almanac.waitFor(stackId, 'UPDATE_COMPLETE');
    expect(await data.contents(stackId, 'DatabaseInstance')).toEqual([content]);
  });

  it('is refused if nothing is kept under that id, and changes nothing', async () => {
    const { stackId, versionId } = await data.keptDatabase();
    const refused = await rollBack(stackId, versionId, '?restore=data-none');
    expect(refused.status).toBe(409);
    expect(await data.contents(stackId, 'DatabaseInstance')).toEqual([]);
    expect((await almanac.describe(stackId)).stack_status).toBe('UPDATE_COMPLETE');
  });
});

describe('a preview of a template with restore_from', () => {
  const preview = (json: object, query = '') =>
    data.call('POST', `/v3/alm/template/preview${query}`, { json });

  it('says what is restored, for a new stack and for an update', async () => {
    const { stackId, id } = await data.keptDatabase();
    const sentence = expect.stringContaining(`is restored from ${id}.`);
    for (const query of ['', `?stack_id=${stackId}`]) {
      const { status, body } = await preview(restoring(id), query);
      expect(status).toBe(200);
      expect(body.warnings).toContainEqual(sentence);
    }
  });

  it('is refused as the template itself would be', async () => {
    const withoutId = ({ request_id: _, ...body }: Json) => body;
    const [previewed, applied] = [await preview(restoring('data-none')), await apply(restoring('data-none'))];
    expect(previewed.status).toBe(400);
    expect(withoutId(previewed.body)).toEqual(withoutId(applied.body));
  });
});
