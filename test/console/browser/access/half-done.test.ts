import { expect, it } from 'vitest';
import { errorBody } from '../error-body.ts';
import { useBrowser } from '../harness.ts';
import { asMaster, makeRole, makeUser, statement } from './people.ts';

const browsing = useBrowser();
const { almanac } = browsing;

const refusal = { status: 409, json: errorBody('The role is being changed by another user') };

it('a user whose role could not be attached is shown as created, with the reason', async () => {
  await makeRole(browsing, 'viewers', statement('Allow', ['stack:describe*']));
  // A repeated test starts again.
  await almanac.call('DELETE', '/v3/user/zoe', { token: await almanac.userToken() });
  const page = await browsing.openPage({ path: '/console/users' });
  await page.route('**/v3/user/role', (route) => route.fulfill(refusal));
  await page.getByRole('button', { name: 'New user' }).click();
  await page.getByLabel('User name').fill('zoe');
  await page.getByLabel('First password').fill('walnut copper 71 ferry');
  await page.getByLabel('Role').selectOption({ label: 'viewers' });
  await page.getByRole('button', { name: 'Create user' }).click();
  const dialog = page.getByRole('dialog', { name: 'zoe is created, but the role was not attached' });
  await dialog.getByText(refusal.json.message).waitFor();
  await dialog.getByRole('link', { name: 'Go to zoe' }).click();
  await page.getByRole('heading', { name: 'zoe', exact: true }).waitFor();
  expect(await asMaster(browsing, 'GET', '/v3/user/zoe/role')).toEqual([]);
});

it('a sign-in that cannot be ended stays in the list, with the reason', async () => {
  const ann = await makeUser(browsing, 'ann');
  await almanac.newToken({ grant_type: 'password', client_id: 'alm', ...ann });
  const page = await browsing.openPage({ path: '/console/users/ann' });
  await page.route(/\/v3\/user\/ann\/token\/./, (route) => route.fulfill(refusal));
  const end = page.getByRole('button', { name: /^End the sign-in/ }).first();
  await end.click();
  await page.getByRole('alert').getByText(refusal.json.message).waitFor();
  await end.waitFor();
});

it('signing out from the palette asks first', async () => {
  const page = await browsing.openPage({ path: '/console/me' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Stack, page or action' }).fill('sign out');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Sign out' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await page.getByLabel('Password').count()).toBe(0);
});

it('typing a draft of a role asks what it allows once typing pauses, not once per key', async () => {
  const page = await browsing.openPage({ path: '/console/roles/new' });
  let asked = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/v3/role/explain')) asked += 1;
  });
  await page.getByRole('button', { name: 'JSON', exact: true }).click();
  await page.getByRole('status').getByText('Denied').waitFor();
  const before = asked;
  const answered = page.waitForResponse(/\/v3\/role\/explain$/);
  await page.getByLabel('Scope of the role').press('Control+End');
  await page.keyboard.type(' '.repeat(20));
  await answered;
  expect(asked - before).toBeLessThan(5);
});
