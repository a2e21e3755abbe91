import { beforeAll, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/basics/clock.ts';
import { AccessCaller } from '../access/access-caller.ts';
import { makeOtherAccount } from '../access/other-account.ts';
import { first, type Json, useServedAlmanac } from '../served-almanac.ts';
import { SessionBrowser } from '../session/session-browser.ts';
import { SecondFactors } from '../sign-in/second-factor-caller.ts';
import { PasskeyCaller, useHostName } from './passkey-caller.ts';

const clock = new VirtualClock();
const almanac = useServedAlmanac({ clock });
const caller = new AccessCaller(almanac);
const passkeys = new PasskeyCaller(almanac);
const minutes = (count: number) => clock.advance(count * 60_000);
const newUser = async (name: string) => {
  const { username, password } = await caller.makeUser(name);
  return { username, password };
};
const listed = async (browser: SessionBrowser): Promise<Json[]> =>
  (await browser.send('GET', '/v3/passkey')).body as unknown as Json[];
const whoIs = async (browser: SessionBrowser) =>
  ((await browser.send('GET', '/v3/session')).body.user as Json | null)?.name ?? null;
const freshToken = () => almanac.newToken({ ...first, grant_type: 'password' });
const auditedOf = async (actor: string): Promise<unknown[]> => {
  const token = await freshToken();
  return (await caller.call<Json[]>('GET', `/v3/audit?actor=${actor}`, { token })).body.map(
    ({ detail }) => detail,
  );
};

beforeAll(() => {
  useHostName(almanac);
});

describe('a passkey', () => {
  it('signs a browser in as its user without a password, and is listed with the time of its last use', async () => {
    const browser = await passkeys.signedIn(await newUser('ann'));
    const device = await passkeys.added(browser);
    minutes(5);
    const other = new SessionBrowser(almanac);
    expect((await passkeys.signIn(device, {}, other)).status).toBe(204);
    expect(await whoIs(other)).toBe('ann');
    const [own] = await listed(other);
    expect(own).toMatchObject({ name: 'laptop' });
    expect(Date.parse(String(own?.last_used)) - Date.parse(String(own?.create_time))).toBe(5 * 60_000);
  });

  it('counts as both factors: a user with a second factor is not asked for a code', async () => {
    const factors = new SecondFactors(almanac, caller);
    const user = await factors.enrol('careful');
    minutes(1);
    const { username, password } = user;
    const browser = await passkeys.signedIn({ username, password, otp: factors.codeOf(user) });
    const device = await passkeys.added(browser);
    expect((await passkeys.signIn(device)).status).toBe(204);
  });

  it('can be renamed and deleted, and then signs nobody in', async () => {
    const browser = await passkeys.signedIn(await newUser('bob'));
    const device = await passkeys.added(browser);
    const path = `/v3/passkey/${String((await listed(browser))[0]?.passkey_id)}`;
    expect((await browser.send('PUT', path, { json: { name: 'old laptop' } })).status).toBe(200);
    expect((await listed(browser)).map(({ name }) => name)).toEqual(['old laptop']);
    expect((await browser.send('DELETE', path)).status).toBe(200);
    expect((await passkeys.signIn(device)).status).toBe(401);
    expect((await browser.send('DELETE', path)).status).toBe(404);
  });

  it('of another user is neither seen nor changed, except by the master of its account', async () => {
    const carl = await passkeys.signedIn(await newUser('carl'));
    await passkeys.added(carl);
    const path = `/v3/passkey/${String((await listed(carl))[0]?.passkey_id)}`;
    const dora = await passkeys.signedIn(await newUser('dora'));
    expect(await listed(dora)).toEqual([]);
    expect((await dora.send('GET', '/v3/passkey?username=carl')).status).toBe(403);
    const { username, password } = await makeOtherAccount(almanac.service, 'stranger');
    for (const foreign of [dora, await passkeys.signedIn({ username, password })]) {
      expect((await foreign.send('DELETE', path)).status).toBe(404);
      expect((await foreign.send('PUT', path, { json: { name: 'mine' } })).status).toBe(404);
    }
    const master = await passkeys.signedIn();
    expect((await master.send('GET', '/v3/passkey?username=carl')).text).toContain('laptop');
    expect((await master.send('DELETE', path)).status).toBe(200);
  });

  it('proves a session, so that what gives lasting access is allowed again', async () => {
    const browser = await passkeys.signedIn(await newUser('eva'));
    const device = await passkeys.added(browser);
    minutes(11);
    const begin = () => browser.send('POST', '/v3/passkey/options');
    expect((await begin()).body.error).toBe('proof_required');
    expect((await passkeys.prove(browser, device)).status).toBe(200);
    expect((await begin()).status).toBe(200);
  });

  it('ends with a change of the password', async () => {
    const user = await newUser('fred');
    const browser = await passkeys.signedIn(user);
    const device = await passkeys.added(browser);
    const changed = await browser.send('PUT', '/v3/user/fred/password', {
      json: { password: 'another password of fred', current_password: user.password },
    });
    expect(changed.status).toBe(200);
    expect((await passkeys.signIn(device)).status).toBe(401);
  });

  it('that was made since a time is listed as recent access, and ends with it', async () => {
    const old = await passkeys.added(await passkeys.signedIn(await newUser('gina')));
    minutes(60 * 24 * 40);
    const since = new Date(clock.now()).toISOString();
    const recent = await passkeys.added(await passkeys.signedIn(await newUser('hugo')));
    const master = await passkeys.signedIn();
    const found = (await master.send('GET', '/v3/access/recent')).body as Record<string, Json[]>;
    expect(found['passkeys']).toHaveLength(1);
    expect((await master.send('POST', '/v3/access/end', { json: { since } })).body.passkeys).toBe(1);
    expect((await passkeys.signIn(recent)).status).toBe(401);
    expect((await passkeys.signIn(old)).status).toBe(204);
  });

  it('that is added, and each sign-in with one, is in the audit log', async () => {
    const browser = await passkeys.signedIn(await newUser('iris'));
    const device = await passkeys.added(browser);
    await passkeys.signIn(device);
    const details = await auditedOf('iris');
    expect(details).toContain('signed in with grant passkey');
    expect(details).toContain('passkey laptop');
  });

  it('cannot be added a twenty-first time, nor one that a user has already', async () => {
    const browser = await passkeys.signedIn(await newUser('jack'));
    const device = await passkeys.added(browser);
    const other = await passkeys.signedIn(await newUser('kate'));
    expect((await passkeys.add(other, device)).status).toBe(409);
    for (let made = 1; made < 20; made += 1) await passkeys.added(browser);
    const { status, body } = await browser.send('POST', '/v3/passkey/options');
    expect([status, body.message]).toEqual([409, 'You already have 20 passkeys']);
  });

  it.each([
    ['http://almanac.example.com', 'Browsers use passkeys only over https'],
    ['https://192.0.2.1', 'Browsers bind passkeys to a host name'],
    ['http://127.0.0.1:8080', 'Browsers bind passkeys to a host name'],
  ])('cannot be used at %s, and the service says why', async (baseUrl, reason) => {
    const token = await freshToken();
    const { settings } = almanac.service;
    const before = settings.baseUrl;
    settings.baseUrl = baseUrl;
    try {
      const { sign_in: ways } = (await almanac.call('GET', '/v3/session')).body;
      expect((ways as Json).passkeys_off).toContain(reason);
      for (const path of ['/v3/session/passkey', '/v3/passkey/options']) {
        const { status, body } = await almanac.call('POST', path, { token });
        expect([status, String(body.description).includes(reason)]).toEqual([409, true]);
      }
    } finally {
      settings.baseUrl = before;
    }
  });
});
