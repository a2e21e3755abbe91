import { beforeAll, describe, expect, it } from 'vitest';
import { useServedAlmanac } from '../served-almanac.ts';

const almanac = useServedAlmanac();
const path = '/v3/audit/check';
let token: string;
beforeAll(async () => {
  token = await almanac.userToken();
  await almanac.applyTemplate();
});

const check = async () => (await almanac.call('GET', path, { token })).body;

describe('the check of the audit log', () => {
  it('of an unchanged log counts its entries, and many checks at once agree', async () => {
    const found = await Promise.all([check(), check(), check()]);
    for (const each of found) expect(each).toMatchObject({ is_intact: true, last_hash: expect.any(String) });
    expect(Number(found[0]?.entries)).toBeGreaterThan(0);
  });

  it('names the first entry that was changed', async () => {
    const { query } = almanac.service.database;
    const row = query.updateTable('audit').where('number', '=', 1);
    await row.set({ actor: 'another user' }).execute();
    expect(await check()).toEqual({
      is_intact: false,
      entries: 0,
      deleted: 0,
      problem: 'Entry 1 is not what was recorded.',
    });
    const other = await almanac.otherAccountToken();
    expect((await almanac.call('GET', path, { token: other })).body).toMatchObject({ is_intact: true });
  });

  it('is for the master only', async () => {
    expect((await almanac.call('GET', path, { token: await almanac.clientToken() })).status).toBe(403);
  });
});
