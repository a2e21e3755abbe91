import { beforeAll, describe, expect, it } from 'vitest';
import { allow, deny, rolesOn } from '../access/role-statements.ts';
import { type Json, useServedAlmanac } from '../served-almanac.ts';
import { DataCaller, local, mysql, redis, withData } from './data-caller.ts';

const almanac = useServedAlmanac();
const data = new DataCaller(almanac);
const { userWith } = rolesOn(almanac);
let stackId: string;
let versionId: string;
let other: string;
beforeAll(async () => {
  const template = withData({
    rds: { ...mysql, deletion_protection: true },
    elasticache: redis,
    storage: local,
  });
  ({ stackId, versionId } = await data.created(template));
  other = (await data.created(withData({ rds: mysql }))).stackId;
});

const kindsOf = (stores: readonly Json[]) => stores.map(({ kind }) => kind).toSorted();
const idsOf = (stores: readonly Json[]) => stores.map(({ id }) => id);

describe('GET /v3/alm/data', () => {
  it('lists the database, cache, files and disk of a stack, with where and since when they are', async () => {
    const { status, body } = await data.list(`?stack_id=${stackId}`);
    expect(status).toBe(200);
    expect(kindsOf(body)).toEqual(['cache', 'database', 'disk', 'files']);
    expect(body.find(({ kind }) => kind === 'database')).toEqual({
      id: expect.stringMatching(/^data-/),
      stack_id: stackId,
      nickname: expect.any(String),
      vendor: 'aws',
      region: 'ap-northeast-1',
      kind: 'database',
      name: 'web0',
      resource: expect.stringContaining('DatabaseInstance'),
      resource_type: 'DatabaseInstance',
      store_id: expect.any(String),
      size_gib: 20,
      state: 'in_use',
      protected: true,
      since: expect.stringMatching(/Z$/),
      version_id: versionId,
      restored_from: null,
      kept: null,
      ended_at: null,
      ended_by: '',
      released_by: '',
    });
  });

  it('filters by kind and state, and rejects unknown values of them', async () => {
    expect(kindsOf((await data.list(`?stack_id=${stackId}&kind=files`)).body)).toEqual(['files']);
    expect((await data.list(`?stack_id=${stackId}&state=kept`)).body).toEqual([]);
    expect((await data.list(`?stack_id=${stackId}&state=in_use`)).body).toHaveLength(4);
    expect((await data.list('?kind=tape')).status).toBe(400);
    expect((await data.list('?state=fine')).status).toBe(400);
  });

  it('returns nothing for the stack of another account and for an unknown stack', async () => {
    const token = await almanac.otherAccountToken();
    expect((await data.list(`?stack_id=${stackId}`, { token })).body).toEqual([]);
    expect((await data.list('', { token })).body).toEqual([]);
    expect((await data.list('?stack_id=mo-none')).body).toEqual([]);
  });

  it('pages have every store once, newest first, and the last page has no next one', async () => {
    const all = (await data.list('?state=all')).body;
    const found: Json[] = [];
    for (let query: string | null = '?state=all&limit=2'; query !== null; ) {
      const page = await data.list(query);
      expect(page.body.length).toBeLessThanOrEqual(2);
      found.push(...page.body);
      const next: RegExpExecArray | null = /<[^>]*(\?[^>]*)>; rel="next"/.exec(
        page.headers.get('link') ?? '',
      );
      query = next?.[1] ?? null;
    }
    expect(all.length).toBeGreaterThan(4);
    expect(idsOf(found)).toEqual(idsOf(all));
    const times = all.map(({ since }) => String(since));
    expect(times).toEqual(times.toSorted().toReversed());
  });
});

describe('GET /v3/alm/data/{data_id}', () => {
  it('describes one store as the list does, and does not find an unknown one', async () => {
    for (const store of (await data.list(`?stack_id=${stackId}`)).body)
      expect((await data.show(String(store.id))).body).toEqual(store);
    expect((await data.show('data-none')).status).toBe(404);
  });

  it('does not find a store of another account, on any route', async () => {
    const [id = ''] = idsOf((await data.list(`?stack_id=${stackId}&kind=cache`)).body).map(String);
    const token = await almanac.otherAccountToken();
    for (const answer of [
      await data.show(id, { token }),
      await data.forget(id, { token }),
      await data.restore(id, { token }),
      await data.call('GET', `/v3/alm/stack/${stackId}/deletion`, { token }),
    ])
      expect(answer.status).toBe(404);
    expect((await data.show(id)).body.state).toBe('in_use');
  });
});

describe('a limited user', () => {
  it('sees the stores of the stacks that its role shows, and a page is full of them', async () => {
    const hidden = `mrn:alm:stack:${stackId}`;
    const { token } = await userWith('half', allow(['*']), deny(['stack:*'], [hidden]));
    const { body } = await data.list('?limit=1', { token });
    expect(body).toMatchObject([{ stack_id: other }]);
    const all = (await data.list('', { token })).body;
    expect(kindsOf(all)).toEqual(['database', 'disk']);
    const [id = ''] = idsOf((await data.list(`?stack_id=${stackId}`)).body).map(String);
    expect((await data.show(id, { token })).status).toBe(404);
    expect((await data.forget(id, { token })).status).toBe(404);
    expect((await data.restore(id, { token })).status).toBe(404);
    expect((await data.call('GET', `/v3/alm/stack/${stackId}/deletion`, { token })).status).toBe(404);
  });

  it('who may not list stacks may not list data: 403', async () => {
    const { token } = await userWith('blind', allow(['*']), deny(['stack:describeStacks']));
    expect((await data.list('', { token })).status).toBe(403);
  });

  it('who may only read sees kept data, and is not allowed to forget or restore it: 403', async () => {
    const { id } = await data.keptDatabase();
    const { token } = await userWith(
      'reading',
      allow(['stack:describe*', 'template:describe*', 'cred:*', 'vendor:*']),
    );
    expect((await data.show(id, { token })).body.state).toBe('kept');
    expect((await data.forget(id, { token })).status).toBe(403);
    expect((await data.restore(id, { token })).status).toBe(403);
    expect((await data.show(id)).body.state).toBe('kept');
  });
});
