import { beforeAll, describe, expect, it } from 'vitest';
import type { StackSummary } from '../../../../src/contract/v3/schemas/stack-summary.ts';
import { eventually } from '../../../http.ts';
import { oneServer } from '../../../world.ts';
import { allow, deny, rolesOn } from '../../access/role-statements.ts';
import { useServedAlmanac } from '../../served-almanac.ts';
import { balanced, V2Caller } from '../../v2/caller.ts';

const almanac = useServedAlmanac();
const { userWith } = rolesOn(almanac);
let token: string;
let template: string;
let configured: string;
beforeAll(async () => {
  token = await almanac.userToken();
  template = await almanac.applyTemplate({ ...oneServer(2), nickname: 'shop' });
  await almanac.waitFor(template, 'CREATE_COMPLETE');
  const v2 = await V2Caller.of(almanac);
  configured = String((await v2.create(balanced)).body.stack_id);
  await eventually(
    () => v2.describe(configured),
    (stack) => stack.stack_status === 'CREATE_COMPLETE',
  );
});

const list = (query = '', as = token) =>
  almanac.call<StackSummary[]>('GET', `/v3/alm/stack?view=summary${query}`, { token: as });
const idsOf = ({ body }: { body: StackSummary[] }) => body.map(({ stack_id: id }) => id);

describe('the summaries of stacks', () => {
  it('has the stacks of both API versions, newest first, each with what a list shows', async () => {
    const { status, body } = await list();
    expect(status).toBe(200);
    expect(body.map(({ interface: version }) => version)).toEqual(['v2', 'v3']);
    const [, shop] = body;
    const described = await almanac.describe(template);
    expect(shop).toEqual({
      stack_id: template,
      nickname: 'shop',
      stack_status: 'CREATE_COMPLETE',
      stack_status_reason: '',
      health: 'none',
      health_reason: '',
      doing: '',
      doing_reason: '',
      username: 'root',
      vendor: 'aws',
      region: 'ap-northeast-1',
      cred: 'SANDBOX',
      interface: 'v3',
      instances: { running: 2, wanted: 2 },
      drift: null,
      version: {
        version_id: described.version_id,
        label: '2 servers',
        last_modified: expect.stringMatching(/Z$/) as string,
        created_by: 'root',
      },
      create_time: described.create_time,
      update_time: described.update_time,
      operation: null,
    });
    expect(body[0]).toMatchObject({ stack_id: configured, instances: { running: 2, wanted: 2 } });
  });

  it('contains no secret, no template and no output', async () => {
    const secret = String((await almanac.describe(template)).auth_token);
    const { text } = await list();
    expect(secret).not.toBe('');
    for (const hidden of [secret, 'auth_token', 'configuration', 'stack_outputs', 'OutputValue', 'sealed'])
      expect(text).not.toContain(hidden);
  });

  it('shows who asked for the operation in progress, when, and how long it usually takes', async () => {
    const slow = await almanac.applyTemplate(oneServer());
    await almanac.waitFor(slow, 'CREATE_COMPLETE');
    await almanac.service.database.query
      .updateTable('stacks')
      .set({ status: 'UPDATE_IN_PROGRESS', operation: 'UPDATE', next_at: null })
      .where('id', '=', slow)
      .execute();
    await almanac.service.database.query
      .insertInto('durations')
      .values({ stack_id: slow, ended_at: 1, driver: 'sandbox', operation: 'UPDATE', milliseconds: 30_000 })
      .execute();
    const [row] = (await list('&status=UPDATE_IN_PROGRESS')).body;
    expect(row?.operation).toEqual({
      kind: 'UPDATE',
      started_at: row?.update_time,
      requested_by: 'root',
      expected: { p50_seconds: 30, p90_seconds: 30 },
    });
    await almanac.call('DELETE', `/v3/alm/stack/${slow}?servers=replace`, { token });
    await almanac.waitFor(slow, 'DELETE_COMPLETE');
  });

  it('pages and filters work as in the full list', async () => {
    expect(idsOf(await list('&nickname=shop'))).toEqual([template]);
    expect(idsOf(await list('&vendor=docker'))).toEqual([]);
    const first = await list('&limit=1');
    expect(idsOf(first)).toEqual([configured]);
    expect(first.headers.get('link')).toContain('view=summary');
    const cursor = first.headers.get('x-next-cursor') ?? '';
    expect(idsOf(await list(`&limit=1&cursor=${cursor}`))).toEqual([template]);
  });

  it('the full list keeps its stacks and members', async () => {
    for (const query of ['', '?view=full']) {
      const full = await almanac.call<{ stack_id: string; auth_token: string }[]>(
        'GET',
        `/v3/alm/stack${query}`,
        { token },
      );
      expect(full.body.map(({ stack_id: id }) => id)).toEqual([template]);
      expect(full.body[0]?.auth_token).not.toBe('');
      expect(full.headers.get('alm-cursor')).toBeNull();
    }
  });

  it('a view that does not exist is rejected, and so is a request without a token', async () => {
    const wrong = await almanac.call('GET', '/v3/alm/stack?view=short', { token });
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain('view');
    expect((await almanac.call('GET', '/v3/alm/stack?view=summary')).status).toBe(401);
  });

  it('a stack that a role hides is missing, and without the permission to list the reply is 403', async () => {
    const some = await userWith('some', allow(['*:*']), deny(['*:*'], [`mrn:alm:stack:${configured}`]));
    // What is kept of a list for one caller is not shown to another.
    for (let times = 0; times < 2; times += 1) {
      expect(idsOf(await list('', some.token))).toEqual([template]);
      expect(idsOf(await list())).toEqual([configured, template]);
    }
    const none = await userWith('none', allow(['cred:describeCredentials']));
    expect((await list('', none.token)).status).toBe(403);
  });

  it('another account sees its own stacks only', async () => {
    const other = await almanac.otherAccountToken();
    expect((await list('', other)).body).toEqual([]);
    const theirs = await almanac.applyTemplate(oneServer(), other);
    expect(idsOf(await list('', other))).toEqual([theirs]);
    expect(idsOf(await list())).not.toContain(theirs);
  });

  it('rows that were stored before summaries existed are complete too, and are computed once', async () => {
    const { query } = almanac.service.database;
    const before = (await list()).body;
    await query.updateTable('stacks').set({ running: null }).execute();
    await query.updateTable('versions').set({ label: null, wanted: null }).execute();
    expect((await list()).body).toEqual(before);
    const shop = await query
      .selectFrom('versions')
      .select(['label', 'wanted'])
      .where('stack_id', '=', template)
      .execute();
    expect(shop).toEqual([{ label: '2 servers', wanted: 2 }]);
  });

  it('a damaged version, or a database that cannot be written, hides no stack', async () => {
    const { database } = almanac.service;
    const { query } = database;
    const before = (await list()).body;
    await query.updateTable('versions').set({ label: null, wanted: null }).execute();
    const readOnly = query.withPlugin({
      transformQuery: ({ node }) => {
        if (node.kind === 'UpdateQueryNode') throw new Error('The database is read-only.');
        return node;
      },
      transformResult: ({ result }) => Promise.resolve(result),
    });
    Object.defineProperty(database, 'query', { value: readOnly, configurable: true });
    const unwritten = await list();
    Object.defineProperty(database, 'query', { value: query, configurable: true });
    expect(unwritten.body).toEqual(before);
    const version = query.updateTable('versions').where('stack_id', '=', template);
    const { model } = await query
      .selectFrom('versions')
      .select('model')
      .where('stack_id', '=', template)
      .executeTakeFirstOrThrow();
    await version.set({ model: '{' }).execute();
    expect((await list()).body[1]).toMatchObject({ stack_id: template, version: { label: '' } });
    await version.set({ model }).execute();
    expect((await list()).body).toEqual(before);
  });

  it('a list of many stacks takes as many statements as a list of one', async () => {
    const { query } = almanac.service.database;
    const source = await query
      .selectFrom('stacks')
      .selectAll()
      .where('id', '=', template)
      .executeTakeFirstOrThrow();
    const copies = Array.from({ length: 300 }, (_, index) => ({ ...source, id: `${source.id}-${index}` }));
    for (let start = 0; start < copies.length; start += 20)
      await query
        .insertInto('stacks')
        .values(copies.slice(start, start + 20))
        .execute();
    let reads = 0;
    const counting = query.withPlugin({
      transformQuery: ({ node }) => {
        reads += 1;
        return node;
      },
      transformResult: ({ result }) => Promise.resolve(result),
    });
    const { database } = almanac.service;
    Object.defineProperty(database, 'query', { value: counting, configurable: true });
    const { body } = await list();
    Object.defineProperty(database, 'query', { value: query, configurable: true });
    expect(body).toHaveLength(302);
    // Far fewer than stacks. The reconcile loop, which reads at the same time, is counted too.
    expect(reads).toBeLessThan(50);
    await query.deleteFrom('stacks').where('id', 'like', `${source.id}-%`).execute();
  });
});
