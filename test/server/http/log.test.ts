import { Writable } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { createLog } from '../../../src/basics/log.ts';
import { readableTexts, secretTexts } from '../../basics/text/secret-texts.ts';
import { bearer, bind, echo, openSocket, post, serveStubs } from '../served.ts';

test('logs one line per request with method, route, status, duration and actor', async () => {
  const served = await serveStubs();
  await served.fetch('/v3/item/1?x=2', { headers: { ...bearer('good'), 'x-request-id': 'trace-1' } });
  await served.close();
  const lines = served.logLines().filter((line) => line['request_id'] === 'trace-1');
  expect(lines).toEqual([
    {
      level: 'info',
      time: expect.any(String),
      method: 'GET',
      route: '/v3/item/{item_id}',
      status: 200,
      ms: expect.any(Number),
      request_id: 'trace-1',
      actor: 'user-1',
      msg: 'request',
    },
  ]);
});

test('logs the kind of failure, and only internal errors at error level with their cause', async () => {
  const served = await serveStubs();
  await served.fetch('/v3/item/1', { headers: { 'x-request-id': 'refused' } });
  await served.fetch('/v3/broken', { headers: { 'x-request-id': 'broke' } });
  await served.close();
  const line = (id: string) => served.logLines().find((one) => one['request_id'] === id);
  expect(line('refused')).toMatchObject({ level: 'info', status: 401, failure: 'unauthorized' });
  expect(line('broke')).toMatchObject({ level: 'error', status: 500, failure: 'internal' });
  expect(JSON.stringify(line('broke'))).toContain('the database at postgres://[redacted]@db is gone');
});

test('logs a request whose client disconnects', async () => {
  const served = await serveStubs();
  const socket = await openSocket(served.port);
  const head = 'POST /v3/echo HTTP/1.1\r\nHost: a\r\nX-Request-Id: gone\r\nContent-Length: 9\r\n\r\n';
  socket.send(`${head}{"na`);
  // The answer to a second request proves that the first has arrived.
  await served.fetch('/healthz');
  socket.end();
  await vi.waitFor(() =>
    expect(served.logLines().filter((line) => line['request_id'] === 'gone')).toMatchObject([
      { route: '/v3/echo', msg: 'request aborted' },
    ]),
  );
});

test('logs health probes at debug level only', async () => {
  const served = await serveStubs();
  await served.fetch('/healthz');
  await served.close();
  expect(served.logLines().filter((line) => line['route'] === '/healthz')).toMatchObject([
    { level: 'debug' },
  ]);
});

test('no token, client secret or password reaches the log, whatever the outcome of the request', async () => {
  const secrets = ['tok-5ecret', 'cl1ent-5ecret', 'pa55word', 'dbpassword', 'leaked-token-1'];
  const fields = 'client_secret=cl1ent-5ecret&password=pa55word&grant_type=password&name=a';
  const asJson = '{"client_secret":"cl1ent-5ecret","password":"pa55word","name":"a"}';
  const form = 'application/x-www-form-urlencoded';
  const query = '?access_token=tok-5ecret&password=pa55word';
  const basic = { authorization: `Basic ${Buffer.from('c:cl1ent-5ecret').toString('base64')}` };
  const encoded = Buffer.from('c:cl1ent-5ecret').toString('base64');
  const served = await serveStubs({ readiness: () => Promise.reject(new Error('password=pa55word')) });
  const bodies = [
    post(fields, form),
    post(asJson, 'application/json'),
    post(asJson.slice(0, -1), 'application/json'),
    post(asJson, 'text/xml'),
    post(`${asJson}${' '.repeat(1024 * 1024)}`, 'application/json'),
  ];
  const paths = ['/v3/access_token', '/v3/echo', '/v3/item/1', '/v3/nothing', '/v3/alm/template'];
  for (const path of paths) {
    for (const init of bodies) {
      for (const headers of [bearer('tok-5ecret'), bearer('good-tok-5ecret'), basic]) {
        await served.fetch(path + query, { ...init, headers: { ...init.headers, ...headers } });
      }
    }
  }
  for (const path of ['/v3/broken', '/v3/item/%zz', '/v3/item/1', '/readyz', '/v3/echo']) {
    await served.fetch(path + query, { headers: bearer('good-tok-5ecret') });
  }
  await served.close();
  expect(served.logLines().length).toBeGreaterThanOrEqual(79);
  for (const secret of [...secrets, encoded]) expect(served.log()).not.toContain(secret);
});

test('extra members of library errors are not logged', async () => {
  const theirs = Object.assign(new Error('failed'), {
    config: { headers: { authorization: 'Bearer hidden1' } },
  });
  const served = await serveStubs({
    bindings: [bind(echo, () => Promise.reject(new Error('outer', { cause: theirs })))],
  });
  await served.fetch('/v3/echo', post('{"name":"a"}'));
  await served.close();
  expect(served.log()).toContain('outer');
  expect(served.log()).not.toContain('hidden1');
});

test('redacts secrets that are logged by mistake', () => {
  let written = '';
  const log = createLog({
    level: 'info',
    destination: new Writable({
      write(chunk, _encoding, done) {
        written += String(chunk);
        done();
      },
    }),
  });
  log.info(
    { password: 'p1', body: { client_secret: 'p2' }, a: { headers: { authorization: 'p3' } } },
    'oops',
  );
  log.info({ req: { headers: { cookie: 'p4' } }, err: new Error('Bearer p5 and token=p6') }, 'oops');
  expect(written.trim().split('\n')).toHaveLength(2);
  expect(written).not.toMatch(/p[1-6]/);
});

test('an error is logged without anything in its message and stack that looks like a secret', () => {
  let written = '';
  const destination = { write: (line: string) => void (written += line) };
  const log = createLog({ level: 'info', destination });
  for (const [text] of secretTexts) log.error({ err: new Error(text) }, 'failed');
  for (const text of readableTexts) log.error({ err: new Error(text) }, 'failed');
  for (const [, secret] of secretTexts) expect(written).not.toContain(secret);
  for (const text of readableTexts) expect(written).toContain(text);
});
