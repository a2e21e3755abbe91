import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/basics/clock.ts';
import { first, useServedAlmanac } from '../served-almanac.ts';
import { SessionBrowser } from '../session/session-browser.ts';

const clock = new VirtualClock();
const almanac = useServedAlmanac({ clock });

const verifier = 'a-verifier-that-only-the-command-line-knows-0123456789';
const request = {
  redirect_uri: 'http://127.0.0.1:43121/done',
  state: 'state-1',
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
};
const session = async () => {
  const browser = new SessionBrowser(almanac);
  await browser.signIn();
  return browser;
};
const handOver = async (browser: SessionBrowser, more: object = {}) =>
  browser.send('POST', '/v3/session/code', { json: { ...request, ...more } });
const redeem = (code: string, code_verifier = verifier) =>
  almanac.call('POST', '/v3/access_token', {
    json: { grant_type: 'authorization_code', client_id: 'alm', code, code_verifier },
  });
const codeIn = (location: unknown) => new URL(String(location)).searchParams.get('code') ?? '';

describe('a browser session that signs the command line in', () => {
  it('gets the address of the command line with a code, which becomes a token once, and only with the verifier', async () => {
    const browser = await session();
    const { body } = await handOver(browser);
    expect(String(body.location)).toMatch(/^http:\/\/127\.0\.0\.1:43121\/done\?code=[^&]+&state=state-1$/);
    const { body: token } = await redeem(codeIn(body.location));
    expect((await almanac.call('GET', '/v3/token', { token: String(token.access_token) })).status).toBe(200);
    expect((await redeem(codeIn(body.location))).status).toBe(400);
    const other = codeIn((await handOver(browser)).body.location);
    expect((await redeem(other, `${verifier}x`)).status).toBe(400);
    expect((await redeem(other)).status).toBe(400);
  });

  it('is refused for an address that is neither on this machine nor of this service', async () => {
    const sent = await handOver(await session(), { redirect_uri: 'https://almanac.example.net/done' });
    expect(sent.status).toBe(400);
  });

  it('needs a fresh proof: a stolen session does not become a token with one', async () => {
    const browser = await session();
    clock.advance(11 * 60_000);
    expect((await handOver(browser)).body.error).toBe('proof_required');
  });

  it('gives a code that ends after a minute, and with the sign-ins of its user', async () => {
    const browser = await session();
    const late = codeIn((await handOver(browser)).body.location);
    clock.advance(61_000);
    expect((await redeem(late)).status).toBe(400);
    const ended = codeIn((await handOver(browser)).body.location);
    expect((await browser.send('DELETE', '/v3/token')).status).toBe(200);
    expect((await redeem(ended)).status).toBe(400);
  });

  it('gives no code that outlives the end of all recent access', async () => {
    const code = codeIn((await handOver(await session())).body.location);
    const since = new Date(clock.now() - 60_000).toISOString();
    const ended = await (await session()).send('POST', '/v3/access/end', { json: { since } });
    expect(ended.status).toBe(200);
    expect((await redeem(code)).status).toBe(400);
  });

  it('is refused to a token that is not that of a browser', async () => {
    const token = await almanac.newToken({ ...first, grant_type: 'password' });
    expect((await almanac.call('POST', '/v3/session/code', { token, json: request })).status).toBe(403);
  });
});
