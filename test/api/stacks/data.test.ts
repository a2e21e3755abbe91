import { beforeAll, describe, expect, it } from 'vitest';
import { oneServer } from '../../world.ts';
import { type Answer, type Json, type Request, useServedAlmanac } from '../served-almanac.ts';
import { V2Caller } from '../v2/caller.ts';

const almanac = useServedAlmanac();
let token: string;
let stranger: string;
let v2: V2Caller;
beforeAll(async () => {
  token = await almanac.userToken();
  stranger = await almanac.otherAccountToken();
  v2 = await V2Caller.of(almanac);
});

const withDatabase = (more: object = {}) => {
  const { configurations, ...rest } = oneServer(1);
  const [layer] = configurations;
  const provision = { ...layer?.provision, rds: { engine: 'mysql', storage: 20, ...more } };
  return { ...rest, configurations: [{ ...layer, provision }] };
};

const createdV3 = async (): Promise<string> => {
  const stackId = await almanac.applyTemplate(withDatabase());
  await almanac.waitFor(stackId, 'CREATE_COMPLETE');
  return stackId;
};

const configuration = {
  architecture: 'art_single',
  type: 't2.micro',
  database: [{ Engine: 'db_mysql', DBtype: 'db.t2.micro', DBStorage: '10' }],
};
const createdV2 = (): Promise<string> => v2.settled(configuration);

/** Removes the database by an update: v3 by another template, v2 by an empty list. */
const removals: [
  string,
  () => Promise<string>,
  (stackId: string, query: string, as?: string) => Promise<Answer<Json>>,
][] = [
  [
    'v3',
    createdV3,
    (stackId, query, as = token) =>
      almanac.call('PUT', `/v3/alm/template/${stackId}${query}`, { token: as, json: oneServer(1) }),
  ],
  [
    'v2',
    createdV2,
    (stackId, query, as = v2.token) =>
      almanac.call('PUT', `/v2/alm/stack/${stackId}${query}`, {
        token: as,
        json: { configurations: { database: [] } },
      }),
  ],
];

describe.each(removals)('a %s update that removes the database', (_, created, remove) => {
  it('answers 409 with the way to confirm it, and changes nothing', async () => {
    const stackId = await created();
    const answer = await remove(stackId, '');
    expect(answer.status).toBe(409);
    const sentence = expect.stringMatching(/^DatabaseInstance \S+ \(\S+\) is removed\. Its data is kept: /);
    expect(answer.body).toMatchObject({
      code: '2001',
      description: expect.stringContaining('?data=keep'),
      stores: [{ resource_type: 'DatabaseInstance', action: 'remove', kind: 'database', sentence }],
    });
    expect(
      await almanac.service.database.query
        .selectFrom('data_releases')
        .selectAll()
        .where('stack_id', '=', stackId)
        .execute(),
    ).toEqual([]);
  });

  it('is accepted with data=keep and with data=delete', async () => {
    expect((await remove(await created(), '?data=keep')).status).toBeLessThan(300);
    expect((await remove(await created(), '?data=delete')).status).toBeLessThan(300);
  });

  it('answers 400 for another value of data', async () => {
    const answer = await remove(await created(), '?data=drop');
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ problems: [{ path: 'data' }] });
  });

  it('is not found by another account, whatever it confirms', async () => {
    expect((await remove(await created(), '?data=delete', stranger)).status).toBe(404);
  });
});

describe.each([
  ['v3', createdV3, () => token],
  ['v2', createdV2, () => v2.token],
])('deleting a %s stack with a database', (version, created, owner) => {
  const del = (stackId: string, query = '', request: Request = { token: owner() }) =>
    almanac.call('DELETE', `/${version}/alm/stack/${stackId}?servers=replace${query}`, request);
  const databasesIn = ({ body }: Answer<Json>): Json[] =>
    (body.data as Json[]).filter(({ kind }) => kind === 'database');

  it('says how its data is kept, without a word about data', async () => {
    const answer = await del(await created());
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ status: 'DELETE_IN_PROGRESS' });
    expect(databasesIn(answer)).toMatchObject([
      {
        id: expect.stringMatching(/^data-/),
        resource_type: 'DatabaseInstance',
        kept_as: expect.stringContaining('snapshot'),
        sentence: expect.stringContaining('Its data is kept: '),
      },
    ]);
  });

  it('says that its data is deleted with data=delete', async () => {
    const answer = await del(await created(), '&data=delete');
    expect(databasesIn(answer)).toMatchObject([
      { kept_as: '', sentence: expect.stringContaining('Its data is deleted.') },
    ]);
  });

  it('answers 400 for another value of data, and 404 to another account', async () => {
    const stackId = await created();
    expect((await del(stackId, '&data=drop')).status).toBe(400);
    expect((await del(stackId, '&data=delete', { token: stranger })).status).toBe(404);
  });

  it('answers the same when it is repeated with the same idempotency key', async () => {
    const stackId = await created();
    const request = { token: owner(), headers: { 'Idempotency-Key': `delete-${stackId}` } };
    const first = await del(stackId, '&data=delete', request);
    expect((await del(stackId, '&data=delete', request)).body).toEqual(first.body);
    expect((await del(stackId, '', request)).status).toBe(409);
  });
});

/** The instances of a group come and go: they hold no data. */
const group = () => {
  const { configurations, ...rest } = oneServer(1);
  const [layer] = configurations;
  const { instance_count: _, ...provision } = layer?.provision ?? {};
  return {
    ...rest,
    configurations: [{ ...layer, provision: { ...provision, auto_scaling: { min: 1, max: 2 } } }],
  };
};

it('deleting a complete stack without data needs no confirmation, and answers as before', async () => {
  const stackId = await almanac.applyTemplate(group());
  await almanac.waitFor(stackId, 'CREATE_COMPLETE');
  const answer = await almanac.call('DELETE', `/v3/alm/stack/${stackId}`, { token });
  expect(answer.body).toEqual({ status: 'DELETE_IN_PROGRESS', stack_id: stackId });
});

it('a database with deletion_protection is not deleted with its stack or by an update until an update removes the protection', async () => {
  const stackId = await almanac.applyTemplate(withDatabase({ deletion_protection: true }));
  await almanac.waitFor(stackId, 'CREATE_COMPLETE');
  const put = (json: object, query = '') =>
    almanac.call('PUT', `/v3/alm/template/${stackId}${query}`, { token, json });
  const del = () => almanac.call('DELETE', `/v3/alm/stack/${stackId}?servers=replace`, { token });
  for (const answer of [await del(), await put(oneServer(1), '?data=delete')]) {
    expect(answer.status).toBe(409);
    expect(answer.text).toContain('deletion_protection');
  }
  expect((await put(withDatabase())).status).toBe(202);
  await almanac.waitFor(stackId, 'UPDATE_COMPLETE');
  expect((await del()).status).toBe(200);
});
