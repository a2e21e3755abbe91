import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { operationalRoutes } from '../../src/contract/operational.ts';
import type { Route } from '../../src/contract/route.ts';
import { v2Routes } from '../../src/contract/v2.ts';
import { v3Routes } from '../../src/contract/v3.ts';
import { oneServer } from '../world.ts';
import { useServedAlmanac } from './served-almanac.ts';

const almanac = useServedAlmanac();
const summaries = '/v3/alm/stack?view=summary';

interface Sent {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

/** `fetch` would decompress the reply. */
async function open(path: string, headers: Record<string, string>, method = 'GET'): Promise<IncomingMessage> {
  const authorization = `Bearer ${await almanac.userToken()}`;
  const outgoing = request(almanac.url + path, {
    method,
    headers: { authorization, ...headers },
    agent: false,
  });
  outgoing.end();
  const [reply] = (await once(outgoing, 'response')) as [IncomingMessage];
  return reply;
}

async function send(path: string, headers: Record<string, string>, method = 'GET'): Promise<Sent> {
  const reply = await open(path, headers, method);
  const chunks: Buffer[] = [];
  for await (const chunk of reply) chunks.push(chunk as Buffer);
  return { status: reply.statusCode, headers: reply.headers, bytes: Buffer.concat(chunks) };
}

const accepting = (encoding: string, path = summaries, method = 'GET') =>
  send(path, { 'accept-encoding': encoding }, method);

beforeAll(async () => {
  const ids = await Promise.all(Array.from({ length: 14 }, () => almanac.applyTemplate(oneServer(1))));
  for (const id of ids) await almanac.waitFor(id, 'CREATE_COMPLETE');
});

describe('a JSON reply over 4 KB without secrets', () => {
  it.each([
    ['gzip', 'gzip, deflate', gunzipSync],
    ['br', 'gzip, deflate, br', brotliDecompressSync],
  ] as const)(
    'is compressed with %s for a caller that accepts it, and has the same content',
    async (encoding, accepted, decompress) => {
      const [plain, compressed] = [await send(summaries, {}), await accepting(accepted)];
      expect(plain.bytes.length).toBeGreaterThan(4096);
      expect(plain.headers['content-encoding']).toBeUndefined();
      expect(compressed.headers).toMatchObject({
        'content-encoding': encoding,
        'content-type': 'application/json; charset=utf-8',
        'content-length': String(compressed.bytes.length),
      });
      expect(compressed.bytes.length).toBeLessThan(plain.bytes.length / 4);
      expect(decompress(compressed.bytes).toString()).toBe(plain.bytes.toString());
      for (const { headers } of [plain, compressed]) expect(headers.vary).toBe('Accept-Encoding');
      expect(compressed.headers['alm-cursor']).toMatch(/^\d+-[0-9a-f]{16}$/);
    },
  );

  it('is sent as it is to a caller that accepts no known encoding', async () => {
    for (const accepted of ['identity', 'deflate', 'gzip;q=0, br;q=0.0', 'zstd'])
      expect((await accepting(accepted)).headers['content-encoding']).toBeUndefined();
  });

  it('has for HEAD the headers of GET and no body', async () => {
    const [get, head] = [await accepting('gzip'), await accepting('gzip', summaries, 'HEAD')];
    expect(head.bytes).toHaveLength(0);
    for (const name of ['content-encoding', 'content-length', 'content-type', 'vary'])
      expect(head.headers[name]).toBe(get.headers[name]);
  });

  it('has a weak tag, the same for every encoding, and 304 has neither body nor encoding', async () => {
    const path = '/v3/alm/template/schema';
    const [plain, compressed] = [await send(path, {}), await accepting('br', path)];
    const tag = String(plain.headers.etag);
    expect(tag).toMatch(/^W\/"/);
    expect([compressed.headers.etag, compressed.headers['content-encoding']]).toEqual([tag, 'br']);
    const unchanged = await send(path, { 'accept-encoding': 'br', 'if-none-match': tag });
    expect([unchanged.status, unchanged.bytes.length]).toEqual([304, 0]);
    expect(unchanged.headers['content-encoding']).toBeUndefined();
    expect(unchanged.headers).toMatchObject({ etag: tag, vary: 'Accept-Encoding' });
  });
});

describe('never compressed is', () => {
  it('a reply that holds a secret: the list of stacks with their tokens', async () => {
    const full = await accepting('gzip, br', '/v3/alm/stack');
    expect(full.bytes.length).toBeGreaterThan(4096);
    expect(full.bytes.toString()).toContain('auth_token');
    expect(full.headers['content-encoding']).toBeUndefined();
    expect(full.headers.vary).toBeUndefined();
  });

  it('a small reply', async () => {
    const page = await accepting('gzip, br', `${summaries}&limit=1`);
    expect(page.headers['content-encoding']).toBeUndefined();
    expect(page.headers['content-length']).toBe(String(page.bytes.length));
  });

  it('an event stream', async () => {
    const stream = await open('/v3/alm/stack/stream', { 'accept-encoding': 'gzip, br' });
    expect(stream.headers['content-type']).toMatch(/^text\/event-stream/);
    expect(stream.headers['content-encoding']).toBeUndefined();
    stream.destroy();
  });
});

describe('a route that declares compressed replies', () => {
  const routes: readonly Route[] = [...v2Routes, ...v3Routes, ...operationalRoutes];
  const declared = routes.filter(({ compressed }) => compressed === true);

  it('only reads, replies with JSON, and declares no member for a secret', () => {
    expect(declared.map(({ name }) => name)).toContain('v2ListStackEvents');
    for (const { name, method, replies } of declared) {
      expect([name, method]).toEqual([name, 'GET']);
      expect(replies[200]?.schema, name).not.toBeNull();
      expect(JSON.stringify(replies[200]?.schema), name).not.toMatch(
        /"(auth_token|access_token|\w*secret\w*|\w*password\w*|private_key|pem)":/,
      );
    }
  });
});
