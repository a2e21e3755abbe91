import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AlmUser, firstStack } from '../alm.ts';
import { runBriefly } from './run.ts';
import { type Answering, Stranger } from './stranger.ts';

let user: AlmUser;
let stranger: Stranger | undefined;
beforeEach(() => void (user = new AlmUser({ ALM_TOKEN: 'a-token' })));
afterEach(() => {
  stranger?.close();
  user.close();
});

const meet = async (answer: Answering): Promise<Stranger> => (stranger = await Stranger.start(answer));
/** A command line of words without spaces; TEMPLATE is a file that is there. */
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

describe('somebody else at the address, our own stand-in', () => {
  it.each(commands)('who answers with a page is told from Almanac: %s', async (line) => {
    const { url, asked } = await meet((_asked, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end(page),
    );
    const { code, stdout, stderr } = await runAt(url, line);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('The answer is not one of Almanac');
    expect(stderr).not.toContain('mistake in alm');
    expect(asked.length).toBeLessThan(5);
  });

  it.each(commands)('who answers with nothing is told from Almanac: %s', async (line) => {
    const { url, asked } = await meet((_asked, response) => response.writeHead(204).end());
    const { code, stdout, stderr } = await runAt(url, line);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('The answer is not one of Almanac');
    expect(stderr).not.toContain('mistake in alm');
    expect(asked.length).toBeLessThan(5);
  });

  it.each([
    'stack list',
    'stack delete mo-1',
    'audit export',
    'stack events mo-1 --follow',
    'login -i lg-1 -s client-secret -u root -p the-password',
  ])('who sends us elsewhere is not followed, and we are told where: %s', async (line) => {
    const { url, asked } = await meet((_asked, response) =>
      response.writeHead(302, { location: 'https://elsewhere.example.com/almanac' }).end(),
    );
    const { code, stdout, stderr } = await runAt(url, line);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('https://elsewhere.example.com/almanac');
    expect(stderr).toContain('--url');
    expect(asked).toHaveLength(1);
  });

  it('who does not speak TLS is said to not speak it', async () => {
    const { url } = await meet((_asked, response) => void response.end());
    const { code, stdout, stderr } = await runAt(url.replace('http:', 'https:'), 'stack list');
    expect([code, stdout]).toEqual([8, '']);
    const [headline = '', ...rest] = stderr.trimEnd().split('\n');
    expect(headline).toMatch(/^\[alm\]: error: https:\/\/127\.0\.0\.1:\d+ .*TLS/);
    // What the library says of it has line numbers of its sources.
    expect(stderr).not.toMatch(/SSL routines|\.c:\d+/);
    for (const line of rest) expect(line).toMatch(/^ {2}→ /);
  });
});

describe('what would lead elsewhere than asked', () => {
  it.each([
    'stack describe --id .',
    'stack describe ..',
    'stack delete ..',
    'stack delete .',
    'user delete .',
    'client rotate ..',
    'template describe ..',
    'stack events .',
  ])('is not sent: %s', async (line) => {
    const { url, asked } = await meet((_asked, response) => void response.end('[]'));
    const { code, stdout, stderr } = await runAt(url, line);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).not.toContain('mistake in alm');
    expect(asked).toEqual([]);
  });
});

describe('an address with a password in it', () => {
  const address = 'http://user:s3cr3t@almanac.example.com';

  it.each([
    `stack list --url ${address}`,
    `stack list --debug --url ${address}`,
    `login --url ${address}`,
    `stack list --rurl ${address}`,
    `stack list --surl ${address}`,
  ])('is refused without showing it: %s', async (line) => {
    const { code, stdout, stderr } = await runBriefly(user, wordsOf(line));
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).not.toContain('s3cr3t');
  });

  it.each([address, 'http://:s3cr3t@almanac.example.com/x?y', 'nonsense://user:s3cr3t@almanac'])(
    'is refused without showing it: ALM_URL=%s',
    async (ALM_URL) => {
      const { code, stdout, stderr } = await runBriefly(user, ['stack', 'list'], { env: { ALM_URL } });
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).not.toContain('s3cr3t');
    },
  );
});

describe('a token with signs in it that cannot be sent', () => {
  const list = async (token: string) => {
    const { url, asked } = await meet((_asked, response) => void response.end('[]'));
    const env = { ALM_URL: url, ALM_TOKEN: token };
    return { ...(await runBriefly(user, ['stack', 'list'], { env })), asked };
  };

  it.each(['one\rtwo', 'one\ntwo', 'one\r\ntwo', 'one\u0001two', 'öne語'])(
    'is refused before anything is sent: %j',
    async (token) => {
      const { code, stderr, asked } = await list(token);
      expect(code).toBe(2);
      expect(stderr).toContain('ALM_TOKEN');
      expect(stderr).not.toContain('mistake in alm');
      expect(stderr).not.toContain('two');
      expect(asked).toEqual([]);
    },
  );

  it.each(['token\n', 'token\r', 'token\r\n'])(
    'at its end is taken without them, or refused: %j',
    async (token) => {
      const { code, stderr, asked } = await list(token);
      expect(stderr).not.toContain('mistake in alm');
      if (code === 0) expect(asked.map((each) => each.token)).toEqual(['token']);
      else expect([code, asked]).toEqual([2, []]);
    },
  );
});
