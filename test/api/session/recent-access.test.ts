import { expect, it } from 'vitest';
import { VirtualClock } from '../../../src/basics/clock.ts';
import { AccessCaller } from '../access/access-caller.ts';
import { first, type Json, useServedAlmanac } from '../served-almanac.ts';
import { SessionBrowser } from './session-browser.ts';

const clock = new VirtualClock();
const almanac = useServedAlmanac({ clock });

const bearer = () => almanac.newToken({ ...first, grant_type: 'password' });
const newClient = async (token: string) =>
  (await almanac.call('POST', '/v3/client', { token, json: { label: 'new', kind: 'owner' } })).body;
const canSignIn = async ({ client_id, client_secret }: Json) =>
  (
    await almanac.call('POST', '/v2/access_token', {
      json: { client_id, client_secret, grant_type: 'client_credentials' },
    })
  ).status === 200;

it('what a thief made with a stolen session is listed, and ended in one step without what was made before', async () => {
  const old = await newClient(await bearer());
  clock.advance(40 * 24 * 60 * 60_000);
  const since = new Date(clock.now()).toISOString();
  const thief = await bearer();
  const stolen = await newClient(thief);
  const made = await almanac.call('POST', '/v3/personal_token', {
    token: thief,
    json: { name: 'left behind', roles: ['admin'], current_password: first.password },
  });
  await almanac.call('POST', '/v3/user', {
    token: thief,
    json: { username: 'eve', password: 'a password of eve 12' },
  });

  const browser = new SessionBrowser(almanac);
  await browser.signIn();
  const listed = (await browser.send('GET', '/v3/access/recent')).body as Record<string, Json[]>;
  expect(listed['clients']?.map(({ id }) => id)).toEqual([stolen.client_id]);
  expect(listed['users']?.map(({ name }) => name)).toEqual(['eve']);
  expect(listed['personal_tokens']?.map(({ name }) => name)).toEqual(['left behind']);
  expect(listed['sign_ins']).toHaveLength(2);

  const ended = await browser.send('POST', '/v3/access/end', { json: { since } });
  expect(ended.body).toEqual({ clients: 1, personal_tokens: 1, passkeys: 0, sign_ins: 1, key_links: 0 });
  expect([await canSignIn(old), await canSignIn(stolen)]).toEqual([true, false]);
  for (const token of [thief, String(made.body.token)])
    expect((await almanac.call('GET', '/v3/alm/stack', { token })).status).toBe(401);
  expect((await browser.send('GET', '/v3/alm/stack')).status).toBe(200);
});

it('both are refused to everybody but the master, and a time that is none is refused', async () => {
  const master = new AccessCaller(almanac);
  const token = await bearer();
  const { token: other } = await master.makeUser('lowly').then(async ({ username, password }) => ({
    token: await almanac.newToken({ ...first, grant_type: 'password', username, password }),
  }));
  const since = '2030-01-01T00:00:00Z';
  const recent = (query: string, as: string) =>
    almanac.call('GET', `/v3/access/recent${query}`, { token: as });
  const end = (json: object, as: string) => almanac.call('POST', '/v3/access/end', { token: as, json });
  expect([(await recent('', other)).status, (await end({ since }, other)).status]).toEqual([403, 403]);
  expect([
    (await recent('?since=yesterday', token)).status,
    (await end({ since: 'now' }, token)).status,
  ]).toEqual([400, 400]);
});
