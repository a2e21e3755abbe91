import { beforeAll, describe, expect, it } from 'vitest';
import { faultsInAllViews } from '../accessibility.ts';
import { type User, useBrowser } from '../harness.ts';
import { asMaster, makeRole, makeUser, makeUserWithoutRights, statement } from './people.ts';

const browsing = useBrowser();
let role = '';
let nobody: User;

beforeAll(async () => {
  role = await makeRole(
    browsing,
    'deployers',
    statement('Allow', ['stack:describe*', 'template:*']),
    statement('Deny', ['stack:deleteStack']),
  );
  await makeUser(browsing, 'ann', role);
  nobody = await makeUserWithoutRights(browsing, 'guest');
  await asMaster(browsing, 'POST', '/v3/client', { label: 'build server', kind: 'service' });
});

/** Each screen with something that is there only after its data has arrived. */
const screens = [
  { screen: 'users', shows: 'guest' },
  { screen: 'users/ann', shows: 'Signed in last' },
  { screen: 'roles', shows: 'Start from a template' },
  { screen: 'roles/new', shows: 'requests looked at' },
  { screen: 'roles/ROLE', shows: 'requests looked at' },
  { screen: 'clients', shows: 'build server' },
  { screen: 'credentials', shows: 'SANDBOX' },
  { screen: 'audit', shows: 'Check the log' },
  { screen: 'me', shows: 'Off. With it, a stolen password' },
];

const pathOf = (screen: string): string => `/console/${screen.replace('ROLE', role)}`;

it('no screen violates WCAG 2.2 AA or scrolls sideways, in both themes and both widths', async () => {
  const page = await browsing.openPage({ path: null });
  for (const { screen, shows } of screens) {
    await page.goto(browsing.almanac.url + pathOf(screen));
    await page.getByText(shows).first().waitFor();
    expect(await faultsInAllViews(page), screen).toEqual([]);
  }
});

describe('for a user with a role that allows nothing', () => {
  it('their own page works and says what is refused and why', async () => {
    const page = await browsing.openPage({ as: nobody, path: '/console/me' });
    await page.getByText('nothing for guest').waitFor();
    await page.getByText(/^0 of \d+ actions are allowed/).click();
    await page.getByText('No statement of a role allows it').first().waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('the menu has only what is for everyone', async () => {
    const page = await browsing.openPage({ as: nobody, path: '/console/me' });
    const menu = page.getByRole('navigation', { name: 'Main' });
    await menu.getByRole('link', { name: 'Stacks' }).waitFor();
    const links = await menu.getByRole('link').allTextContents();
    expect(links.map((text) => text.trim()).filter((text) => !text.includes('guest'))).toEqual([
      'Almanac',
      'Stacks',
      'API reference',
    ]);
  });
});
