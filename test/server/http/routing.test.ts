import { describe, expect, test } from 'vitest';
import { bearer, openSocket, post, serveStubs } from '../served.ts';

describe('addresses', () => {
  test.each(['/v3/item/1', '/v3/item/1/', '//v3//item/1', '/v3/item//1///'])(
    '%s is served, not redirected',
    async (path) => {
      const served = await serveStubs();
      const response = await served.fetch(path, { headers: bearer('good') });
      expect(response.status).toBe(200);
    },
  );

  test('an encoded parameter is decoded', async () => {
    const served = await serveStubs();
    const response = await served.fetch('/v3/item/a%2Fb%20c', { headers: bearer('good') });
    expect(await response.json()).toMatchObject({ item_id: 'a/b c' });
  });

  test('HEAD works where GET does, without a body', async () => {
    const served = await serveStubs();
    const response = await served.fetch('/v3/item/1', { method: 'HEAD', headers: bearer('good') });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe('32');
    expect(await response.text()).toBe('');
    expect((await served.fetch('/v3/item/1', { method: 'HEAD' })).status).toBe(401);
  });

  test.each(['PATCH', 'PUT', 'POST'])('%s where it is not served is a 405 with Allow', async (method) => {
    const served = await serveStubs();
    const response = await served.fetch('/v3/item/1/', { method });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, DELETE, HEAD, OPTIONS');
    expect(await response.json()).toMatchObject({ code: '0405', error: 'method_not_allowed' });
  });

  test('a method nobody has heard of is a 405 too', async () => {
    const served = await serveStubs();
    const socket = await openSocket(served.port);
    socket.send('PROPFIND /v3/item/1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    expect(await socket.untilClosed()).toContain('HTTP/1.1 405');
  });

  test('an unknown address is a 404 whatever it carries', async () => {
    const served = await serveStubs();
    const response = await served.fetch('/v3/alm/nothing', post('{broken', 'text/xml'));
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: '0404' });
  });

  test('a very long parameter is a plain 404', async () => {
    const served = await serveStubs();
    const response = await served.fetch(`/v3/item/${'x'.repeat(2000)}`, { headers: bearer('good') });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: '0404' });
    expect(response.headers.get('x-request-id')).toBeTruthy();
  });

  test('a handler may answer without a body', async () => {
    const served = await serveStubs();
    const response = await served.fetch('/v3/silent', post('a=1', 'application/x-www-form-urlencoded'));
    expect(response.status).toBe(202);
    expect(response.headers.get('content-length')).toBe('0');
    expect(await response.text()).toBe('');
  });
});

describe('browsers of other origins', () => {
  test('OPTIONS answers 204 with what is allowed, without a token', async () => {
    const served = await serveStubs();
    const response = await served.fetch('/v3/item/1', {
      method: 'OPTIONS',
      headers: { origin: 'https://console.example', 'access-control-request-method': 'DELETE' },
    });
    expect(response.status).toBe(204);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      allow: 'GET, DELETE, HEAD, OPTIONS',
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE, OPTIONS',
      'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key, If-Match',
      'access-control-max-age': '86400',
    });
    expect((await served.fetch('/v3/none', { method: 'OPTIONS' })).status).toBe(404);
  });

  test('every reply may be read from another origin, errors too', async () => {
    const served = await serveStubs();
    for (const path of ['/healthz', '/v3/nothing', '/v3/item/1', '/v3/broken']) {
      const { headers } = await served.fetch(path);
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-expose-headers')).toBe(
        'Link, X-Next-Cursor, X-Request-Id, Retry-After',
      );
    }
  });
});

describe('every reply', () => {
  test('carries the security headers', async () => {
    const served = await serveStubs();
    for (const path of ['/healthz', '/v3/nothing', '/v3/item/1', '/docs', '/v3/broken']) {
      const { headers } = await served.fetch(path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
    }
  });

  test('carries the request id: the caller’s when it is harmless, else a new one', async () => {
    const served = await serveStubs();
    const idFor = async (path: string, id: string) =>
      (await served.fetch(path, { headers: { 'x-request-id': id } })).headers.get('x-request-id');
    expect(await idFor('/healthz', 'Trace_1.a-b')).toBe('Trace_1.a-b');
    expect(await idFor('/v3/nothing', 'abc')).toBe('abc');
    for (const bad of ['a b', 'x'.repeat(65), '<script>', '']) {
      expect(await idFor('/healthz', bad)).toMatch(/^[A-Za-z0-9]{20}$/);
    }
  });
});
