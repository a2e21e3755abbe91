import { describe, expect, test } from 'vitest';
import { route } from '../../../src/contract/route.ts';
import { bearer, bind, item, openSocket, post, serveStubs, stubs } from '../served.ts';

describe('paths', () => {
  test.each(['/v3/item/1', '/v3/item/1/', '//v3//item/1', '/v3/item//1///'])(
    '%s is served without a redirect',
    async (path) => {
      const served = await serveStubs();
      const response = await served.fetch(path, { headers: bearer('good') });
      expect(response.status).toBe(200);
    },
  );

  test('decodes an encoded path parameter', async () => {
    const served = await serveStubs();
    const response = await served.fetch('/v3/item/a%2Fb%20c', { headers: bearer('good') });
    expect(await response.json()).toMatchObject({ item_id: 'a/b c' });
  });

  test('HEAD works like GET without a body', async () => {
    const served = await serveStubs();
    const response = await served.fetch('/v3/item/1', { method: 'HEAD', headers: bearer('good') });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe('32');
    expect(await response.text()).toBe('');
    expect((await served.fetch('/v3/item/1', { method: 'HEAD' })).status).toBe(401);
  });

  test.each(['PATCH', 'PUT', 'POST'])('%s on a route without it gets 405 with Allow', async (method) => {
    const served = await serveStubs();
    const response = await served.fetch('/v3/item/1/', { method });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, DELETE, HEAD, OPTIONS');
    expect(await response.json()).toMatchObject({ code: '0405', error: 'method_not_allowed' });
  });

  test.each(['PROPFIND', 'QUERY', 'BREW'])('the unknown method %s gets 405 with Allow', async (method) => {
    const served = await serveStubs();
    const socket = await openSocket(served.port);
    socket.send(`${method} /v3/item/1?a=b HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    const answer = await socket.untilClosed();
    expect(answer).toContain('HTTP/1.1 405');
    expect(answer).toMatch(/\r\nAllow: GET, DELETE, HEAD, OPTIONS\r\n/i);
  });

  test('what is not HTTP gets 400', async () => {
    const served = await serveStubs();
    for (const text of ['QUERY /v3/nothing HTTP/1.1\r\n\r\n', '\x16\x03\x01\x02\r\n\r\n', 'BREW\r\n\r\n']) {
      const socket = await openSocket(served.port);
      socket.send(text);
      expect(await socket.untilClosed()).toContain('HTTP/1.1 400');
    }
  });

  test('a path without parameters has only its own methods, though another path matches it', async () => {
    const some = route({ ...item, name: 'some', method: 'POST', path: '/v3/item/some' });
    const served = await serveStubs({ bindings: [...stubs, bind(some, () => ({}))] });
    const response = await served.fetch('/v3/item/some', { headers: bearer('good') });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST, OPTIONS');
  });

  test('an unknown path gets 404 whatever the body is', async () => {
    const served = await serveStubs();
    const response = await served.fetch('/v3/alm/nothing', post('{broken', 'text/xml'));
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: '0404' });
  });

  test('a very long path parameter gets 404', async () => {
    const served = await serveStubs();
    const response = await served.fetch(`/v3/item/${'x'.repeat(2000)}`, { headers: bearer('good') });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: '0404' });
    expect(response.headers.get('x-request-id')).toBeTruthy();
  });

  test('a handler can reply without a body', async () => {
    const served = await serveStubs();
    const response = await served.fetch('/v3/silent', post('a=1', 'application/x-www-form-urlencoded'));
    expect(response.status).toBe(202);
    expect(response.headers.get('content-length')).toBe('0');
    expect(await response.text()).toBe('');
  });
});

describe('cross-origin requests', () => {
  test('OPTIONS returns 204 with the allowed methods, without a token', async () => {
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

  test('every reply, including errors, can be read from other origins', async () => {
    const served = await serveStubs();
    for (const path of ['/healthz', '/v3/nothing', '/v3/item/1', '/v3/broken']) {
      const { headers } = await served.fetch(path);
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-expose-headers')).toBe(
        'Link, X-Next-Cursor, Alm-Cursor, X-Request-Id, Retry-After',
      );
    }
  });
});

describe('every reply', () => {
  test('every reply has the security headers', async () => {
    const served = await serveStubs();
    for (const path of ['/healthz', '/v3/nothing', '/v3/item/1', '/docs', '/v3/broken']) {
      const { headers } = await served.fetch(path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
    }
  });

  test('every reply has a request id: that of the caller if it is safe, otherwise a new one', async () => {
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
