import { beforeAll, describe, expect, it } from 'vitest';
import { oneServer } from '../../world.ts';
import { type Answer, type Json, type ServedAlmanac, useServedAlmanac } from '../served-almanac.ts';
import { V2Caller } from '../v2/caller.ts';
import { DataCaller, mysql, withData } from './data-caller.ts';

interface Case {
  created: () => Promise<string>;
  /** Replaces the server. */
  change: (stackId: string, query?: string) => Promise<Answer<Json>>;
  remove: (stackId: string, query?: string) => Promise<Answer<Json>>;
}

const withType = (instanceType: string) => {
  const template = oneServer(1);
  for (const { provision } of template.configurations) provision.instance_type = instanceType;
  return template;
};

const v3Case = (almanac: ServedAlmanac): Case => {
  const data = new DataCaller(almanac);
  return {
    created: async () => (await data.created(oneServer(1))).stackId,
    change: (stackId, query = '') => data.update(stackId, withType('m4.large'), query),
    remove: (stackId, query = '') => data.delete(stackId, query),
  };
};

const v2Case = (almanac: ServedAlmanac): Case => {
  const caller = V2Caller.of(almanac);
  const call = async (method: string, path: string, json?: object) =>
    almanac.call(method, path, { token: (await caller).token, ...(json && { json }) });
  const single = { architecture: 'art_single', type: 't2.micro', image: 'library/nginx' };
  const change = { configurations: { type: 'm4.large' } };
  return {
    created: async () => (await caller).settled(single),
    change: (stackId, query = '') => call('PUT', `/v2/alm/stack/${stackId}${query}`, change),
    remove: (stackId, query = '') => call('DELETE', `/v2/alm/stack/${stackId}${query}`),
  };
};

const versions = [
  ['v3', v3Case],
  ['v2', v2Case],
] as const;

const disksOf = async (almanac: ServedAlmanac, stackId: string) =>
  (await new DataCaller(almanac).list(`?stack_id=${stackId}&kind=disk`)).body.map(({ store_id }) => store_id);

describe.each(versions)('the disk of a fixed server of a %s stack', (_, caseOf) => {
  const almanac = useServedAlmanac();
  let one: Case;
  beforeAll(() => {
    one = caseOf(almanac);
  });

  it('is not replaced by an update without servers=replace: 409, and data=delete does not confirm it', async () => {
    const stackId = await one.created();
    const before = await disksOf(almanac, stackId);
    expect(before).toHaveLength(1);
    for (const query of ['', '?data=delete', '?data=keep']) {
      const refused = await one.change(stackId, query);
      expect(refused.status).toBe(409);
      expect(refused.body).toMatchObject({
        code: '2001',
        message: expect.stringContaining('What is only on its disk is lost.'),
        description: expect.stringContaining('?servers=replace'),
        stores: [
          {
            id: expect.stringMatching(/^data-/),
            kind: 'disk',
            resource_type: 'Instance',
            store_id: before[0],
            action: 'replace',
            confirm: ['servers=replace'],
            sentence: expect.stringMatching(/is replaced by a new one/),
          },
        ],
      });
    }
    expect(await disksOf(almanac, stackId)).toEqual(before);
  });

  it('is replaced with servers=replace', async () => {
    const stackId = await one.created();
    const before = await disksOf(almanac, stackId);
    expect((await one.change(stackId, '?servers=replace')).status).toBeLessThan(300);
    await expect.poll(() => disksOf(almanac, stackId), { timeout: 10_000 }).not.toEqual(before);
  });

  it('is not removed with its stack without servers=replace: 409, and the stack stays', async () => {
    const stackId = await one.created();
    const refused = await one.remove(stackId, '?data=delete');
    expect(refused.status).toBe(409);
    expect(refused.body.stores).toMatchObject([
      { kind: 'disk', action: 'remove', confirm: ['servers=replace'] },
    ]);
    expect(await disksOf(almanac, stackId)).toHaveLength(1);
    expect((await one.remove(stackId, '?servers=replace')).status).toBe(200);
    await expect.poll(() => disksOf(almanac, stackId), { timeout: 10_000 }).toEqual([]);
  });

  it('another value of servers is rejected: 400', async () => {
    const stackId = await one.created();
    for (const answer of [
      await one.change(stackId, '?servers=all'),
      await one.remove(stackId, '?servers=all'),
    ]) {
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ problems: [{ path: 'servers' }] });
    }
  });
});

describe.each(versions)('with ALM_COMPAT_REPLACE_SERVERS=1, a %s stack', (_, caseOf) => {
  const almanac = useServedAlmanac({ environment: { ALM_COMPAT_REPLACE_SERVERS: '1' } });

  it('has its servers replaced and is deleted without a question', async () => {
    const { created, change, remove } = caseOf(almanac);
    const stackId = await created();
    const before = await disksOf(almanac, stackId);
    expect((await change(stackId)).status).toBeLessThan(300);
    await expect.poll(() => disksOf(almanac, stackId), { timeout: 10_000 }).not.toEqual(before);
    expect((await remove(stackId)).status).toBe(200);
  });
});

describe('with ALM_COMPAT_REPLACE_SERVERS=1', () => {
  const almanac = useServedAlmanac({ environment: { ALM_COMPAT_REPLACE_SERVERS: '1' } });

  it('a database is still not removed without a word about it', async () => {
    const data = new DataCaller(almanac);
    const { stackId } = await data.created(withData({ rds: mysql }));
    const refused = await data.update(stackId, withType('m4.large'));
    expect(refused.status).toBe(409);
    expect(refused.body.stores).toMatchObject([{ kind: 'database' }]);
    expect(await data.contents(stackId, 'DatabaseInstance')).toHaveLength(1);
  });
});
