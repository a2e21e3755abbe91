import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parse } from 'yaml';
import { eventually } from '../../http.ts';
import { Browser } from '../../openid/browser.ts';
import { useSingleSignOn } from '../../openid/sso.ts';
import { AlmUser, almProgram } from '../alm.ts';

const sso = useSingleSignOn();

let user: AlmUser;
beforeEach(() => void (user = new AlmUser()));
afterEach(() => user.close());

/** Starts `alm login --sso` and waits until it prints the address for the browser. */
async function startLogin() {
  const args = ['login', '--sso', '--no-browser', '--url', sso.almanac.url];
  const child = spawn(process.execPath, [almProgram, ...args], { env: user.environment, cwd: user.home });
  let printed = '';
  child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const ended = once(child, 'close');
  const addressIn = (text: string) => /http\S+\/v3\/sign_in\/oidc\?\S+/.exec(text)?.[0] ?? '';
  const shown = await eventually(
    async () => printed,
    (text) => addressIn(text) !== '' || child.exitCode !== null,
  );
  const address = addressIn(shown);
  const done = new URL(address).searchParams.get('redirect_uri') ?? '';
  return {
    address,
    done,
    end: async () => {
      const [code] = (await ended) as [number | null];
      return { code, printed };
    },
  };
}

it('alm login --sso signs in through the browser, and the login lists and ends sign-ins', async () => {
  sso.provider.person = { sub: 'person-1', preferred_username: 'ann' };
  const { address, done, end } = await startLogin();
  const browser = new Browser();
  const foreign = await browser.get(`${done}?code=stolen&state=wrong`);
  expect(foreign.status).toBe(400);
  const page = await browser.get(await browser.follow(address, done));
  expect([page.status, await page.text()]).toEqual([200, 'You are signed in. You can close this window.\n']);
  const { code, printed } = await end();
  expect([code, printed]).toEqual([0, expect.stringContaining('Login successful.')]);
  const config = parse(readFileSync(join(user.home, '.alm', 'config.yml'), 'utf8')) as Record<
    string,
    unknown
  >;
  const token = String(config.access_token);
  expect(printed).not.toContain(token);
  const list = await user.json<Record<string, unknown>[]>(['sign-in', 'list', '--fmt', 'json']);
  expect(list).toMatchObject([{ grant_type: 'authorization_code', user_agent: 'alm', current: true }]);
  expect((await user.run(['sign-in', 'revoke'])).code).toBe(2);
  expect(await user.json(['sign-in', 'revoke', '--all'])).toEqual({ status: 'success', revoked: 0 });
  expect((await user.run(['sign-in', 'revoke', String(list[0]?.token_id)])).code).toBe(0);
  expect((await user.run(['sign-in', 'list'])).code).toBe(4);
});

it('alm login --sso prints the reason if the provider or the server refuses the person', async () => {
  sso.provider.person = { sub: 'person-2', preferred_username: 'root' };
  const { address, done, end } = await startLogin();
  const browser = new Browser();
  const page = await browser.get(await browser.follow(address, done));
  expect(page.status).toBe(400);
  const { code, printed } = await end();
  expect([code, printed]).toEqual([4, expect.stringContaining('username must not be root')]);
});

it('the master links a user with an identity by alm user link', async () => {
  const root = new AlmUser({ ALM_URL: sso.almanac.url, ALM_TOKEN: await sso.almanac.userToken() });
  try {
    await root.run(['user', 'create', 'ben', '--password', 'correct horse battery staple 7']);
    const link = ['user', 'link', 'ben', '--subject', 'person-3'];
    expect(await root.json(link)).toEqual({ issuer: sso.provider.issuer, subject: 'person-3' });
    expect((await sso.signIn({ sub: 'person-3', preferred_username: 'anything' })).error).toBe('');
    expect((await root.run(['user', 'unlink', 'ben'])).code).toBe(0);
    expect((await root.run(['user', 'unlink', 'ben'])).code).toBe(6);
  } finally {
    root.close();
  }
});
