import { describe, expect, it } from 'vitest';
import { useServedAlmanac } from '../served-almanac.ts';
import { ownPage, SessionBrowser, sendExactly } from './session-browser.ts';

const preloaded = [
  /^<\/console\/assets\/index-[\w-]+\.js>; rel=modulepreload; crossorigin$/,
  /^<\/console\/assets\/index-[\w-]+\.css>; rel=preload; as=style; crossorigin$/,
  /^<\/v3\/session>; rel=preload; as=fetch; crossorigin$/,
  /^<\/v3\/alm\/stack\?view=summary>; rel=preload; as=fetch; crossorigin$/,
];

describe('the page of the console', () => {
  const almanac = useServedAlmanac();

  const open = (headers: Record<string, string>) =>
    sendExactly(`${almanac.url}/console/`, { method: 'GET', headers: { ...ownPage, ...headers } });

  it('makes a browser with a session load session and list beside the script and the styles', async () => {
    const ann = new SessionBrowser(almanac);
    await ann.signIn();
    const { link = '' } = (await open({ cookie: ann.cookie })).headers;
    expect(String(link).split(', ')).toEqual(preloaded.map((each) => expect.stringMatching(each) as string));
  });

  it('asks nothing of a browser without a session, or whose session has ended', async () => {
    const ann = new SessionBrowser(almanac);
    await ann.signIn();
    const { cookie } = ann;
    await ann.send('DELETE', '/v3/session');
    for (const headers of [{}, { cookie }, { cookie: 'alm=wrong' }])
      expect((await open(headers)).headers.link).toBeUndefined();
  });

  it('is sent again to a browser that kept it from before it signed in or out', async () => {
    const ann = new SessionBrowser(almanac);
    await ann.signIn();
    const { cookie } = ann;
    const [before, after] = [await open({}), await open({ cookie })];
    const [old, current] = [before, after].map(({ headers }) => String(headers.etag));
    expect((await open({ cookie, 'if-none-match': String(old) })).status).toBe(200);
    expect((await open({ cookie, 'if-none-match': String(current) })).status).toBe(304);
    expect((await open({ 'if-none-match': String(current) })).status).toBe(200);
  });
});
