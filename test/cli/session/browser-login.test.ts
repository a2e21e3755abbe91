import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { useServedAlmanac } from '../../api/served-almanac.ts';
import { SessionBrowser } from '../../api/session/session-browser.ts';
import { eventually } from '../../http.ts';
import { AlmUser, almProgram } from '../alm.ts';

const almanac = useServedAlmanac();

let user: AlmUser;
beforeEach(() => void (user = new AlmUser()));
afterEach(() => user.close());

/** Starts `alm login --browser`, and waits until it prints the address for the browser. */
async function startLogin() {
  const args = ['login', '--browser', '--no-browser', '--url', almanac.url];
  const child = spawn(process.execPath, [almProgram, ...args], { env: user.environment, cwd: user.home });
  let printed = '';
  child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const ended = once(child, 'close');
  const addressIn = (text: string) => /http\S+\/console\/sign-in\/alm\?\S+/.exec(text)?.[0] ?? '';
  const shown = await eventually(
    async () => printed,
    (text) => addressIn(text) !== '' || child.exitCode !== null,
  );
  return {
    search: new URL(addressIn(shown)).searchParams,
    end: async () => [((await ended) as [number | null])[0], printed] as const,
  };
}

it('alm login --browser is signed in by a session of the console, and lists its passkeys', async () => {
  const { search, end } = await startLogin();
  const browser = new SessionBrowser(almanac);
  await browser.signIn();
  const { redirect_uri, state, code_challenge } = Object.fromEntries(search);
  const json = { redirect_uri, state, code_challenge };
  const { body } = await browser.send('POST', '/v3/session/code', { json });
  const page = await fetch(String(body.location));
  expect(await page.text()).toBe('You are signed in. You can close this window.\n');
  expect(await end()).toEqual([0, expect.stringContaining('Login successful.')]);
  expect(await user.json(['passkey', 'list', '--fmt', 'json'])).toEqual([]);
  expect((await user.run(['passkey', 'delete', 'nothing'])).code).toBe(6);
  expect((await user.run(['passkey', 'rename', 'nothing', 'laptop'])).code).toBe(6);
});

it('--no-browser alone is refused, with the flags that it goes with', async () => {
  const { code, stderr } = await user.run(['login', '--no-browser', '--url', almanac.url]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('--browser or --sso')]);
});
