import { Counter } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { createMetrics } from '../../../src/server/operational/metrics.ts';
import { bearer, jsonOf, openSocket, serveStubs } from '../served.ts';

describe('health', () => {
  test('/healthz reports that the process is alive', async () => {
    const served = await serveStubs({ readiness: async () => 'never' });
    expect(await (await served.fetch('/healthz')).json()).toEqual({ status: 'ok', version: '1.2.3' });
  });

  test('/readyz reports whether requests can be served, and the reason if not', async () => {
    let reason: string | null = null;
    const served = await serveStubs({ readiness: async () => reason });
    expect((await served.fetch('/readyz')).status).toBe(200);
    reason = 'The database does not answer';
    const response = await served.fetch('/readyz');
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('5');
    expect(await response.json()).toMatchObject({ code: '9003', message: 'The database does not answer' });
  });

  test('an error in the readiness check is logged and not returned to the caller', async () => {
    const served = await serveStubs({
      readiness: async () => {
        throw new Error('connection refused at 10.0.0.7');
      },
    });
    const response = await served.fetch('/readyz');
    expect(response.status).toBe(503);
    expect(await response.text()).not.toContain('10.0.0.7');
    expect(served.log()).toContain('connection refused at 10.0.0.7');
  });
});

describe('metrics', () => {
  test('/metrics counts requests by route template, method and status', async () => {
    const served = await serveStubs();
    await served.fetch('/v3/item/12345', { headers: bearer('good') });
    await served.fetch('/v3/item/67890');
    await served.fetch('/v3/made-up-address');
    const response = await served.fetch('/metrics');
    expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
    const text = await response.text();
    const count = (labels: string) => text.includes(`http_request_duration_seconds_count{${labels}} 1`);
    expect(count('method="GET",route="/v3/item/{item_id}",status="200"')).toBe(true);
    expect(count('method="GET",route="/v3/item/{item_id}",status="401"')).toBe(true);
    expect(count('method="GET",route="none",status="404"')).toBe(true);
    expect(text).not.toContain('12345');
    expect(text).not.toContain('made-up');
    expect(text).toContain('process_cpu_seconds_total');
  });

  test('/metrics includes metrics that other components register', async () => {
    const metrics = createMetrics();
    new Counter({ name: 'passes_total', help: 'Passes.', registers: [metrics.registry] }).inc(3);
    const served = await serveStubs({ metrics });
    expect(await (await served.fetch('/metrics')).text()).toContain('passes_total 3');
  });
});

describe('the API reference', () => {
  test('/openapi.json describes the served routes', async () => {
    const served = await serveStubs();
    const document = await jsonOf(await served.fetch('/openapi.json'));
    expect(document['openapi']).toBe('3.1.0');
    expect(document['info']).toMatchObject({ version: '1.2.3' });
    expect(Object.keys(document['paths'] ?? {})).toEqual(
      expect.arrayContaining(['/v3/item/{item_id}', '/healthz', '/docs']),
    );
  });

  test.each(['/docs', '/docs/'])('%s serves a page whose files all come from this server', async (path) => {
    const served = await serveStubs();
    const page = await served.fetch(path);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toContain('text/html');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/unsafe-|upgrade-insecure-requests/);
    const html = await page.text();
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)[^>]*>|<style|\bstyle=|\bon\w+=/);
    const files = [...html.matchAll(/<(?:script|link|img)[^>]*(?:src|href)="([^"]+)"/g)].map(
      ([, file]) => file ?? '',
    );
    expect(files).toHaveLength(3);
    for (const file of files) {
      const address = new URL(file, `${served.url}${path}`);
      expect(address.origin).toBe(served.url);
      const response = await fetch(address);
      expect(response.status, file).toBe(200);
      expect((await response.arrayBuffer()).byteLength, file).toBeGreaterThan(100);
    }
  });

  test('the API reference shows every route of this server, and every link in it leads somewhere', async () => {
    const served = await serveStubs();
    const links = (html: string) => [...html.matchAll(/href="(\/docs[^"]*)"/g)].map(([, link]) => link ?? '');
    const pages = new Map<string, string>();
    const read = async (path: string): Promise<string> => {
      const html = pages.get(path) ?? (await (await served.fetch(path)).text());
      pages.set(path, html);
      return html;
    };
    for (const link of links(await read('/docs'))) await read(link.split('#')[0] ?? '');
    for (const link of [...pages.values()].flatMap(links)) {
      const [path = '', anchor] = link.split('#');
      if (anchor) expect(await read(path), link).toContain(`<article id="${anchor}"`);
    }
    const text = [...pages.values()].join();
    for (const path of ['/v3/item/{item_id}', '/v3/echo', '/healthz'])
      expect(text).toContain(`<code>${path}</code>`);
    expect(text).toContain('0 to 10');
  });

  test('a page of the API reference is compressed as the caller accepts, each with an ETag of its own', async () => {
    const served = await serveStubs();
    const replies = await Promise.all(
      ['br, gzip', 'gzip;q=0.5', 'br;q=0, identity'].map((accept) =>
        served.fetch('/docs', { headers: { 'accept-encoding': accept } }),
      ),
    );
    expect(replies.map(({ headers }) => headers.get('content-encoding'))).toEqual(['br', 'gzip', null]);
    expect(new Set(replies.map(({ headers }) => headers.get('etag'))).size).toBe(3);
    expect(new Set(await Promise.all(replies.map((each) => each.text()))).size).toBe(1);
    expect(replies.map(({ headers }) => headers.get('vary'))).toEqual(Array(3).fill('accept-encoding'));
  });

  test('a caller that has a file of the API reference gets 304 without a body', async () => {
    const served = await serveStubs();
    for (const path of ['/docs', '/docs/schemas', '/docs/static/reference.js']) {
      const first = await served.fetch(path);
      const etag = first.headers.get('etag') ?? '';
      expect(etag).toMatch(/^"[\w-]{22}"$/);
      for (const tags of [etag, `"other", W/${etag}`, '*']) {
        const again = await served.fetch(path, { headers: { 'if-none-match': tags } });
        expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
      }
      expect((await served.fetch(path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
      expect((await served.fetch(path, { method: 'HEAD' })).headers.get('etag')).toBe(etag);
    }
  });

  test.each([
    '/docs/static/../../package.json',
    '/docs/static/../..',
    '/docs/static/%2e%2e%2f%2e%2e%2fpackage.json',
    '/docs/static/..%5c..%5cpackage.json',
    '/docs/static/__proto__',
    '/docs/static/constructor',
    `/docs/static/${'a'.repeat(400)}`,
    `/docs/static/${'a'.repeat(5000)}`,
    `/docs/static/${'%2e%2e%2f'.repeat(500)}`,
    '/docs/static/',
    '/docs/static',
    '/docs/nothing',
    '/docs/__proto__',
  ])('%s is not part of the API reference and answers 404', async (path) => {
    const served = await serveStubs();
    const socket = await openSocket(served.port);
    // fetch would resolve the dots itself.
    socket.send(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect((await socket.untilClosed()).split('\r\n')[0]).toBe('HTTP/1.1 404 Not Found');
  });

  test.each(['/docs/static/%00', '/docs/static/index.css%00.js'])('%s is refused as text', async (path) => {
    const served = await serveStubs();
    expect((await served.fetch(path)).status).toBe(400);
  });
});
