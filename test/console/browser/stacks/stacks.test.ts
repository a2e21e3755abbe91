import { describe, expect, it } from 'vitest';
import { first } from '../../../api/served-almanac.ts';
import type { Json } from '../../../http.ts';
import { oneServer } from '../../../world.ts';
import { faultsInAllViews } from '../accessibility.ts';
import { useBrowser } from '../harness.ts';

const browsing = useBrowser();

const rowOf = (nickname: string): string => `[aria-label=Stacks] li:has-text("${nickname}")`;

describe('the first start', () => {
  it('from sign-in to a running stack are two clicks', async () => {
    const page = await browsing.openPage({ as: null });
    await page.getByLabel('User name').fill(first.username);
    await page.getByLabel('Password').fill(first.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Create it in the sandbox' }).first().click();
    await page.waitForURL(/\/console\/stack\/mo-/);
    const [, stackId = ''] = /stack\/([^/?]+)/.exec(page.url()) ?? [];
    await browsing.almanac.waitFor(stackId, 'CREATE_COMPLETE');
  });

  it('a wrong password is explained, and the form keeps the name', async () => {
    const page = await browsing.openPage({ as: null });
    browsing.expectErrors(page, /401/);
    await page.getByLabel('User name').fill('root');
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('User name').inputValue()).toBe('root');
  });
});

describe('the code of a screen', () => {
  const isCode = (part: string) => (address: string) => address.includes(`/console/assets/${part}`);

  it('is loaded beside the session, not after it', async () => {
    const page = await browsing.openPage({ path: null });
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/v3/session', async (route) => {
      await answered;
      await route.continue();
    });
    const asked = page.waitForRequest((request) => isCode('users-')(request.url()));
    await page.goto(`${browsing.almanac.url}/console/users`, { waitUntil: 'commit' });
    await asked;
    answer();
    await page.getByRole('heading', { name: 'Users' }).waitFor();
  });

  it('is loaded when a link to it is pointed at', async () => {
    const page = await browsing.openPage();
    const asked = page.waitForRequest((request) => isCode('users-')(request.url()));
    await page.getByRole('link', { name: 'Users' }).hover();
    await asked;
    expect(new URL(page.url()).pathname).toBe('/console/');
  });
});

describe('the list of stacks', () => {
  it('shows a new stack, its states and its end without a reload', async () => {
    const page = await browsing.openPage();
    await page.getByRole('heading', { name: 'Stacks' }).waitFor();
    const stack = await browsing.almanac.applyTemplate(oneServer());
    const { nickname } = (await browsing.almanac.describe(stack)) as Json & { nickname: string };
    const row = page.locator(rowOf(nickname));
    await row.getByText('Complete').waitFor();
    await browsing.almanac.call('DELETE', `/v3/alm/stack/${stack}?servers=replace`, {
      token: await browsing.almanac.userToken(),
    });
    await row.waitFor({ state: 'detached' });
  });

  it('asks for session and list once each, before any script has run', async () => {
    const page = await browsing.openPage();
    await page.locator('[data-live=live]').waitFor();
    const paths = browsing.watchOf(page).addresses.map((address) => new URL(address).pathname);
    for (const path of ['/v3/session', '/v3/alm/stack'])
      expect([path, paths.filter((each) => each === path)]).toEqual([path, [path]]);
    const started = (name: string) =>
      page.evaluate((part) => {
        const all = performance.getEntriesByType('resource');
        return all.find((entry) => entry.name.includes(part))?.startTime ?? Number.NaN;
      }, name);
    expect(await started('/v3/alm/stack?')).toBeLessThan(await started('.woff2'));
  });

  it('has its filter in the address, and a reload keeps it', async () => {
    const stack = await browsing.almanac.applyTemplate(oneServer());
    const { nickname } = (await browsing.almanac.describe(stack)) as Json & { nickname: string };
    const page = await browsing.openPage();
    await page.locator(rowOf(nickname)).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('no such stack');
    await page.getByText('No stack matches').waitFor();
    await page.getByRole('searchbox').fill(nickname);
    await page.waitForURL((url) => url.searchParams.get('filter') === nickname);
    await page.reload();
    await page.locator(rowOf(nickname)).waitFor();
    expect(await page.getByRole('searchbox').inputValue()).toBe(nickname);
  });

  it('says that it is live, and that it is not when the stream stops', async () => {
    const page = await browsing.openPage();
    await page.locator('[data-live=live]').waitFor();
    browsing.expectErrors(page, /ERR_|Failed to load/);
    await browsing.almanac.restart();
    await page.locator('[data-live=reconnecting]').waitFor();
  });

  it('is live again after the server restarts, with what happened in between, and without a reload', async () => {
    const page = await browsing.openPage();
    await page.locator('[data-live=live]').waitFor();
    browsing.expectErrors(page, /ERR_|Failed to load/);
    await browsing.almanac.restart({ samePort: true });
    const stack = await browsing.almanac.applyTemplate(oneServer());
    const { nickname } = (await browsing.almanac.describe(stack)) as Json & { nickname: string };
    await page.locator(rowOf(nickname)).getByText('Complete').waitFor();
    await page.locator('[data-live=live]').waitFor();
    const addresses = browsing.watchOf(page).addresses.filter((each) => each.endsWith('/console/'));
    expect(addresses).toHaveLength(1);
  });

  it('j, k and Enter open a stack; the palette finds it by name', async () => {
    const stack = await browsing.almanac.applyTemplate(oneServer());
    const { nickname } = (await browsing.almanac.describe(stack)) as Json & { nickname: string };
    const page = await browsing.openPage({ path: `/console/?filter=${nickname}` });
    await page.locator(rowOf(nickname)).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`/stack/${stack}`));
    await page.goto(`${browsing.almanac.url}/console/audit`);
    await page.getByRole('heading', { name: 'Audit' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').waitFor();
    await page.keyboard.type(nickname);
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`/stack/${stack}`));
  });

  it('carries no secret of a stack', async () => {
    const stack = await browsing.almanac.applyTemplate(oneServer());
    const { nickname, auth_token } = (await browsing.almanac.describe(stack)) as Json & {
      nickname: string;
      auth_token: string;
    };
    const page = await browsing.openPage();
    await page.locator(rowOf(nickname)).waitFor();
    expect(await browsing.leaks(page, { 'token of the stack': auth_token })).toEqual([]);
  });
});

it('on a narrow screen, the menu shows the page that is open, and that of the user', async () => {
  const page = await browsing.openPage({ path: '/console/sandbox', width: 390 });
  const menu = page.getByRole('navigation', { name: 'Main' });
  await page.getByRole('heading', { name: 'Sandbox' }).waitFor();
  for (const link of [
    menu.getByRole('link', { name: 'Sandbox' }),
    menu.getByRole('link', { name: 'root' }),
  ]) {
    const box = await link.boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
  }
});

it('sign-in, list, palette and shortcuts violate no rule of axe and do not scroll sideways, in both themes and both widths', async () => {
  await browsing.almanac.applyTemplate(oneServer());
  const signIn = await browsing.openPage({ as: null });
  await signIn.getByRole('button', { name: 'Sign in' }).waitFor();
  expect(await faultsInAllViews(signIn)).toEqual([]);
  const page = await browsing.openPage();
  await page.locator('[aria-label=Stacks] li').first().waitFor();
  await page.locator('[data-live=live]').waitFor();
  expect(await faultsInAllViews(page)).toEqual([]);
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').waitFor();
  expect(await faultsInAllViews(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await page.getByText('Single letters are shortcuts').waitFor();
  expect(await faultsInAllViews(page)).toEqual([]);
});
