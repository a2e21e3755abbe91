import { beforeAll, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/basics/clock.ts';
import { AccessCaller } from '../access/access-caller.ts';
import { useServedAlmanac } from '../served-almanac.ts';
import { SessionBrowser } from '../session/session-browser.ts';
import type { Doing } from './device.ts';
import { PasskeyCaller, useHostName } from './passkey-caller.ts';

const clock = new VirtualClock();
const almanac = useServedAlmanac({ clock });
const passkeys = new PasskeyCaller(almanac);
const minutes = (count: number) => clock.advance(count * 60_000);
const sessionOf = async (name: string) => {
  const { username, password } = await new AccessCaller(almanac).makeUser(name);
  return passkeys.signedIn({ username, password });
};

beforeAll(() => {
  useHostName(almanac);
});

const wrong: [what: string, doing: Doing][] = [
  ['of a page of another origin', { origin: 'https://almanac.example.net' }],
  ['of another port of this host', { origin: 'http://localhost:1' }],
  ['for another host', { rpId: 'almanac.example.net' }],
  ['without verification of the person', { verified: false }],
];

describe('the answer of a passkey', () => {
  it.each(wrong)(
    '%s is refused: it signs nobody in, proves nothing and adds nothing',
    async (what, doing) => {
      const browser = await sessionOf(`user-${what.replaceAll(' ', '-')}`);
      expect((await passkeys.add(browser, passkeys.device(), doing)).status).toBe(400);
      const device = await passkeys.added(browser);
      expect((await passkeys.signIn(device, doing)).status).toBe(401);
      minutes(11);
      expect((await passkeys.prove(browser, device, doing)).status).toBe(400);
      expect((await browser.send('POST', '/v3/passkey/options')).body.error).toBe('proof_required');
      expect((await passkeys.signIn(device)).status).toBe(204);
    },
  );

  it('counts once: sent again, it signs nobody in', async () => {
    const device = await passkeys.added(await sessionOf('replayed'));
    const answer = device.answer(await passkeys.signInOptions());
    const sent = await Promise.all([passkeys.send(answer), passkeys.send(answer)]);
    expect(sent.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 401]);
    expect((await passkeys.send(answer)).status).toBe(401);
  });

  it('that adds a passkey counts once', async () => {
    const browser = await sessionOf('added-twice');
    const device = passkeys.device();
    const credential = device.register(await passkeys.registrationOptions(browser));
    const add = () => browser.send('POST', '/v3/passkey', { json: { name: 'laptop', credential } });
    expect((await add()).status).toBe(200);
    const [{ passkey_id: id } = {}] = (await browser.send('GET', '/v3/passkey')).body as unknown as {
      passkey_id: string;
    }[];
    await browser.send('DELETE', `/v3/passkey/${id}`);
    expect((await add()).status).toBe(400);
  });

  it('is refused after 5 minutes', async () => {
    const device = await passkeys.added(await sessionOf('late'));
    const options = await passkeys.signInOptions();
    minutes(6);
    expect((await passkeys.send(device.answer(options))).status).toBe(401);
  });

  it('to a challenge for something else, or to one that the service did not make, is refused', async () => {
    const browser = await sessionOf('confused');
    const device = await passkeys.added(browser);
    const registration = await passkeys.registrationOptions(browser);
    const proof = await passkeys.proofOptions(browser);
    const { rpId = '' } = proof;
    const invented = { challenge: Buffer.from('v1.invented').toString('base64url'), rpId };
    for (const options of [proof, invented, { challenge: registration.challenge, rpId }])
      expect((await passkeys.send(device.answer(options))).status).toBe(401);
    const signIn = await passkeys.signInOptions();
    const sent = await browser.send('POST', '/v3/session/proof', {
      json: { passkey: device.answer(signIn) },
    });
    expect(sent.status).toBe(400);
  });

  it('of another user proves nothing, nor does one to the challenge of another user', async () => {
    const browser = await sessionOf('owner');
    const own = await passkeys.added(browser);
    const other = await sessionOf('other');
    const foreign = await passkeys.added(other);
    minutes(11);
    expect((await passkeys.prove(browser, foreign)).status).toBe(400);
    const passkey = own.answer(await passkeys.proofOptions(other));
    expect((await browser.send('POST', '/v3/session/proof', { json: { passkey } })).status).toBe(400);
    expect((await passkeys.prove(browser, own)).status).toBe(200);
  });

  it('signed by another key, or for another user handle, is refused', async () => {
    const device = await passkeys.added(await sessionOf('forged'));
    const forger = passkeys.device();
    const forged = { ...forger.answer(await passkeys.signInOptions()), id: device.id, rawId: device.id };
    expect((await passkeys.send(forged)).status).toBe(401);
    const userHandle = Buffer.from('another').toString('base64url');
    expect((await passkeys.signIn(device, { userHandle })).status).toBe(401);
  });

  it('with a counter that does not rise is refused: the device was copied', async () => {
    const device = await passkeys.added(await sessionOf('copied'));
    expect((await passkeys.signIn(device, { counter: 5 })).status).toBe(204);
    for (const counter of [5, 4, 0]) expect((await passkeys.signIn(device, { counter })).status).toBe(401);
    expect((await passkeys.signIn(device, { counter: 6 })).status).toBe(204);
  });

  it('is not checked for a while after five wrong ones, not even a right one', async () => {
    const device = await passkeys.added(await sessionOf('guessed'));
    for (let attempt = 0; attempt < 5; attempt += 1)
      expect((await passkeys.signIn(device, { verified: false })).status).toBe(401);
    expect((await passkeys.signIn(device)).status).toBe(429);
    minutes(1);
    expect((await passkeys.signIn(device)).status).toBe(204);
  });

  it('that another site sends signs the browser in as nobody', async () => {
    const device = await passkeys.added(await sessionOf('abroad'));
    const passkey = device.answer(await passkeys.signInOptions());
    const sent = await new SessionBrowser(almanac).send('POST', '/v3/session', {
      page: { 'sec-fetch-site': 'cross-site' },
      json: { passkey },
    });
    expect([sent.status, sent.cookies]).toEqual([403, []]);
  });

  it('that is not readable is refused as wrong, not as an error of the service', async () => {
    const browser = await sessionOf('garbled');
    const device = await passkeys.added(browser);
    const answer = device.answer(await passkeys.signInOptions());
    for (const part of ['clientDataJSON', 'authenticatorData', 'signature'])
      for (const value of ['', 'AAAA', 'v7-_'.repeat(500)])
        expect([400, 401, 429]).toContain(
          (await passkeys.send({ ...answer, response: { ...answer.response, [part]: value } })).status,
        );
    const made = passkeys.device().register(await passkeys.registrationOptions(browser));
    const credential = { ...made, response: { ...made.response, attestationObject: 'n5-f'.repeat(1000) } };
    const sent = await browser.send('POST', '/v3/passkey', { json: { name: 'x', credential } });
    expect(sent.status).toBe(400);
  });
});
