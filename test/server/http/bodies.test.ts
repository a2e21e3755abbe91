import { describe, expect, test } from 'vitest';
import { bearer, jsonOf, openSocket, post, type Sent, serveStubs } from '../served.ts';

const form = 'application/x-www-form-urlencoded';

const echo = async (init: RequestInit) => {
  const served = await serveStubs();
  const response = await served.fetch('/v3/echo', init);
  return { status: response.status, body: await jsonOf(response) };
};

const remove = async (body: string | undefined, headers: Record<string, string>) => {
  const served = await serveStubs();
  const init = body === undefined ? {} : { body };
  const sent = { method: 'DELETE', ...init, headers: { ...headers, ...bearer('good') } };
  return jsonOf(await served.fetch('/v3/item/i1', sent));
};

const apply = async (init: Sent) => {
  const served = await serveStubs();
  const headers = { ...init.headers, ...bearer('good') };
  const response = await served.fetch('/v3/alm/template?nickname=n', { ...init, headers });
  const { stack_id: format, version_id: text, status: input } = await jsonOf(response);
  return { status: response.status, format, text, input: String(input) };
};

describe('bodies with named fields', () => {
  test('accepts a JSON body', async () => {
    const { status, body } = await echo(
      post('{"name":"a","count":2,"extra":{"kept":true}}', 'application/json'),
    );
    expect(status).toBe(200);
    expect(body['body']).toEqual({ name: 'a', count: 2, extra: { kept: true } });
  });

  test.each([form, `${form}; charset=utf-8`])(
    'accepts %s and converts values to the types of the schema',
    async (type) => {
      const { status, body } = await echo(post('name=a+b&count=2&on=true&tags=x&extra=1', type));
      expect(status).toBe(200);
      expect(body['body']).toEqual({ name: 'a b', count: 2, on: true, tags: ['x'], extra: '1' });
    },
  );

  test('accepts a repeated form field only where the schema declares an array', async () => {
    const { body } = await echo(post('name=a&tags=x&tags=y', form));
    expect(body['body']).toEqual({ name: 'a', tags: ['x', 'y'] });
    const rejected = await echo(post('name=a&name=b', form));
    expect(rejected.status).toBe(400);
    expect(rejected.body['problems']).toEqual([{ path: 'name', message: 'name is set more than once' }]);
  });

  test('parses a body without a Content-Type as JSON', async () => {
    const { status, body } = await echo(post('{"name":"gateway"}'));
    expect(status).toBe(200);
    expect(body['body']).toEqual({ name: 'gateway' });
  });

  test('accepts JSON with a charset and a byte order mark', async () => {
    const { status } = await echo(post('\uFEFF{"name":"a"}', 'application/json; charset=utf-8'));
    const two = await echo(post(`\uFEFF\uFEFF${'['.repeat(65)}`, 'application/json'));
    expect(two.status).toBe(400);
    expect(status).toBe(200);
  });

  test('rejects a fraction and text in an integer form field', async () => {
    for (const count of ['1.5', 'abc', '']) {
      const { status, body } = await echo(post(`name=a&count=${count}`, form));
      expect(status).toBe(400);
      expect(body['problems']).toEqual([{ path: 'count', message: 'count must be an integer' }]);
    }
  });

  test('does not convert strings in JSON to numbers', async () => {
    const { body } = await echo(post('{"name":"a","count":"2"}', 'application/json'));
    expect(body['problems']).toEqual([{ path: 'count', message: 'count must be an integer' }]);
  });

  test('rejects malformed JSON with the position and without quoting the body', async () => {
    const { status, body } = await echo(post('{"name": "hunter2",}', 'application/json'));
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: '1000', message: 'The request body is not valid JSON' });
    expect(body['description']).toBe('Syntax error at line 1, column 20.');
    expect(JSON.stringify(body)).not.toContain('hunter2');
  });

  test.each([
    ['arrays', '['.repeat(20_000), ']'.repeat(20_000)],
    ['objects', '{"a":'.repeat(20_000) + '1', '}'.repeat(20_000)],
    ['65 levels', '['.repeat(64), ']'.repeat(64)],
    ['truncated text', '['.repeat(500_000), ''],
  ])('rejects too deeply nested %s with 400', async (_name, opened, closed) => {
    const { status, body } = await echo(post(`{"name":"a","extra":${opened}${closed}}`, 'application/json'));
    expect(status).toBe(400);
    expect(body).toMatchObject({
      error: 'invalid_request',
      message: 'The request body is nested more than 64 levels deep',
    });
  });

  test('accepts 64 levels of nesting and ignores brackets in strings', async () => {
    const deep = `${'['.repeat(63)}${']'.repeat(63)}`;
    const name = `"${'[{'.repeat(100)}\\"${'['.repeat(100)}"`;
    const { status } = await echo(
      post(`{"name":${name},"extra":${deep},"more":[[],[]]}`, 'application/json'),
    );
    expect(status).toBe(200);
  });

  test.each([
    ['{"name":"a","__proto__":{"admin":true}}', 'application/json'],
    ['{"name":"a","deep":{"\\u005f_proto__":1}}', 'application/json'],
    ['name=a&__proto__=1', form],
  ])('rejects %s', async (text, type) => {
    const { status, body } = await echo(post(text, type));
    expect(status).toBe(400);
    expect(String(body['message'])).toContain('__proto__');
  });

  test.each(['text/xml', 'multipart/form-data; boundary=x', 'application/x-yaml'])(
    'rejects %s with 415',
    async (type) => {
      const { status, body } = await echo(post('<a/>', type));
      expect(status).toBe(415);
      expect(body).toMatchObject({ code: '0415', error: 'unsupported_media_type' });
    },
  );

  test('rejects a compressed body with 415', async () => {
    const init = post('{"name":"a"}', 'application/json');
    const { status } = await echo({ ...init, headers: { ...init.headers, 'content-encoding': 'gzip' } });
    expect(status).toBe(415);
  });

  test('a missing body reports the required members', async () => {
    const { status, body } = await echo({ method: 'POST' });
    expect(status).toBe(400);
    expect(body['problems']).toEqual([{ path: 'name', message: 'name not specified' }]);
  });

  test('rejects a body larger than 1 MiB with 413, with and without Content-Length', async () => {
    const served = await serveStubs();
    const large = JSON.stringify({ name: 'x'.repeat(1024 * 1024) });
    const response = await served.fetch('/v3/echo', post(large, 'application/json'));
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ code: '0413', error: 'too_large' });
    const socket = await openSocket(served.port);
    socket.send('POST /v3/echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n');
    socket.send(`${large.length.toString(16)}\r\n${large}\r\n`);
    expect(await socket.untilReceived('0413')).toContain('HTTP/1.1 413');
  });

  test('accepts a body just under 1 MiB', async () => {
    const { status } = await echo(
      post(JSON.stringify({ name: 'x'.repeat(1024 * 1023) }), 'application/json'),
    );
    expect(status).toBe(200);
  });
});

describe('DELETE requests', () => {
  test('DELETE accepts a JSON body', async () => {
    const headers = { 'content-type': 'application/json' };
    expect(await remove('{"username":"ann"}', headers)).toEqual({ item_id: 'i1', username: 'ann' });
  });

  test('DELETE requires neither a body nor a Content-Type and ignores a Content-Type without a body', async () => {
    expect(await remove(undefined, {})).toEqual({ item_id: 'i1' });
    expect(await remove(undefined, { 'content-type': 'application/json' })).toEqual({ item_id: 'i1' });
  });
});

describe('document bodies', () => {
  test.each([
    ['{"version":"x"}', 'application/json', 'json'],
    ['{broken', 'application/json', 'json'],
    ['version: x\n', 'application/x-yaml', 'yaml'],
    ['version: x\n', 'application/yaml; charset=utf-8', 'yaml'],
    ['version: x\n', 'text/yaml', 'yaml'],
    ['version: x\n', 'text/plain', 'yaml'],
    [' {"version":"x"}', 'text/plain', 'json'],
    ['{"version":"x"}', undefined, 'json'],
  ])('%j sent as %s reaches the handler unchanged, with format %s', async (text, type, format) => {
    expect(await apply(post(text, type))).toMatchObject({ status: 201, format, text });
  });

  test.each([
    ['{"a":1}', 'json'],
    ['a: 1\n', 'yaml'],
  ])('the form field template with %j has format %s', async (text, format) => {
    const body = new URLSearchParams({ template: text }).toString();
    expect(await apply(post(body, form))).toMatchObject({ status: 201, format, text });
  });

  test('rejects a form without the field template with 400, and other media types with 415', async () => {
    expect((await apply(post('other=1', form))).status).toBe(400);
    expect((await apply(post('x', 'image/png'))).status).toBe(415);
  });

  test('passes an empty document to the handler, which reports its own error code', async () => {
    expect(await apply({ method: 'POST', headers: {} })).toMatchObject({ status: 201, text: '' });
  });

  test('passes declared headers and query parameters to the handler', async () => {
    const init = post('{}', 'application/json');
    const { input } = await apply({ ...init, headers: { ...init.headers, 'Idempotency-Key': 'k1' } });
    expect(JSON.parse(input)).toMatchObject({
      headers: { 'idempotency-key': 'k1' },
      query: { nickname: 'n' },
    });
  });
});
