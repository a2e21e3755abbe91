import { describe, expect, test } from 'vitest';
import { bearer, jsonOf, openSocket, post, serveStubs } from '../served.ts';

const form = 'application/x-www-form-urlencoded';

const answerTo = async (body: string | Buffer, type: string, path = '/v3/echo') => {
  const served = await serveStubs();
  const response = await served.fetch(path, {
    method: 'POST',
    body: Buffer.from(body),
    headers: { 'content-type': type, ...bearer('good') },
  });
  return { status: response.status, body: await jsonOf(response) };
};

const problemAt = (path: string) => ({
  status: 400,
  body: { code: '1000', problems: [{ path, message: expect.stringContaining(path) }] },
});

describe('a body with NUL or half of a surrogate pair gets 400 with the path of the member', () => {
  test.each([
    ['NUL', String.raw`{"name":"a\u0000b"}`, 'name'],
    ['a high surrogate', String.raw`{"name":"a\ud800"}`, 'name'],
    ['a low surrogate', String.raw`{"name":"a","tags":["b","\udc00c"]}`, 'tags/1'],
    ['two high surrogates', String.raw`{"name":"\ud83d\ud83d\ude00"}`, 'name'],
    ['NUL in a member name', String.raw`{"name":"a","x\u0000":1}`, 'x\uFFFD'],
    ['NUL far inside', String.raw`{"name":"a","x":{"y":[{"z":"\u0000"}]}}`, 'x/y/0/z'],
  ])('%s in JSON', async (_, body, path) => {
    expect(await answerTo(body, 'application/json')).toMatchObject(problemAt(path));
  });

  test('NUL in a form field or its name', async () => {
    expect(await answerTo('name=a%00b', form)).toMatchObject(problemAt('name'));
    expect(await answerTo('name=a&tags=b&tags=%00', form)).toMatchObject(problemAt('tags/1'));
    expect(await answerTo('name=a&x%00=1', form)).toMatchObject(problemAt('x\uFFFD'));
  });

  test('a whole surrogate pair is an ordinary character', async () => {
    const { status, body } = await answerTo(String.raw`{"name":"\ud83d\ude00"}`, 'application/json');
    expect({ status, body }).toMatchObject({ status: 200, body: { body: { name: '😀' } } });
  });
});

describe('text that is not UTF-8 gets 400', () => {
  const bytes = (...values: (string | number)[]) =>
    Buffer.concat(values.map((value) => (typeof value === 'string' ? Buffer.from(value) : Buffer.of(value))));

  test.each([
    ['a lone continuation byte', bytes('{"name":"', 0x80, '"}')],
    ['an overlong slash', bytes('{"name":"', 0xc0, 0xaf, '"}')],
    ['an encoded surrogate', bytes('{"name":"', 0xed, 0xa0, 0x80, '"}')],
    ['a truncated character', bytes('{"name":"', 0xe2, 0x82, '"}')],
  ])('%s in a body', async (_, body) => {
    for (const type of ['application/json', form])
      expect(await answerTo(body, type)).toMatchObject({
        status: 400,
        body: { message: 'The request body is not valid UTF-8' },
      });
    for (const type of ['application/json', 'application/x-yaml', 'text/plain', form])
      expect(await answerTo(body, type, '/v3/alm/template')).toMatchObject({
        status: 400,
        body: { message: 'The request body is not valid UTF-8' },
      });
  });

  test.each(['%ff', '%ED%A0%80', '%E2%82', 'a%c0%afb'])('%s in a form field', async (text) => {
    expect(await answerTo(`name=${text}`, form)).toMatchObject(problemAt('name'));
  });

  test('a percent sign that encodes nothing is a percent sign', async () => {
    const { status, body } = await answerTo('name=100%&count=1', form);
    expect({ status, body }).toMatchObject({ status: 200, body: { body: { name: '100%' } } });
  });
});

describe('paths, queries and credentials with NUL or without UTF-8 get 400', () => {
  test.each(['%00', 'a%00b', '%ff', '%ED%A0%80', '%E2%82'])('%s in the path', async (text) => {
    const served = await serveStubs();
    const response = await served.fetch(`/v3/item/${text}`, { headers: bearer('good') });
    expect(response.status).toBe(400);
  });

  test.each(['%00', 'a%00b', '%ff', '%ED%A0%80', '%E2%82'])('%s in the query', async (text) => {
    const served = await serveStubs();
    const response = await served.fetch(`/v3/item/1?stack_id=${text}`, { headers: bearer('good') });
    expect({ status: response.status, body: await jsonOf(response) }).toMatchObject(problemAt('stack_id'));
  });

  test('an unknown query parameter counts too', async () => {
    const served = await serveStubs();
    expect((await served.fetch('/healthz?x=%00')).status).toBe(400);
  });

  test.each([
    ['NUL', Buffer.from('client\0:secret')],
    ['a lone byte', Buffer.from([0x61, 0x3a, 0xff])],
  ])('%s in HTTP Basic credentials', async (_, bytes) => {
    const served = await serveStubs();
    const sent = post('{"grant_type":"client_credentials"}', 'application/json');
    const authorization = `Basic ${bytes.toString('base64')}`;
    const response = await served.fetch('/v3/access_token', {
      ...sent,
      headers: { ...sent.headers, authorization },
    });
    expect(response.status).toBe(400);
    expect(await jsonOf(response)).toMatchObject({ problems: [{ path: 'authorization' }] });
  });

  test('NUL in a header', async () => {
    const served = await serveStubs();
    const socket = await openSocket(served.port);
    socket.send('GET /healthz HTTP/1.1\r\nHost: a\r\nX-Any: a\0b\r\n\r\n');
    expect(await socket.untilClosed()).toContain('HTTP/1.1 400');
  });

  test('a caller without a token learns only that a token is required', async () => {
    const served = await serveStubs();
    expect((await served.fetch('/v3/item/%00')).status).toBe(401);
  });
});
