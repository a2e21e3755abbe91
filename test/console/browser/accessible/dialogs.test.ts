import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { codeAt, stepOf } from '../../../../src/operations/sign-in/totp.ts';
import { asMaster, makeRole, makeUser, statement } from '../access/people.ts';
import { errorBody } from '../error-body.ts';
import { type User, useBrowser } from '../harness.ts';
import { dialogBy, faultsOf, press, type State } from './states.ts';

const browsing = useBrowser();
const { almanac } = browsing;
let role = '';
let ann: User;

beforeAll(async () => {
  role = await makeRole(browsing, 'deployers', statement('Allow', ['stack:*', 'template:*']));
  ann = await makeUser(browsing, 'ann', role);
  await almanac.newToken({ grant_type: 'password', client_id: 'alm', ...ann });
  await asMaster(browsing, 'POST', '/v3/client', { label: 'build server', kind: 'service' });
});

const menu = 'Actions for build server';
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name }).waitFor();

/** The service refuses what the form sends. */
const refused = (at: string, form: string): State => ({
  is: `${form}, refused`,
  at,
  reach: async (page) => {
    const reply = { status: 400, json: errorBody('What was sent is refused') };
    await page.route('**/v3/user', (route) =>
      route.request().method() === 'POST' ? route.fulfill(reply) : route.fallback(),
    );
    await press(page, form);
    await page.getByLabel('User name').fill('zoe');
    await page.getByLabel('First password').fill('walnut copper 71 ferry');
    await press(page, 'Create user');
    await page.getByRole('alert').waitFor();
    await page.unroute('**/v3/user');
  },
});

it('no dialog about users, roles, API clients and credentials violates WCAG 2.2 AA or scrolls sideways', async () => {
  const page = await browsing.openPage({ path: null });
  const found = await faultsOf(page, almanac.url, [
    dialogBy('users', 'New user'),
    refused('users', 'New user'),
    dialogBy('users/ann', 'Set password'),
    dialogBy('users/ann', 'Remove second factor'),
    dialogBy('users/ann', 'Detach'),
    dialogBy('users/ann', 'End all'),
    dialogBy('users/ann', 'Delete'),
    dialogBy(`roles/${role}`, 'Delete'),
    dialogBy('clients', 'New API client'),
    dialogBy('clients', menu, 'Roles …'),
    dialogBy('clients', menu, 'Change the kind …'),
    dialogBy('clients', menu, 'Delete …'),
    dialogBy('clients', menu, 'New secret …'),
    {
      is: 'secret shown once',
      at: 'clients',
      reach: async (opened) => {
        await press(opened, menu, 'New secret …', 'Make a new secret');
        await dialog(opened, 'New secret of build server');
      },
    },
    dialogBy('credentials', 'Add a credential'),
    dialogBy('credentials', /^Delete .* of /),
  ]);
  expect(found).toEqual([]);
});

async function turnOnSecondFactor(page: Page): Promise<void> {
  await press(page, 'Set up');
  await page.getByLabel('Your password', { exact: true }).fill(ann.password);
  await press(page, 'Continue');
  const step = page.getByRole('dialog', { name: 'Add Almanac to your app' });
  const secret = (await step.locator('code').textContent()) ?? '';
  await page.getByLabel('Code that the app shows').fill(codeAt(secret, stepOf(Date.now())));
  await press(page, 'Turn on');
  await dialog(page, 'The second factor is on');
}

const fillToken = async (page: Page, password: string, code?: string): Promise<void> => {
  await press(page, 'New token');
  await page.getByLabel('What it is for').fill('deploys');
  await page.getByLabel('Your password', { exact: true }).fill(password);
  if (code) await page.getByLabel('Code of your second factor').fill(code);
};

const token = async (page: Page, password: string): Promise<void> => {
  await fillToken(page, password);
  await press(page, 'Create token');
};

it('no dialog about oneself violates WCAG 2.2 AA or scrolls sideways', async () => {
  const page = await browsing.openPage({ as: ann, path: null });
  const found = await faultsOf(page, almanac.url, [
    dialogBy('me', 'Change'),
    dialogBy('me', 'Sign out'),
    dialogBy('me', 'Sign out everywhere'),
    dialogBy('me', 'End all others'),
    {
      is: 'token refused',
      at: 'me',
      reach: async (opened) => {
        await token(opened, 'not this one');
        await opened.getByRole('alert').waitFor();
      },
    },
    {
      is: 'token shown once',
      at: 'me',
      reach: async (opened) => {
        await token(opened, ann.password);
        await dialog(opened, 'The token is created');
      },
    },
    dialogBy('me', 'Revoke deploys'),
    dialogBy('me', 'Set up'),
    { is: 'recovery codes', at: 'me', reach: turnOnSecondFactor },
    dialogBy('me', 'Disable'),
    {
      is: 'sign-in expired',
      at: 'me',
      reach: async (opened) => {
        await fillToken(opened, ann.password, '000000');
        await opened.context().clearCookies();
        // Another request of the page may find out first.
        await press(opened, 'Create token').catch(() => {});
        await dialog(opened, 'Your sign-in has expired');
      },
    },
    {
      is: 'sign-in asks for the code of the second factor',
      at: 'sign-in',
      reach: async (opened) => {
        await opened.getByLabel('User name').fill(ann.username);
        await opened.getByLabel('Password').fill(ann.password);
        await press(opened, 'Sign in');
        await opened.getByLabel('Code of your second factor').waitFor();
      },
    },
    {
      is: 'sign-in refused',
      at: 'sign-in',
      reach: async (opened) => {
        await opened.getByLabel('Code of your second factor').fill('000000');
        await press(opened, 'Sign in');
        await opened.getByRole('alert').waitFor();
      },
    },
  ]);
  expect(found).toEqual([]);
});
