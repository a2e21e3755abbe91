import { beforeAll, describe, expect, it } from 'vitest';
import { oneServer } from '../../world.ts';
import { type Answer, type Json, useServedAlmanac } from '../served-almanac.ts';

const almanac = useServedAlmanac();
let token: string;
const stackIds: string[] = [];
beforeAll(async () => {
  token = await almanac.userToken();
  for (let each = 0; each < 4; each += 1)
    stackIds.unshift(await almanac.applyTemplate({ ...oneServer(), nickname: `number ${each}` }));
  for (const stackId of stackIds) await almanac.waitFor(stackId, 'CREATE_COMPLETE');
  await almanac.applyTemplate(oneServer(), await almanac.otherAccountToken());
});

const list = (query = '', path = '/v3/alm/stack'): Promise<Answer<Json[]>> =>
  almanac.call<Json[]>('GET', path + query, { token });
const idsOf = ({ body }: Answer<Json[]>) => body.map((stack) => String(stack.stack_id));
const nextOf = ({ headers }: Answer<Json[]>) => /^<(.*)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];

const cursorOf = (createdAt: string) => Buffer.from(`[${createdAt},"mo-1"]`).toString('base64url');

describe('the list of stacks', () => {
  it('without parameters, the list has all stacks, newest first', async () => {
    const answer = await list();
    expect(idsOf(answer).toSorted()).toEqual(stackIds.toSorted());
    const times = answer.body.map((stack) => String(stack.create_time));
    expect(times).toEqual(times.toSorted().toReversed());
    expect(answer.headers.get('link')).toBeNull();
    expect(answer.headers.get('x-next-cursor')).toBeNull();
  });

  it('the pages of the list are together the whole list, each with a link to the next', async () => {
    const all = idsOf(await list());
    const seen: unknown[][] = [];
    for (let page: string | undefined = '/v3/alm/stack?limit=3'; page; ) {
      const answer: Answer<Json[]> = await list('', page);
      seen.push(idsOf(answer));
      page = nextOf(answer);
    }
    expect(seen).toEqual([all.slice(0, 3), all.slice(3)]);
  });

  it('a full last page has no link to a next page', async () => {
    const answer = await list('?limit=4');
    expect(idsOf(answer)).toHaveLength(4);
    expect(answer.headers.get('link')).toBeNull();
  });

  it('the cursor returns the next page, and the link keeps the filters', async () => {
    const answer = await list('?limit=1&vendor=aws');
    const cursor = answer.headers.get('x-next-cursor') ?? '';
    const byCursor = await list(`?limit=1&vendor=aws&cursor=${encodeURIComponent(cursor)}`);
    const byLink = await list('', nextOf(answer));
    expect(nextOf(answer)).toContain('vendor=aws');
    expect(idsOf(byCursor)).toEqual(idsOf(byLink));
    expect(idsOf(byCursor)).toEqual(idsOf(await list()).slice(1, 2));
  });

  it('the next page is correct even if a stack is created in between', async () => {
    const first = await list('?limit=2');
    const late = await almanac.applyTemplate();
    const second = await list('', nextOf(first));
    expect([...idsOf(first), ...idsOf(second)].toSorted()).toEqual(stackIds.toSorted());
    await almanac.call('DELETE', `/v3/alm/stack/${late}?servers=replace`, { token });
    await almanac.waitFor(late, 'DELETE_COMPLETE');
  });

  it.each([
    ['?nickname=number%202', 1],
    ['?nickname=number%209', 0],
    ['?vendor=aws', 4],
    ['?vendor=openstack', 0],
    ['?status=CREATE_COMPLETE', 4],
    ['?status=DELETE_FAILED', 0],
    ['?status=CREATE_COMPLETE&nickname=number%200', 1],
  ])('the list filtered by %s has %i', async (query, count) => {
    expect((await list(query)).body).toHaveLength(count);
  });

  it.each([
    '?limit=0',
    '?limit=1001',
    '?limit=many',
    '?limit=1.5',
    '?cursor=nonsense',
    ...['1.5', '1e300', '9007199254740993', '"1"', 'null'].map((time) => `?cursor=${cursorOf(time)}`),
    '?status=HAPPY',
  ])('the list rejects %s with 400', async (query) => {
    const answer = await almanac.call('GET', `/v3/alm/stack${query}`, { token });
    expect(answer.status).toBe(400);
    expect(answer.body.code).toBe('1000');
  });
});
