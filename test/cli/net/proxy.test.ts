import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { realClock } from '../../../src/basics/clock.ts';
import { proxyFor } from '../../../src/cli/net/proxy.ts';
import { openSocket } from '../../../src/cli/terminal/open-socket.ts';
import { type Served, serveForAlm } from '../alm.ts';
import { certificate, secureFront, TestProxy } from './proxy-world.ts';

describe('the proxy for an address', () => {
  const secure = 'https://api.example.com/v3';
  const proxy = 'http://proxy.example.com:3128';
  const chosen = (env: Record<string, string>, url = secure): string | undefined =>
    proxyFor(env, new URL(url))?.url.href;

  it.each([
    ['nothing is said', {}, secure, undefined],
    ['https_proxy', { https_proxy: proxy }, secure, `${proxy}/`],
    ['HTTPS_PROXY', { HTTPS_PROXY: proxy }, secure, `${proxy}/`],
    [
      'the small letters count first',
      { HTTPS_PROXY: 'http://other', https_proxy: proxy },
      secure,
      `${proxy}/`,
    ],
    ['one for plain addresses', { http_proxy: proxy }, secure, undefined],
    ['a plain address', { http_proxy: proxy }, 'http://api.example.com', `${proxy}/`],
    ['a terminal', { https_proxy: proxy }, 'wss://api.example.com', `${proxy}/`],
    ['a plain terminal', { http_proxy: proxy }, 'ws://api.example.com', `${proxy}/`],
    ['one for all', { ALL_PROXY: proxy }, secure, `${proxy}/`],
    ['no scheme', { https_proxy: 'proxy.example.com:3128' }, secure, `${proxy}/`],
    ['an empty value', { https_proxy: ' ' }, secure, undefined],
  ])('%s', (_, env, url, expected) => {
    expect(chosen(env as Record<string, string>, url)).toBe(expected);
  });

  it.each(['http://localhost:8080', 'http://127.0.0.1:8080', 'http://127.8.0.1', 'http://[::1]:8080'])(
    'is none for %s, which is this machine',
    (url) => expect(chosen({ ALL_PROXY: proxy }, url)).toBeUndefined(),
  );

  it.each([
    ['*', secure],
    ['api.example.com', secure],
    ['example.com', secure],
    ['.example.com', secure],
    ['*.example.com', secure],
    ['other.org, EXAMPLE.com', secure],
    ['other.org example.com', secure],
    ['api.example.com:443', secure],
    ['10.0.0.0/8', 'http://10.1.2.3:8080'],
    ['10.1.2.3', 'http://10.1.2.3:8080'],
    ['10.1.2.3:8080', 'http://10.1.2.3:8080'],
    ['fd00::/8', 'http://[fd00::1]:8080'],
    ['fd00::1', 'http://[fd00::1]'],
    ['[fd00::1]:80', 'http://[fd00::1]'],
  ])('is none where NO_PROXY is %s for %s', (exceptions, url) => {
    expect(chosen({ ALL_PROXY: proxy, NO_PROXY: exceptions }, url)).toBeUndefined();
  });

  it.each([
    ['ample.com', secure],
    ['api.example.com:8443', secure],
    ['www.api.example.com', secure],
    ['', secure],
    ['.', secure],
    ['1.2.3', 'http://10.1.2.3'],
    ['10.0.0.0/99', 'http://10.1.2.3'],
    ['11.0.0.0/8', 'http://10.1.2.3'],
    ['fd00::/8', 'http://10.1.2.3'],
  ])('stays where NO_PROXY is "%s" for %s', (exceptions, url) => {
    expect(chosen({ ALL_PROXY: proxy, NO_PROXY: exceptions }, url)).toBe(`${proxy}/`);
  });

  it.each(['socks5://name:hunter2@proxy:1080', 'http://', 'ftp://name:hunter2@proxy', 'http://a b'])(
    'cannot be %s, and what it was is not shown',
    (value) => {
      const choose = () => chosen({ https_proxy: value });
      expect(choose).toThrow('https_proxy names no proxy that alm can use.');
      expect(choose).not.toThrow('hunter2');
    },
  );
});

describe('alm behind a proxy', () => {
  let served: Served;
  let front: Server;
  let proxy: TestProxy | undefined;
  const list = ['stack', 'list', '--fmt', 'json'];

  beforeAll(async () => {
    served = await serveForAlm();
    front = await secureFront(Number(new URL(served.server.url).port));
  });
  afterEach(() => proxy?.close());
  afterAll(async () => {
    front.close();
    await served.close();
  });

  const plain = () => Number(new URL(served.server.url).port);
  const tunnels = () => (front.address() as AddressInfo).port;
  const trusting = { NODE_EXTRA_CA_CERTS: certificate };

  it('asks the proxy for a plain address', async () => {
    proxy = await TestProxy.start({ plain: plain() });
    const env = { ALM_URL: 'http://almanac.example:8080', HTTP_PROXY: proxy.url };
    expect(await served.root.run(list, { env })).toMatchObject({ code: 0, stdout: '[]\n', stderr: '' });
    expect(proxy.asked).toEqual(['GET http://almanac.example:8080/v3/alm/stack']);
  });

  it('reaches a secure address by a tunnel, in which only its end can read', async () => {
    proxy = await TestProxy.start({ tunnels: tunnels() });
    const env = { ALM_URL: 'https://almanac.example', HTTPS_PROXY: proxy.url, ...trusting };
    expect(await served.root.run(list, { env })).toMatchObject({ code: 0, stdout: '[]\n', stderr: '' });
    expect(proxy.asked).toEqual(['CONNECT almanac.example:443']);
  });

  it('trusts nobody more for being behind a proxy', async () => {
    proxy = await TestProxy.start({ tunnels: tunnels() });
    const unknown = { ALM_URL: 'https://almanac.example', HTTPS_PROXY: proxy.url };
    const { code, stderr } = await served.root.run(list, { env: unknown });
    expect([code, stderr]).toEqual([8, expect.stringContaining('NODE_EXTRA_CA_CERTS')]);
    const elsewhere = { ALM_URL: 'https://other.example', HTTPS_PROXY: proxy.url, ...trusting };
    expect(await served.root.run(list, { env: elsewhere })).toMatchObject({
      code: 8,
      stderr: expect.stringContaining('https://other.example was not reached'),
    });
  });

  it.each([
    ['http', 'ann:p@ss word', 'ann:p%40ss%20word'],
    ['https', 'ann:p@ss word', 'ann:p%40ss%20word'],
    ['https', 'ann:100%', 'ann:100%'],
  ])('tells who it is (%s, %s)', async (scheme, wants, written) => {
    proxy = await TestProxy.start({ plain: plain(), tunnels: tunnels(), wants });
    const named = proxy.url.replace('//', `//${written}@`);
    const env = { ALM_URL: `${scheme}://almanac.example`, ALL_PROXY: named, ...trusting };
    expect(await served.root.run(list, { env })).toMatchObject({ code: 0, stdout: '[]\n' });
  });

  it.each(['http', 'https'])('says that the proxy wants to know who it is (%s)', async (scheme) => {
    proxy = await TestProxy.start({ plain: plain(), tunnels: tunnels(), wants: 'ann:secret' });
    const named = proxy.url.replace('//', '//ann:wrong-one@');
    const env = { ALM_URL: `${scheme}://almanac.example`, ALL_PROXY: named };
    const { code, stderr } = await served.root.run(list, { env });
    expect(code).toBe(8);
    expect(stderr).toContain(`The proxy ${proxy.url} does not lead to almanac.example: 407`);
    expect(stderr).toContain('ALL_PROXY=http://<name>:<password>@');
    expect(stderr).not.toContain('wrong-one');
  });

  it('says that the proxy leads nowhere', async () => {
    proxy = await TestProxy.start({});
    const env = { ALM_URL: 'https://almanac.example', HTTPS_PROXY: proxy.url };
    const { code, stderr } = await served.root.run(list, { env });
    expect(code).toBe(8);
    expect(stderr).toContain('does not lead to almanac.example: 403 Forbidden.');
    expect(stderr).toContain('NO_PROXY=almanac.example');
  });

  it.each(['http', 'https'])('says that the proxy is not there (%s)', async (scheme) => {
    const env = { ALM_URL: `${scheme}://almanac.example`, ALL_PROXY: 'http://127.0.0.1:9' };
    const { code, stderr } = await served.root.run(list, { env });
    expect(code).toBe(8);
    expect(stderr).toContain('The proxy http://127.0.0.1:9 was not reached: nothing listens there.');
    expect(stderr).toContain('It is named by ALL_PROXY');
  });

  it('goes without it where it is told to', async () => {
    proxy = await TestProxy.start({});
    const { code } = await served.root.run(list, { env: { ALL_PROXY: proxy.url } });
    expect([code, proxy.asked]).toEqual([0, []]);
  });

  it.each(['ws', 'wss'])('opens terminals through it (%s)', async (scheme) => {
    const terminals = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    terminals.on('connection', (socket) => socket.send('welcome'));
    await once(terminals, 'listening');
    const { port } = terminals.address() as AddressInfo;
    const secured = await secureFront(port);
    proxy = await TestProxy.start({
      tunnels: scheme === 'ws' ? port : (secured.address() as AddressInfo).port,
    });
    const opening = openSocket(
      { clock: realClock, env: { ALL_PROXY: proxy.url } },
      new URL(`${scheme}://almanac.example/terminal`),
      10,
    );
    if (scheme === 'wss') await expect(opening).rejects.toThrow('self-signed certificate');
    else {
      const socket = await opening;
      socket.resume();
      const [welcome] = (await once(socket, 'message')) as [Buffer];
      expect(welcome.toString()).toBe('welcome');
      socket.terminate();
    }
    expect(proxy.asked).toEqual([`CONNECT almanac.example:${scheme === 'ws' ? 80 : 443}`]);
    secured.close();
    terminals.close();
  });
});
