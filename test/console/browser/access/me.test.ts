import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { codeAt, stepOf } from '../../../../src/operations/sign-in/totp.ts';
import { scrollsSideways, violationsOf } from '../accessibility.ts';
import { type User, useBrowser, views } from '../harness.ts';
import { makeRole, makeUser, statement } from './people.ts';
import { scan } from './scan.ts';

const browsing = useBrowser();
const newPassword = 'lantern 58 gravel orbit';

const openMe = (user: User): Promise<Page> => browsing.openPage({ as: user, path: '/console/me' });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

async function signInByForm(page: Page, { username, password }: User): Promise<void> {
  await page.getByLabel('User name').fill(username);
  await page.getByLabel('Password').fill(password);
  await press(page, 'Sign in');
}

it('a changed password keeps this browser signed in, ends all others, and only the new one signs in', async () => {
  const ann = await makeUser(browsing, 'ann');
  const other = await openMe(ann);
  const page = await openMe(ann);
  await press(page, 'Change');
  await page.getByLabel('Your password', { exact: true }).fill(ann.password);
  await page.getByLabel('New password').fill('password');
  await press(page, 'Change password');
  await page.getByRole('alert').waitFor();
  // What was typed is still there, and is corrected.
  expect(await page.getByLabel('Your password', { exact: true }).inputValue()).toBe(ann.password);
  await page.getByLabel('New password').fill(newPassword);
  await press(page, 'Change password');
  await page.getByText('Changed your password').waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'ann' }).waitFor();
  await other.reload();
  await signInByForm(other, ann);
  await other.getByRole('alert').waitFor();
  await signInByForm(other, { username: 'ann', password: newPassword });
  await other.getByRole('heading', { name: 'ann' }).waitFor();
});

it('a second factor is set up with a first code, and asked for at the next sign-in', async () => {
  const ben = await makeUser(browsing, 'ben');
  const page = await openMe(ben);
  await press(page, 'Set up');
  await page.getByLabel('Your password', { exact: true }).fill(ben.password);
  await press(page, 'Continue');
  const step = page.getByRole('dialog', { name: 'Add Almanac to your app' });
  const secret = (await step.locator('code').textContent()) ?? '';
  const scanned = new URL(await scan(step.getByRole('img', { name: /^QR code/ })));
  expect(scanned.protocol).toBe('otpauth:');
  expect(scanned.searchParams.get('secret')).toBe(secret);
  await page.getByLabel('Code that the app shows').fill(codeAt(secret, stepOf(Date.now())));
  await press(page, 'Turn on');
  const codes = page.getByRole('dialog', { name: 'The second factor is on' });
  const [recovery = ''] = ((await codes.locator('code').textContent()) ?? '').split('\n');
  await press(page, 'I have saved it');
  await page.getByText('10 recovery codes are left').waitFor();
  const { url } = browsing.almanac;
  expect((await browsing.leaks(page, { secret, recovery })).toSorted()).toEqual([
    `recovery is in reply of POST ${url}/v3/second_factor/confirm`,
    `secret is in reply of POST ${url}/v3/second_factor`,
  ]);

  const fresh = await browsing.openPage({ as: null, path: '/console/me' });
  await signInByForm(fresh, ben);
  await fresh.getByLabel('Code of your second factor').fill(recovery);
  await press(fresh, 'Sign in');
  await fresh.getByRole('heading', { name: 'ben' }).waitFor();
});

it('what is refused is named as its field is, comes into view, and a wrong code is not called a wrong password', async () => {
  const ira = await makeUser(browsing, 'ira');
  const page = await browsing.openPage({ as: ira, path: '/console/me', width: 360 });
  await press(page, 'New token');
  // The first field: a password typed by habit must not be in the middle of the form.
  await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('name');
  await page.getByLabel('What it is for').fill('deploys');
  await page.getByLabel('Your password', { exact: true }).fill('not this one');
  await press(page, 'Create token');
  await page.getByRole('alert').getByText('Your password is wrong', { exact: true }).waitFor();
  const submit = page.getByRole('button', { name: 'Create token', exact: true });
  await expect.poll(async () => ((await submit.boundingBox())?.y ?? 900) + 40 < 900).toBe(true);
  await page.keyboard.press('Escape');

  await press(page, 'Set up');
  await page.getByLabel('Your password', { exact: true }).fill(ira.password);
  await press(page, 'Continue');
  const step = page.getByRole('dialog', { name: 'Add Almanac to your app' });
  const secret = (await step.locator('code').textContent()) ?? '';
  await page.getByLabel('Code that the app shows').fill('000000');
  await press(page, 'Turn on');
  await page.getByRole('alert').getByText('Code that the app shows is wrong', { exact: true }).waitFor();
  await page.getByLabel('Code that the app shows').fill(codeAt(secret, stepOf(Date.now())));
  await press(page, 'Turn on');
  await press(page, 'I have saved it');
  await press(page, 'Disable');
  await page.getByLabel('Your password', { exact: true }).fill(ira.password);
  await page.getByLabel('Code of your second factor').fill('000000');
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
  await page.getByRole('alert').getByText('Your password or the code is wrong', { exact: true }).waitFor();
});

it('the QR code of a second factor can be scanned in both themes and both widths, and its step is accessible', async () => {
  const hal = await makeUser(browsing, 'hal');
  for (const view of views) {
    const page = await browsing.openPage({ as: hal, path: '/console/me', ...view });
    await press(page, 'Set up');
    await page.getByLabel('Your password', { exact: true }).fill(hal.password);
    await press(page, 'Continue');
    const step = page.getByRole('dialog', { name: 'Add Almanac to your app' });
    expect(await scan(step.getByRole('img', { name: /^QR code/ }))).toMatch(/^otpauth:\/\/totp\//);
    expect(await violationsOf(page)).toEqual([]);
    expect(await scrollsSideways(page)).toBe(false);
  }
});

describe('signing out', () => {
  it('in one tab ends all tabs of the browser', async () => {
    const page = await openMe(await makeUser(browsing, 'cleo'));
    const tab = await browsing.openPage({ nextTo: page, path: '/console/me' });
    await tab.getByRole('heading', { name: 'cleo' }).waitFor();
    await press(page, 'Sign out');
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
    for (const each of [page, tab]) await each.getByRole('heading', { name: 'Sign in to Almanac' }).waitFor();
  });

  it('everywhere ends the sign-ins of other browsers too', async () => {
    const dora = await makeUser(browsing, 'dora');
    const [page, other] = [await openMe(dora), await openMe(dora)];
    await press(page, 'Sign out everywhere');
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to Almanac' }).waitFor();
    await other.reload();
    await other.getByRole('heading', { name: 'Sign in to Almanac' }).waitFor();
  });

  it('says that drafts are deleted, and deletes all of this browser', async () => {
    const eli = await makeUser(browsing, 'eli');
    const page = await openMe(eli);
    for (const owner of ['eli', 'other'])
      await page.evaluate(`localStorage.setItem('almanac draft 1/${owner} new', '{}')`);
    await press(page, 'Sign out');
    await page.getByText('The 2 drafts in this browser are deleted.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to Almanac' }).waitFor();
    expect(await page.evaluate("Object.keys(localStorage).filter((key) => key.includes('draft'))")).toEqual(
      [],
    );
  });
});

it('one sign-in of several is ended, and the others stay', async () => {
  const fay = await makeUser(browsing, 'fay');
  const [other, page] = [await openMe(fay), await openMe(fay)];
  await page.getByRole('button', { name: /^End Chrome/ }).click();
  await page.getByText('Ended the sign-in').waitFor();
  expect(await page.getByRole('button', { name: /^End Chrome/ }).count()).toBe(0);
  await other.reload();
  await other.getByRole('heading', { name: 'Sign in to Almanac' }).waitFor();
});

it('a personal access token is shown once, works, and is revoked', async () => {
  const role = await makeRole(browsing, 'stack readers', statement('Allow', ['stack:describe*']));
  const page = await openMe(await makeUser(browsing, 'gil', role));
  await press(page, 'New token');
  await page.getByLabel('What it is for').fill('reports');
  await page.getByLabel('Your password', { exact: true }).fill('walnut copper 71 ferry');
  await press(page, 'Create token');
  const token = (await page.getByRole('dialog').locator('dd code').textContent()) ?? '';
  await press(page, 'I have saved it');
  await page.getByRole('cell', { name: 'reports', exact: true }).waitFor();
  expect(await browsing.leaks(page, { token })).toEqual([
    `token is in reply of POST ${browsing.almanac.url}/v3/personal_token`,
  ]);
  expect((await browsing.almanac.call('GET', '/v3/alm/stack', { token })).status).toBe(200);
  await press(page, 'Revoke reports');
  await press(page, 'Revoke token');
  await page.getByText('Revoked reports').waitFor();
  expect((await browsing.almanac.call('GET', '/v3/alm/stack', { token })).status).toBe(401);
});

it('the chosen theme stays after a reload', async () => {
  const page = await browsing.openPage({ path: '/console/me', theme: 'dark' });
  await page.getByLabel('Theme').selectOption('light');
  const scheme = 'getComputedStyle(document.documentElement).colorScheme';
  expect(await page.evaluate(scheme)).toBe('light');
  await page.reload();
  await page.getByLabel('Theme').waitFor();
  expect(await page.evaluate(scheme)).toBe('light');
});
