import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AlmUser, firstStack } from '../alm.ts';
import { FakeServer, type Handler } from './fake-server.ts';
import { runBriefly } from './run.ts';

let user: AlmUser;
let server: FakeServer | undefined;
beforeEach(() => void (user = new AlmUser({ ALM_TOKEN: 'a-token' })));
afterEach(() => {
  server?.close();
  user.close();
});

const serve = async (handler: Handler): Promise<FakeServer> => (server = await FakeServer.start(handler));
/** Splits a command line at spaces; TEMPLATE is an existing file. */
const wordsOf = (line: string): string[] =>
  line.split(' ').map((word) => (word === 'TEMPLATE' ? firstStack : word));
const runAt = (url: string, line: string) => runBriefly(user, wordsOf(line), { env: { ALM_URL: url } });

const page = '<!doctype html><title>Welcome</title><p>Nothing to see here.</p>';
const commands = [
  'stack list',
  'stack list --fmt json',
  'stack list --fmt yaml',
  'stack list --fmt raw',
  'stack delete mo-1',
  'stack create --alm-template TEMPLATE',
  'template describe mo-1',
  'audit export',
  'svrconf show mo-1',
  'stack events mo-1',
  'stack wait mo-1',
];

describe('a server that is not Almanac (fake)', () => {
  it.each(commands)('reports that an HTML page is not from Almanac: %s', async (line) => {
    const { url, requests } = await serve((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end(page),
    );
    const { code, stdout, stderr } = await runAt(url, line);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('The response is not from Almanac');
    expect(stderr).not.toContain('Internal error');
    expect(requests.length).toBeLessThan(5);
  });

  it.each(commands)('reports that an empty response is not from Almanac: %s', async (line) => {
    const { url, requests } = await serve((_request, response) => response.writeHead(204).end());
    const { code, stdout, stderr } = await runAt(url, line);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('The response is not from Almanac');
    expect(stderr).not.toContain('Internal error');
    expect(requests.length).toBeLessThan(5);
  });

  it.each([
    'stack list',
    'stack delete mo-1',
    'audit export',
    'stack events mo-1 --follow',
    'login -i lg-1 -s client-secret -u root -p the-password',
  ])('does not follow a redirect, and shows its target: %s', async (line) => {
    const { url, requests } = await serve((_request, response) =>
      response.writeHead(302, { location: 'https://elsewhere.example.com/almanac' }).end(),
    );
    const { code, stdout, stderr } = await runAt(url, line);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('https://elsewhere.example.com/almanac');
    expect(stderr).toContain('--url');
    expect(requests).toHaveLength(1);
  });

  it('reports that a server does not use TLS', async () => {
    const { url } = await serve((_request, response) => void response.end());
    const { code, stdout, stderr } = await runAt(url.replace('http:', 'https:'), 'stack list');
    expect([code, stdout]).toEqual([8, '']);
    const [headline = '', ...rest] = stderr.trimEnd().split('\n');
    expect(headline).toMatch(/^\[alm\]: error: Connection to https:\/\/127\.0\.0\.1:\d+ failed: .*TLS/);
    // The message of OpenSSL contains line numbers of its sources.
    expect(stderr).not.toMatch(/SSL routines|\.c:\d+/);
    for (const line of rest) expect(line).toMatch(/^ {2}→ /);
  });
});

describe('ids that would change the path', () => {
  it.each([
    'stack describe --id .',
    'stack describe ..',
    'stack delete ..',
    'stack delete .',
    'user delete .',
    'client rotate ..',
    'template describe ..',
    'stack events .',
  ])('rejects an id that would change the path: %s', async (line) => {
    const { url, requests } = await serve((_request, response) => void response.end('[]'));
    const { code, stdout, stderr } = await runAt(url, line);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).not.toContain('Internal error');
    expect(requests).toEqual([]);
  });
});

describe('a URL with a password', () => {
  const url = 'http://user:s3cr3t@almanac.example.com';

  it.each([
    `stack list --url ${url}`,
    `stack list --debug --url ${url}`,
    `login --url ${url}`,
    `stack list --rurl ${url}`,
    `stack list --surl ${url}`,
  ])('rejects a URL with a password without showing it: %s', async (line) => {
    const { code, stdout, stderr } = await runBriefly(user, wordsOf(line));
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).not.toContain('s3cr3t');
  });

  it.each([url, 'http://:s3cr3t@almanac.example.com/x?y', 'nonsense://user:s3cr3t@almanac'])(
    'rejects a URL with a password without showing it: ALM_URL=%s',
    async (ALM_URL) => {
      const { code, stdout, stderr } = await runBriefly(user, ['stack', 'list'], { env: { ALM_URL } });
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).not.toContain('s3cr3t');
    },
  );
});

describe('a token with invalid characters', () => {
  const list = async (token: string) => {
    const { url, requests } = await serve((_request, response) => void response.end('[]'));
    const env = { ALM_URL: url, ALM_TOKEN: token };
    return { ...(await runBriefly(user, ['stack', 'list'], { env })), requests };
  };

  it.each(['one\rtwo', 'one\ntwo', 'one\r\ntwo', 'one\u0001two', 'öne語'])(
    'rejects a token with invalid characters without a request: %j',
    async (token) => {
      const { code, stderr, requests } = await list(token);
      expect(code).toBe(2);
      expect(stderr).toContain('ALM_TOKEN');
      expect(stderr).not.toContain('Internal error');
      expect(stderr).not.toContain('two');
      expect(requests).toEqual([]);
    },
  );

  it.each(['token\n', 'token\r', 'token\r\n'])(
    'trims or rejects a token with a trailing newline: %j',
    async (token) => {
      const { code, stderr, requests } = await list(token);
      expect(stderr).not.toContain('Internal error');
      if (code === 0) expect(requests.map((each) => each.token)).toEqual(['token']);
      else expect([code, requests]).toEqual([2, []]);
    },
  );
});
