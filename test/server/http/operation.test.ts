import { Counter } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { createMetrics } from '../../../src/server/operational/metrics.ts';
import { bearer, jsonOf, serveStubs } from '../served.ts';

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
    expect(policy).not.toContain('upgrade-insecure-requests');
    const html = await page.text();
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)[^>]*>/);
    const files = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '');
    expect(files.length).toBeGreaterThan(3);
    for (const file of files) {
      const address = new URL(file, `${served.url}${path}`);
      expect(address.origin).toBe(served.url);
      const response = await fetch(address);
      expect(response.status, file).toBe(200);
      expect((await response.arrayBuffer()).byteLength, file).toBeGreaterThan(100);
    }
  });

  test('the API reference page uses the same OpenAPI document', async () => {
    const served = await serveStubs();
    const own = await (await served.fetch('/openapi.json')).json();
    expect(await (await served.fetch('/docs/json')).json()).toEqual(own);
  });
});
