import { describe, expect, test } from 'vitest';
import { Failure } from '../../../src/basics/failure.ts';
import { route } from '../../../src/contract/route.ts';
import { reply } from '../../../src/server/http/binding.ts';
import { errorReply } from '../../../src/server/http/error-reply.ts';
import { bearer, bind, broken, item, jsonOf as json, openSocket, post, serveStubs } from '../served.ts';

describe('the error body', () => {
  test('the error body has exactly these members, all strings', async () => {
    const served = await serveStubs();
    const response = await served.fetch('/v3/nothing?token=x', { headers: { 'x-request-id': 'my-id.1' } });
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await json(response)).toEqual({
      code: '0404',
      error: 'not_found',
      message: 'No such route: GET /v3/nothing',
      description: '',
      request_id: 'my-id.1',
    });
  });

  test('an unexpected error reveals no internal details', async () => {
    const served = await serveStubs();
    const response = await served.fetch('/v3/broken');
    const body = await json(response);
    expect(response.status).toBe(500);
    expect(body).toEqual({
      code: '9000',
      error: 'internal',
      message: 'Internal server error',
      description: 'The error has been logged. Include the request_id in support requests.',
      request_id: response.headers.get('x-request-id'),
    });
  });

  test('an error after the reply was made has no header that describes the reply', async () => {
    const large = route({ ...item, name: 'large', path: '/v3/large/{item_id}', compressed: true });
    const served = await serveStubs({
      bindings: [
        bind(large, () =>
          reply({
            headers: { etag: '"1"', 'cache-control': 'public, max-age=3600' },
            body: { text: 'x'.repeat(10_000) },
          }),
        ),
      ],
      audit: async () => {
        throw new Error('the database is gone');
      },
    });
    const headers = { ...bearer('good'), 'accept-encoding': 'br' };
    const response = await served.fetch('/v3/large/1', { headers });
    expect([response.status, await json(response)]).toMatchObject([500, { error: 'internal' }]);
    for (const name of ['content-encoding', 'cache-control', 'etag'])
      expect([name, response.headers.get(name)]).toEqual([name, null]);
  });

  test('an error of another library with a statusCode is an internal error', async () => {
    const theirs = Object.assign(new Error('their secret'), { statusCode: 400, code: 'AccessDenied' });
    const served = await serveStubs({
      bindings: [
        bind(broken, () => {
          throw theirs;
        }),
      ],
    });
    expect((await served.fetch('/v3/broken')).status).toBe(500);
  });

  test('Retry-After comes from the failure', async () => {
    const slowDown = new Failure('too_many_requests', 'Too many requests', { retryAfter: 2.5 });
    const served = await serveStubs({
      bindings: [bind(broken, () => Promise.reject(slowDown))],
    });
    const response = await served.fetch('/v3/broken');
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe('3');
  });
});

describe('access', () => {
  test('a missing token, a wrong scheme and an unknown token get 401 with a challenge', async () => {
    const served = await serveStubs();
    for (const headers of [{}, { authorization: 'Basic dTpw' }, bearer('bad'), { authorization: 'Bearer' }]) {
      const response = await served.fetch('/v3/item/1', { headers });
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
      expect(await json(response)).toMatchObject({ code: '0401', error: 'unauthorized' });
    }
  });

  test('an action that the roles do not allow gets 403 with the RBAC member', async () => {
    const served = await serveStubs();
    const response = await served.fetch('/v3/item/1', { headers: bearer('good-but-denied') });
    expect(response.status).toBe(403);
    expect(await json(response)).toMatchObject({
      code: '4000',
      error: 'forbidden',
      message: 'RBAC response is limited.',
      RBAC: 'Action not allowed',
    });
  });

  test('the authorization scheme is case-insensitive, and the actor reaches the handler', async () => {
    const served = await serveStubs();
    const response = await served.fetch('/v3/item/1', { headers: { authorization: 'bearer good' } });
    expect(await json(response)).toEqual({ actor: 'user-1', item_id: '1' });
  });

  test('rejects unauthenticated requests before it reads the body', async () => {
    const served = await serveStubs();
    const init = post('{broken', 'text/xml');
    expect((await served.fetch('/v3/alm/template', init)).status).toBe(401);
  });
});

const ask = async (body: string, headers: Record<string, string> = {}) => {
  const served = await serveStubs();
  return served.fetch('/v3/access_token', {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });
};

describe('the token endpoint', () => {
  test('token replies are not cacheable, and HTTP Basic credentials are accepted', async () => {
    const basic = `Basic ${Buffer.from('client%41:right').toString('base64')}`;
    const response = await ask('grant_type=client_credentials', { authorization: basic });
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await json(response)).toEqual({
      token_type: 'Bearer',
      expires_in: 43200,
      access_token: 'client%41',
    });
  });

  test('token errors use RFC 6749 codes in addition to the common members', async () => {
    const response = await ask('grant_type=guess');
    expect(response.status).toBe(400);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await json(response)).toEqual({
      code: '1000',
      error: 'unsupported_grant_type',
      error_description: 'This grant is not supported',
      message: 'This grant is not supported',
      description: '',
      request_id: response.headers.get('x-request-id'),
    });
  });

  test('an unknown client gets a Basic challenge only if it used Basic', async () => {
    const wrong = `Basic ${Buffer.from('c:wrong').toString('base64')}`;
    const withBasic = await ask('grant_type=client_credentials', { authorization: wrong });
    expect(withBasic.status).toBe(401);
    expect(withBasic.headers.get('www-authenticate')).toBe('Basic realm="almanac"');
    const without = await ask('grant_type=client_credentials&client_secret=wrong');
    expect(without.status).toBe(401);
    expect(without.headers.get('www-authenticate')).toBe('Bearer realm="almanac"');
  });

  test('other client errors of the token endpoint are invalid_request', () => {
    const context = { requestId: 'r', style: 'oauth', usedBasic: false } as const;
    const tooLarge = errorReply(new Failure('too_large', 'Too large'), context);
    expect(tooLarge).toMatchObject({ status: 413, body: { code: '0413', error: 'invalid_request' } });
    expect(errorReply(new Error('x'), context).body.error).toBe('internal');
  });
});

describe('malformed requests', () => {
  test('a URL that cannot be decoded gets the error body', async () => {
    const served = await serveStubs();
    const socket = await openSocket(served.port);
    socket.send('GET /v3/item/%zz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    const answer = await socket.untilClosed();
    expect(answer).toContain('HTTP/1.1 400');
    expect(answer).toContain('"code":"1000"');
    expect(answer.toLowerCase()).toContain('x-request-id: ');
  });

  test('data that is not HTTP gets the error body', async () => {
    const served = await serveStubs();
    const socket = await openSocket(served.port);
    socket.send('NONSENSE\r\n\r\n');
    const answer = await socket.untilClosed();
    expect(answer).toContain('HTTP/1.1 400 Bad Request');
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({
      code: '1000',
      error: 'invalid_request',
    });
  });
});
