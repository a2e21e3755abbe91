import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/basics/clock.ts';
import { eventually } from '../../http.ts';
import { scrollsSideways, violationsOf } from './accessibility.ts';
import { useBrowser, views } from './harness.ts';
import { type Reply, serveOtherSite } from './other-site.ts';

const clock = new VirtualClock(Date.now());
const browsing = useBrowser({ clock, sandboxSpeed: 1 });

const html = (body: string, head = ''): string =>
  `<!DOCTYPE html><html lang="en"><head><title>A page</title><link rel="icon" href="data:,">${head}</head><body>${body}</body></html>`;

async function openReplies(replies: Readonly<Record<string, Reply>>): Promise<Page> {
  const page = await browsing.openPage({ as: null, path: null });
  await page.goto(`${await serveOtherSite(replies)}/`);
  return page;
}

describe('errors in a page', () => {
  const strict = { 'content-security-policy': "default-src 'none'; script-src 'self'; img-src 'self' data:" };
  const script = { body: 'bad()', headers: { 'content-type': 'text/javascript' } };
  it.each<[string, RegExp, Reply]>([
    ['a script that throws', /bad is not defined/, { body: html('', '<script src="/bad.js"></script>') }],
    [
      'an inline style that the policy refuses',
      /style/,
      { body: html('<p style="color:red">x</p>'), headers: strict },
    ],
    [
      'an inline script that the policy refuses',
      /script/,
      { body: html('<script>1</script>'), headers: strict },
    ],
  ])('%s is reported, and would fail its test', async (_, complaint, body) => {
    const page = await openReplies({ '/': body, '/bad.js': script });
    const complaints = await eventually(
      async () => browsing.watchOf(page).takeComplaints(),
      (found) => found.length > 0,
    );
    expect(complaints.join()).toMatch(complaint);
  });

  it('an error that the test expects is not reported', async () => {
    const page = await browsing.openPage({ as: null, path: null });
    browsing.expectErrors(page, /ERR_UNSAFE_PORT/);
    const site = await serveOtherSite({ '/': { body: html('') } });
    await page.goto(`${site}/`);
    await page.evaluate('fetch("http://127.0.0.1:9/").catch(() => null)');
    expect(browsing.watchOf(page).takeComplaints()).toEqual([]);
  });
});

describe('accessibility', () => {
  const page = html(
    '<main><h1>x</h1><input><p id="faint">faint</p></main>',
    '<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/s.css">',
  );
  const style = {
    body: '#faint { color: #bbb; background: #ccc; width: 500px }',
    headers: { 'content-type': 'text/css' },
  };

  it('axe finds a field without a label and text without contrast', async () => {
    const found = await violationsOf(await openReplies({ '/': { body: page }, '/s.css': style }));
    expect(new Set(found.map((line) => line.split(' ')[0]))).toEqual(new Set(['color-contrast', 'label']));
  });

  it.each(views)('a page has the theme $theme and the width $width', async ({ theme, width }) => {
    const opened = await browsing.openPage({ as: null, path: null, theme, width });
    await opened.goto(`${await serveOtherSite({ '/': { body: page }, '/s.css': style })}/`);
    expect(await opened.evaluate(`matchMedia('(prefers-color-scheme: ${theme})').matches`)).toBe(true);
    expect(await opened.evaluate('innerWidth')).toBeGreaterThanOrEqual(width);
    expect(await scrollsSideways(opened)).toBe(width < 500);
  });
});

describe('secrets', () => {
  // Put together by the script, so that none is in the text of the page itself.
  const keep = `
    const secret = (of) => 'secret-' + of;
    localStorage.setItem('draft', secret('stored'));
    document.querySelector('input').value = secret('typed');
    document.querySelector('div').attachShadow({ mode: 'open' }).innerHTML = '<b>' + secret('shadowed') + '</b>';
    const stream = new EventSource('/stream');
    const finish = () => fetch('/reply').then((reply) => reply.text()).then(() => (document.title = 'done'));
    const read = async (reader) => {
      while (!(await reader.read()).done) finish();
    };
    stream.onmessage = () => fetch('/fetched').then((reply) => read(reply.body.getReader()));`;

  it('are found in fields, shadow roots, storage, replies and both kinds of streams, with the place', async () => {
    const ofStream = { 'content-type': 'text/event-stream' };
    const page = await openReplies({
      '/': { body: html(`<div></div><input><script>${keep}</script>`) },
      '/reply': { body: 'secret-replied' },
      '/stream': { body: 'data: secret-streamed\n\n', headers: ofStream },
      '/fetched': { body: 'data: secret-fetched\n\n', headers: ofStream },
    });
    await page.waitForFunction("document.title === 'done'");
    const site = page.url();
    const names = ['stored', 'typed', 'shadowed', 'replied', 'streamed', 'fetched', 'kept'];
    expect(
      await browsing.leaks(page, Object.fromEntries(names.map((name) => [name, `secret-${name}`]))),
    ).toEqual([
      'stored is in the storage of the page',
      'stored is in the storage of the browser',
      'typed is in the document',
      'shadowed is in the document',
      `replied is in reply of GET ${site}reply`,
      `streamed is in stream of ${site}`,
      `fetched is in stream of GET ${site}fetched`,
    ]);
  });
});

it('the clock of the server stands still until the test moves it', async () => {
  const stackId = await browsing.almanac.applyTemplate();
  const start = clock.now();
  const statusAfter = async (ms: number) => {
    clock.advance(ms);
    return (await browsing.almanac.describe(stackId)).stack_status;
  };
  expect(await statusAfter(0)).toBe('CREATE_IN_PROGRESS');
  expect(clock.now()).toBe(start);
  await eventually(
    () => statusAfter(1000),
    (status) => status === 'CREATE_COMPLETE',
  );
});
