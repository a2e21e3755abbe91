import type { CDPSession, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../../src/basics/clock.ts';
import { useHostName } from '../../../api/passkeys/passkey-caller.ts';
import { first } from '../../../api/served-almanac.ts';
import { scrollsSideways, violationsOf } from '../accessibility.ts';
import { type PageOptions, useBrowser, views } from '../harness.ts';

const clock = new VirtualClock(Date.now());
const browsing = useBrowser({ clock });
let origin: string;
beforeAll(() => {
  origin = useHostName(browsing.almanac);
});

/** A device with a fingerprint reader, which has the finger of the person on it. */
async function addDevice(page: Page): Promise<{ devtools: CDPSession; authenticatorId: string }> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const;
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', { options });
  return { devtools, authenticatorId };
}

async function openSignIn(path: string, options: PageOptions = {}): Promise<Page> {
  const page = await browsing.openPage({ ...options, as: null, path: null });
  await page.goto(`${origin}/console${path}`);
  return page;
}

async function signInWithPassword(page: Page): Promise<void> {
  await page.getByLabel('User name').fill(first.username);
  await page.getByLabel('Password').fill(first.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

async function addPasskey(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'New passkey' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('button', { name: 'Add passkey' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: `Remove ${name}` }).waitFor();
}

describe('before there are passkeys', () => {
  it('a service at an IP address offers none, and says why', async () => {
    const page = await browsing.openPage({ path: null });
    const { settings } = browsing.almanac.service;
    settings.baseUrl = browsing.almanac.url;
    try {
      await page.goto(`${browsing.almanac.url}/console/me`);
      await page.getByText('Browsers bind passkeys to a host name').filter({ visible: true }).waitFor();
    } finally {
      settings.baseUrl = origin;
    }
  });
});

describe('a person with a passkey', () => {
  it('adds it, signs in with it, confirms with it, and removes it', async () => {
    const page = await openSignIn('/me');
    await addDevice(page);
    await signInWithPassword(page);
    await addPasskey(page, 'this laptop');
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    const remove = page.getByRole('button', { name: 'Remove this laptop' });
    await remove.waitFor();

    clock.advance(11 * 60_000);
    browsing.expectErrors(page, /403/);
    await remove.click();
    await page.getByRole('button', { name: 'Remove passkey' }).click();
    const confirm = page.getByRole('dialog', { name: 'Confirm with your password' });
    await confirm.getByRole('button', { name: 'Use a passkey' }).click();
    await confirm.waitFor({ state: 'detached' });
    await page.getByText('No passkeys').waitFor();
  });

  it('whose device does not recognize them reads it, and is not signed in', async () => {
    const page = await openSignIn('/me');
    const { devtools, authenticatorId } = await addDevice(page);
    await signInWithPassword(page);
    await addPasskey(page, 'stolen laptop');
    await page.context().clearCookies();
    await page.goto(`${origin}/console/`);
    await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('alert').getByText('No passkey was used').waitFor();
    await page.getByRole('heading', { name: 'Sign in to Almanac' }).waitFor();
  });
});

describe('where passkeys are used', () => {
  it.each(views)('all of it is accessible and fits ($theme, $width px)', async (view) => {
    const page = await openSignIn('/me', view);
    await addDevice(page);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await signInWithPassword(page);
    const name = `laptop ${view.theme} ${view.width}`;
    await addPasskey(page, name);
    expect([await violationsOf(page), await scrollsSideways(page)]).toEqual([[], false]);
    clock.advance(11 * 60_000);
    browsing.expectErrors(page, /403/);
    await page.getByRole('button', { name: `Remove ${name}` }).click();
    await page.getByRole('button', { name: 'Remove passkey' }).click();
    await page.getByRole('button', { name: 'Use a passkey' }).waitFor();
    expect([await violationsOf(page), await scrollsSideways(page)]).toEqual([[], false]);
  });
});

it('the page of alm login --browser takes the code to the address of the command line, after the user agrees', async () => {
  const search = new URLSearchParams({
    redirect_uri: 'http://127.0.0.1:9/done',
    state: 'state-1',
    code_challenge: 'a'.repeat(43),
  });
  const page = await openSignIn(`/sign-in/alm?${search.toString()}`);
  await page.route('http://127.0.0.1:9/**', (route) => route.fulfill({ body: 'You are signed in.' }));
  await signInWithPassword(page);
  await page.getByRole('heading', { name: 'Sign in the command line' }).waitFor();
  expect([await violationsOf(page), await scrollsSideways(page)]).toEqual([[], false]);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(/^http:\/\/127\.0\.0\.1:9\/done\?code=[^&]+&state=state-1$/);
});
