import { beforeAll, describe, expect, it } from 'vitest';
import { attachDatabase } from '../../../src/store/database/open-database.ts';
import { oneServer } from '../../world.ts';
import { useServedAlmanac } from '../served-almanac.ts';

const almanac = useServedAlmanac();
let token: string;
let stackId: string;
beforeAll(async () => {
  token = await almanac.userToken();
  stackId = await almanac.applyTemplate();
  await almanac.waitFor(stackId, 'CREATE_COMPLETE');
});

const get = (path: string, known?: string) =>
  almanac.call('GET', path, { token, headers: known === undefined ? {} : { 'if-none-match': known } });

const paths = () => [
  `/v3/alm/stack/${stackId}`,
  `/v3/alm/stack/${stackId}?view=details`,
  '/v3/alm/stack',
  '/v3/alm/stack?view=summary',
];

describe('a caller that has the last reply', () => {
  it('gets 304 without a body while nothing changed, and must not be served by a cache', async () => {
    for (const path of paths()) {
      const { headers } = await get(path);
      const tag = headers.get('etag') ?? '';
      expect(tag).toMatch(/^W\/"[\w-]{27}"$/);
      expect(headers.get('cache-control')).toBe('no-store');
      for (const known of [tag, `"other", ${tag}`, '*']) {
        const again = await get(path, known);
        expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', tag]);
      }
    }
  });

  it('gets the new reply after a change, and a call with another tag the whole one', async () => {
    const before = await Promise.all(
      paths().map(async (path) => (await get(path)).headers.get('etag') ?? ''),
    );
    const changed = await almanac.call('PUT', `/v3/alm/template/${stackId}`, { token, json: oneServer(2) });
    expect(changed.status).toBe(202);
    const after = await Promise.all(paths().map((path, index) => get(path, before[index])));
    expect(after.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await get(paths()[0] ?? '', '"other"')).status).toBe(200);
  });

  it('sees a change by another process in the next reply', async () => {
    const other = await attachDatabase(almanac.databaseUrl);
    for (const nickname of ['one', 'two', 'three']) {
      await Promise.all(paths().map((path) => get(path)));
      await other.query.updateTable('stacks').set({ nickname }).where('id', '=', stackId).execute();
      const replies = await Promise.all(paths().map((path) => get(path)));
      for (const { text } of replies) expect(text).toContain(`"nickname":"${nickname}"`);
    }
    await other.close();
  });

  it('whose token is revoked gets 401, not 304', async () => {
    const { headers } = await get('/v3/alm/stack');
    const tag = headers.get('etag') ?? '';
    const { status } = await almanac.call('GET', '/v3/alm/stack', {
      token: 'revoked',
      headers: { 'if-none-match': tag },
    });
    expect(status).toBe(401);
  });
});
