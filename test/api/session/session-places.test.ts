import { describe, expect, it } from 'vitest';
import { useServedAlmanac } from '../served-almanac.ts';
import { ownPage, SessionBrowser } from './session-browser.ts';

const remote = { host: 'almanac.example:8080', origin: 'http://almanac.example:8080' };

describe('over plain http', () => {
  const almanac = useServedAlmanac();

  it('a browser on another machine is refused, with the settings that change it', async () => {
    const answer = await new SessionBrowser(almanac).signIn({}, remote);
    expect([answer.status, answer.cookies]).toEqual([400, []]);
    expect(answer.body.description).toMatch(/ALM_BASE_URL.*ALM_CONSOLE_HTTP=1/);
  });

  it.each(['127.0.0.1:8080', 'localhost:8080', '[::1]:8080', 'alm.localhost'])(
    'a browser on the machine of the server signs in at %s',
    async (host) => {
      const ann = new SessionBrowser(almanac);
      expect((await ann.signIn({}, { ...ownPage, host, origin: `http://${host}` })).status).toBe(204);
    },
  );

  it.each(['localhost.example', '127.0.0.1.example', '10.0.0.1', '[::2]', '0.0.0.0'])(
    '%s is not the machine of the server',
    async (host) => {
      const answer = await new SessionBrowser(almanac).signIn({}, { host, origin: `http://${host}` });
      expect(answer.status).toBe(400);
    },
  );

  it('behind a proxy with https that the settings do not name, the cookie is still a secure one', async () => {
    const ann = new SessionBrowser(almanac);
    const page = { ...ownPage, origin: 'https://almanac.example' };
    expect((await ann.signIn({}, page)).cookies).toEqual([expect.stringMatching(/^__Host-alm=.*; Secure;/)]);
    expect((await ann.send('GET', '/v3/session')).body.user).not.toBeNull();
  });
});

describe('with ALM_CONSOLE_HTTP', () => {
  const almanac = useServedAlmanac({ environment: { ALM_CONSOLE_HTTP: '1' } });

  it('a browser on another machine signs in, reads, changes and signs out', async () => {
    const ann = new SessionBrowser(almanac);
    expect((await ann.signIn({}, remote)).cookies).toEqual([expect.stringMatching(/^alm=/)]);
    const { host } = remote;
    expect((await ann.send('GET', '/v3/session', { page: { host } })).body.user).not.toBeNull();
    expect((await ann.send('DELETE', '/v3/token', { page: remote })).status).toBe(200);
    expect((await ann.send('DELETE', '/v3/session', { page: remote })).status).toBe(204);
  });

  it('another port of the same host cannot sign in, change or sign out', async () => {
    const ann = new SessionBrowser(almanac);
    const other = { ...remote, origin: 'http://almanac.example:9090' };
    expect((await ann.signIn({}, other)).status).toBe(403);
    await ann.signIn({}, remote);
    expect((await ann.send('DELETE', '/v3/token', { page: other })).status).toBe(401);
    expect((await ann.send('DELETE', '/v3/session', { page: other })).status).toBe(401);
  });
});

describe('with an https base URL', () => {
  const origin = 'https://almanac.example';
  const almanac = useServedAlmanac({ environment: { ALM_BASE_URL: `${origin}/prefix` } });

  it('the cookie has the __Host- prefix and is sent over https only', async () => {
    const ann = new SessionBrowser(almanac);
    const answer = await ann.signIn({}, { ...ownPage, origin });
    expect(answer.cookies).toEqual([
      expect.stringMatching(/^__Host-alm=[^;]{20,}; HttpOnly; Secure; SameSite=Strict; Path=\/$/),
    ]);
    expect((await ann.send('GET', '/v3/session')).body.user).toMatchObject({ name: 'root' });
    expect((await ann.send('DELETE', '/v3/session', { page: { origin } })).cookies).toEqual([
      '__Host-alm=; HttpOnly; Secure; SameSite=Strict; Path=/; Max-Age=0',
    ]);
  });

  it('a cookie without the prefix does not count: anyone on the network could have set it', async () => {
    const ann = new SessionBrowser(almanac);
    await ann.signIn({}, { ...ownPage, origin });
    ann.cookie = `alm=${ann.token}`;
    expect((await ann.send('GET', '/v3/session')).body.user).toBeNull();
  });

  it('the address of the server itself over plain http is refused: its cookie would not count', async () => {
    const page = { ...ownPage, host: 'localhost:8080', origin: 'http://localhost:8080' };
    const answer = await new SessionBrowser(almanac).signIn({}, page);
    expect([answer.status, answer.cookies]).toEqual([400, []]);
    expect(answer.body.description).toContain(`${origin}/prefix/console/`);
  });

  it('a page of the same host over plain http is foreign', async () => {
    const page = { host: 'almanac.example', origin: 'http://almanac.example' };
    expect((await new SessionBrowser(almanac).signIn({}, page)).status).toBe(403);
    const ann = new SessionBrowser(almanac);
    await ann.signIn({}, { ...ownPage, origin });
    expect((await ann.send('DELETE', '/v3/token', { page })).status).toBe(401);
  });
});
