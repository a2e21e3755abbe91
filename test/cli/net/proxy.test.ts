import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { realClock } from '../../../src/basics/clock.ts';
import { proxyFor } from '../../../src/cli/net/proxy.ts';
import { openSocket } from '../../../src/cli/terminal/open-socket.ts';
import { type Served, serveForAlm } from '../alm.ts';
import { certificate, TestProxy, tlsFront } from './test-proxy.ts';

describe('the proxy for a URL', () => {
  const secure = 'https://api.example.com/v3';
  const proxy = 'http://proxy.example.com:3128';
  const chosen = (env: Record<string, string>, url = secure): string | undefined =>
    proxyFor(env, new URL(url))?.url.href;

  it.each([
    ['no variable', {}, secure, undefined],
    ['https_proxy', { https_proxy: proxy }, secure, `${proxy}/`],
    ['HTTPS_PROXY', { HTTPS_PROXY: proxy }, secure, `${proxy}/`],
    [
      'the lower-case variable wins',
      { HTTPS_PROXY: 'http://other', https_proxy: proxy },
      secure,
      `${proxy}/`,
    ],
    ['http_proxy for an https URL', { http_proxy: proxy }, secure, undefined],
    ['http_proxy for an http URL', { http_proxy: proxy }, 'http://api.example.com', `${proxy}/`],
    ['https_proxy for a wss URL', { https_proxy: proxy }, 'wss://api.example.com', `${proxy}/`],
    ['http_proxy for a ws URL', { http_proxy: proxy }, 'ws://api.example.com', `${proxy}/`],
    ['ALL_PROXY', { ALL_PROXY: proxy }, secure, `${proxy}/`],
    ['a value without a scheme', { https_proxy: 'proxy.example.com:3128' }, secure, `${proxy}/`],
    ['an empty value', { https_proxy: ' ' }, secure, undefined],
  ])('chooses the proxy for a URL: %s', (_, env, url, expected) => {
    expect(chosen(env as Record<string, string>, url)).toBe(expected);
  });

  it.each(['http://localhost:8080', 'http://127.0.0.1:8080', 'http://127.8.0.1', 'http://[::1]:8080'])(
    'uses no proxy for %s, a loopback address',
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
  ])('NO_PROXY=%s bypasses the proxy for %s', (exceptions, url) => {
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
  ])('NO_PROXY="%s" does not bypass the proxy for %s', (exceptions, url) => {
    expect(chosen({ ALL_PROXY: proxy, NO_PROXY: exceptions }, url)).toBe(`${proxy}/`);
  });

  it.each(['socks5://name:hunter2@proxy:1080', 'http://', 'ftp://name:hunter2@proxy', 'http://a b'])(
    'rejects the proxy %s without showing it',
    (value) => {
      const choose = () => chosen({ https_proxy: value });
      expect(choose).toThrow('Unsupported proxy in https_proxy.');
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
    front = await tlsFront(Number(new URL(served.server.url).port));
  });
  afterEach(() => proxy?.close());
  afterAll(async () => {
    front.close();
    await served.close();
  });

  const plain = () => Number(new URL(served.server.url).port);
  const tunnels = () => (front.address() as AddressInfo).port;
  const trusting = { NODE_EXTRA_CA_CERTS: certificate };

  it('sends requests for http URLs to the proxy', async () => {
    proxy = await TestProxy.start({ plain: plain() });
    const env = { ALM_URL: 'http://almanac.example:8080', HTTP_PROXY: proxy.url };
    expect(await served.root.run(list, { env })).toMatchObject({ code: 0, stdout: '[]\n', stderr: '' });
    expect(proxy.requests).toEqual(['GET http://almanac.example:8080/v3/alm/stack']);
  });

  it('reaches https URLs through a tunnel', async () => {
    proxy = await TestProxy.start({ tunnels: tunnels() });
    const env = { ALM_URL: 'https://almanac.example', HTTPS_PROXY: proxy.url, ...trusting };
    expect(await served.root.run(list, { env })).toMatchObject({ code: 0, stdout: '[]\n', stderr: '' });
    expect(proxy.requests).toEqual(['CONNECT almanac.example:443']);
  });

  it('verifies certificates behind a proxy', async () => {
    proxy = await TestProxy.start({ tunnels: tunnels() });
    const untrusted = { ALM_URL: 'https://almanac.example', HTTPS_PROXY: proxy.url };
    const { code, stderr } = await served.root.run(list, { env: untrusted });
    expect([code, stderr]).toEqual([8, expect.stringContaining('NODE_EXTRA_CA_CERTS')]);
    const otherName = { ALM_URL: 'https://other.example', HTTPS_PROXY: proxy.url, ...trusting };
    expect(await served.root.run(list, { env: otherName })).toMatchObject({
      code: 8,
      stderr: expect.stringContaining('Connection to https://other.example failed'),
    });
  });

  it.each([
    ['http', 'ann:p@ss word', 'ann:p%40ss%20word'],
    ['https', 'ann:p@ss word', 'ann:p%40ss%20word'],
    ['https', 'ann:100%', 'ann:100%'],
  ])('sends user name and password to the proxy (%s, %s)', async (scheme, credentials, written) => {
    proxy = await TestProxy.start({ plain: plain(), tunnels: tunnels(), credentials });
    const named = proxy.url.replace('//', `//${written}@`);
    const env = { ALM_URL: `${scheme}://almanac.example`, ALL_PROXY: named, ...trusting };
    expect(await served.root.run(list, { env })).toMatchObject({ code: 0, stdout: '[]\n' });
  });

  it.each(['http', 'https'])('reports that the proxy requires other credentials (%s)', async (scheme) => {
    proxy = await TestProxy.start({ plain: plain(), tunnels: tunnels(), credentials: 'ann:secret' });
    const named = proxy.url.replace('//', '//ann:wrong-one@');
    const env = { ALM_URL: `${scheme}://almanac.example`, ALL_PROXY: named };
    const { code, stderr } = await served.root.run(list, { env });
    expect(code).toBe(8);
    expect(stderr).toContain(
      `Proxy ${proxy.url} refused the connection to almanac.example: 407 Proxy Authentication Required.`,
    );
    expect(stderr).toContain('ALL_PROXY=http://<name>:<password>@');
    expect(stderr).not.toContain('wrong-one');
  });

  it('reports that the proxy refuses the tunnel', async () => {
    proxy = await TestProxy.start({});
    const env = { ALM_URL: 'https://almanac.example', HTTPS_PROXY: proxy.url };
    const { code, stderr } = await served.root.run(list, { env });
    expect(code).toBe(8);
    expect(stderr).toContain('refused the connection to almanac.example: 403 Forbidden.');
    expect(stderr).toContain('NO_PROXY=almanac.example');
  });

  it.each(['http', 'https'])('reports that the proxy is unreachable (%s)', async (scheme) => {
    const env = { ALM_URL: `${scheme}://almanac.example`, ALL_PROXY: 'http://127.0.0.1:9' };
    const { code, stderr } = await served.root.run(list, { env });
    expect(code).toBe(8);
    expect(stderr).toContain('Connection to proxy http://127.0.0.1:9 failed: connection refused.');
    expect(stderr).toContain('The proxy is set by ALL_PROXY.');
  });

  it('uses no proxy for a loopback URL', async () => {
    proxy = await TestProxy.start({});
    const { code } = await served.root.run(list, { env: { ALL_PROXY: proxy.url } });
    expect([code, proxy.requests]).toEqual([0, []]);
  });

  it('reports a proxy that does not respond', async () => {
    proxy = await TestProxy.start({ isSilent: true });
    const env = { ALM_URL: 'https://almanac.example', HTTPS_PROXY: proxy.url };
    const { code, stderr } = await served.root.run([...list, '--timeout', '1'], { env });
    expect(code).toBe(8);
    expect(stderr).toContain(`Connection to proxy ${proxy.url} failed: no response within 1 s.`);
    expect(stderr).toContain('The proxy is set by HTTPS_PROXY.');
  });

  it('verifies the certificate of an IP address behind a proxy', async () => {
    proxy = await TestProxy.start({ tunnels: tunnels() });
    const env = { ALM_URL: 'https://10.9.8.7', HTTPS_PROXY: proxy.url, ...trusting };
    const { code, stderr } = await served.root.run(list, { env });
    expect(code).toBe(8);
    expect(stderr).toContain('10.9.8.7 is not in the cert');
    expect(proxy.requests).toEqual(['CONNECT 10.9.8.7:443']);
  });

  it('reports that the proxy refuses the tunnel of a terminal', async () => {
    proxy = await TestProxy.start({});
    const opening = openSocket(
      { clock: realClock, env: { ALL_PROXY: proxy.url } },
      new URL('wss://almanac.example/terminal'),
      10,
    );
    await expect(opening).rejects.toThrow('refused the connection to almanac.example: 403 Forbidden.');
  });

  it.each(['ws', 'wss'])('opens terminals through the proxy (%s)', async (scheme) => {
    const terminals = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    terminals.on('connection', (socket) => socket.send('welcome'));
    await once(terminals, 'listening');
    const { port } = terminals.address() as AddressInfo;
    const secured = await tlsFront(port);
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
    expect(proxy.requests).toEqual([`CONNECT almanac.example:${scheme === 'ws' ? 80 : 443}`]);
    secured.close();
    terminals.close();
  });
});
