import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveStubs } from '../served.ts';

const folder = mkdtempSync(join(tmpdir(), 'alm-console-'));
const script = 'console.log("the script");\n'.repeat(50);
const page = '<!doctype html><html lang="en"><script type="module" src="./assets/main-1a2b.js"></script>';
beforeAll(() => {
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), page);
  writeFileSync(join(folder, 'assets', 'main-1a2b.js'), script);
  writeFileSync(join(folder, 'assets', 'main-1a2b.js.br'), brotliCompressSync(script));
  writeFileSync(join(folder, 'assets', 'main-1a2b.js.gz'), gzipSync(script));
  writeFileSync(join(folder, 'assets', 'font-3c4d.woff2'), 'a font');
});
afterAll(() => rmSync(folder, { recursive: true }));

const serve = (prefix = '') => serveStubs({ console: { folder, prefix: () => prefix } });
const file = '/console/assets/main-1a2b.js';

describe('the page of the console', () => {
  test('is served with its policy at every path below /console/ that names no file', async () => {
    const { fetch } = await serve();
    for (const path of ['/console/', '/console/stack/mo-1/versions?from=a', '/console/sign-in/']) {
      const answer = await fetch(path);
      expect([path, answer.status, await answer.text()]).toEqual([
        path,
        200,
        page.replace('./assets', '/console/assets'),
      ]);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(answer.headers.get('content-security-policy')).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
          "base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'",
      );
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
      expect(answer.headers.get('cache-control')).toBe('no-cache');
    }
  });

  test('and its files are also served while the server is overloaded: they say so to people', async () => {
    const overload = { maxLag: 1000, meter: { lag: () => 5000, stop: () => {} } };
    const { fetch } = await serveStubs({ console: { folder, prefix: () => '' }, overload });
    for (const path of ['/console/', '/console/roles', file]) expect((await fetch(path)).status).toBe(200);
    expect((await fetch('/v3/item/1')).status).toBe(503);
  });

  test('is sent without looking for a session while the server is overloaded: the page asks for it later', async () => {
    const state = { lag: 5000, looked: 0 };
    const { fetch } = await serveStubs({
      console: { folder, prefix: () => '' },
      overload: { maxLag: 1000, meter: { lag: () => state.lag, stop: () => {} } },
      baseUrl: () => 'http://localhost',
      authenticate: async () => {
        state.looked += 1;
        return { id: 'user-1', allowed: true };
      },
    });
    const open = () => fetch('/console/', { headers: { cookie: 'alm=good' } });
    expect((await open()).headers.get('link')).toBeNull();
    expect(state.looked).toBe(0);
    state.lag = 0;
    expect((await open()).headers.get('link')).toContain('</v3/session>; rel=preload');
    expect(state.looked).toBe(1);
  });

  test('has the theme that the browser chose, so that it looks right before a script has run', async () => {
    const { fetch } = await serve();
    const pageFor = async (cookie: string) => (await fetch('/console/', { headers: { cookie } })).text();
    expect(await pageFor('a=b; alm-theme=light')).toContain('<html data-theme="light" lang="en">');
    for (const cookie of ['alm-theme=system', 'alm-theme=light"onload=', 'not-alm-theme=dark'])
      expect(await pageFor(cookie)).toContain('<html lang="en">');
  });

  test('is not sent again while it is the same', async () => {
    const { fetch } = await serve();
    const etag = (await fetch('/console/')).headers.get('etag') ?? '';
    const again = await fetch('/console/stack/mo-1', { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect((await fetch('/console/', { headers: { 'if-none-match': '"old"' } })).status).toBe(200);
  });

  test('/console leads to /console/, also below a prefix', async () => {
    const { fetch } = await serve('/alm');
    const answer = await fetch('/console');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/alm/console/']);
    expect(await (await fetch('/console/')).text()).toContain('src="/alm/console/assets/main-1a2b.js"');
  });
});

describe('the files of the console', () => {
  test.each([
    ['br', 'gzip, deflate, br', 'br'],
    ['gzip', 'gzip, br;q=0', 'gzip'],
    ['no encoding', 'identity', null],
    ['no encoding', '', null],
  ])('are sent with %s to a caller that accepts "%s"', async (_, accepted, encoding) => {
    const { fetch } = await serve();
    const answer = await fetch(file, { headers: { 'accept-encoding': accepted } });
    expect(answer.headers.get('content-encoding')).toBe(encoding);
    expect(answer.headers.get('vary')).toBe('Accept-Encoding');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(await answer.text()).toBe(script);
  });

  test('HEAD has the headers of GET and no body', async () => {
    const { fetch } = await serve();
    for (const path of ['/console/', file, '/console/assets/font-3c4d.woff2']) {
      const answer = await fetch(path, { method: 'HEAD' });
      expect([path, answer.status, await answer.text()]).toEqual([path, 200, '']);
      expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(0);
    }
  });

  test('a file whose read failed is an error that no cache keeps, and is sent as soon as it can be read', async () => {
    const late = join(folder, 'assets', 'late-5e6f.js');
    for (const ending of ['', '.br']) mkdirSync(late + ending);
    const { fetch } = await serve();
    const headers = { 'accept-encoding': 'br' };
    const failed = await fetch('/console/assets/late-5e6f.js', { headers });
    expect([failed.status, await failed.json()]).toMatchObject([500, { error: 'internal' }]);
    expect(failed.headers.get('cache-control')).toBeNull();
    expect(failed.headers.get('content-encoding')).toBeNull();
    for (const ending of ['', '.br']) rmSync(late + ending, { recursive: true });
    writeFileSync(late, script);
    writeFileSync(`${late}.br`, brotliCompressSync(script));
    const sent = await fetch('/console/assets/late-5e6f.js', { headers });
    expect([sent.status, await sent.text()]).toEqual([200, script]);
  });

  test('another name does not exist, wherever it leads', async () => {
    const { fetch } = await serve();
    const names = [
      'assets/none.js',
      'assets/main-1a2b.js.br',
      '..%2f..%2fpackage.json',
      'index.html',
      'assets/%00.js',
    ];
    for (const name of names)
      expect([name, (await fetch(`/console/${name}`)).status]).toEqual([name, expect.toBeOneOf([400, 404])]);
  });
});

test('a server whose console is not built says so, and works', async () => {
  const { fetch } = await serveStubs({ console: { folder: join(folder, 'none'), prefix: () => '' } });
  const answer = await fetch('/console/');
  expect(answer.status).toBe(404);
  expect(await answer.json()).toMatchObject({
    message: 'The web console is not built',
    description: 'Run npm run build, and start the server again.',
  });
  expect((await fetch('/healthz')).status).toBe(200);
});

test('a server without the console does not have its paths', async () => {
  const { fetch } = await serveStubs();
  expect((await fetch('/console/')).status).toBe(404);
});
