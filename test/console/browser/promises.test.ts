import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { first } from '../../api/served-almanac.ts';
import { oneServer } from '../../world.ts';
import { makeRole, makeUser, statement } from './access/people.ts';
import { faultsInAllViews } from './accessibility.ts';
import { editorOf, typeOver } from './editor/typing.ts';
import { useBrowser } from './harness.ts';

const browsing = useBrowser();
const { almanac } = browsing;

async function runningStack(): Promise<string> {
  const id = await almanac.applyTemplate({ ...oneServer(), label: 'one' });
  await almanac.waitFor(id, 'CREATE_COMPLETE', 60);
  return id;
}

async function relabel(id: string, label: string): Promise<void> {
  const json = { ...oneServer(), label };
  await almanac.call('PUT', `/v3/alm/template/${id}`, { token: await almanac.userToken(), json });
  await almanac.waitFor(id, 'UPDATE_COMPLETE', 60);
}

const isOff = async (page: Page, name: string | RegExp): Promise<boolean> =>
  (await page.getByRole('button', { name }).first().getAttribute('aria-disabled')) === 'true';

describe('the console never lies about being live', () => {
  /** Whether the element is without colour: it, or one around it. */
  const isGrey = (page: Page, inside: string): Promise<boolean> =>
    page.evaluate<boolean>(`(() => {
      for (let each = document.querySelector(${JSON.stringify(inside)}); each; each = each.parentElement)
        if (getComputedStyle(each).filter === 'grayscale(1)') return true;
      return false;
    })()`);

  it.each([
    { name: 'the list', path: () => '', inside: '[aria-label=Stacks] li' },
    { name: 'one stack', path: (id: string) => `stack/${id}`, inside: 'main section' },
  ])(
    '$name says for how long it has heard nothing, and what it shows is without colour and as easy to read',
    async ({ path, inside }) => {
      const page = await browsing.openPage({ path: null });
      await page.clock.install();
      await page.goto(`${almanac.url}/console/${path(await runningStack())}`);
      await page.locator('[data-live=live]').waitFor();
      await page.locator(inside).first().waitFor();
      expect(await isGrey(page, inside)).toBe(false);
      browsing.expectErrors(page, /ERR_|Failed to load/);
      await almanac.restart();
      await page.locator('[data-live=reconnecting]').waitFor();
      await page.clock.fastForward(40_000);
      await page.getByText(/^Stopped \d+ s ago/).waitFor();
      // The words and the page each look at the time once a second.
      await expect.poll(() => isGrey(page, inside), { timeout: 10_000 }).toBe(true);
      expect(await faultsInAllViews(page)).toEqual([]);
    },
  );
});

describe('the console never loses what was typed', () => {
  it('to an event, a failed request, an expired sign-in or a reload, one after the other', async () => {
    const id = await runningStack();
    const page = await browsing.openPage({ path: `/console/stack/${id}/edit` });
    browsing.expectErrors(page, /503|401|Failed to load/);
    await typeOver(page, 'one', 'typed by me');
    await relabel(id, 'theirs');
    await page.getByText(/applied “theirs”/).waitFor();
    await page.route('**/v3/alm/template/preview*', (route) => route.fulfill({ status: 503 }), { times: 1 });
    const failed = page.waitForResponse((response) => response.status() === 503);
    await editorOf(page).focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.insertText('# and this\n');
    await failed;
    await page.context().clearCookies();
    await page.keyboard.insertText('# and that\n');
    const dialog = page.getByRole('dialog', { name: 'Your sign-in has expired' });
    await dialog.getByLabel('Password').fill(first.password);
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.reload();
    await editorOf(page).getByText('typed by me').waitFor();
    await editorOf(page).getByText('# and this').waitFor();
    await editorOf(page).getByText('# and that').waitFor();
  });
});

describe('the console shows the effect before the act', () => {
  /** Until the function is called, the page does not learn the effect. */
  async function hold(page: Page, path: RegExp): Promise<() => void> {
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(path, async (route) => {
      await released;
      await route.continue();
    });
    return release;
  }

  it('of applying: what is lost with a replaced server is asked about before it is done', async () => {
    const page = await browsing.openPage({ path: `/console/stack/${await runningStack()}/edit` });
    await typeOver(page, 't2.micro', 't2.small');
    await page.getByText('1 replaced').waitFor();
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await page
      .getByRole('dialog')
      .getByText(/What is only on its disk is lost/)
      .first()
      .waitFor();
  });

  it('of bringing back and of deleting: the buttons wait for it', async () => {
    const id = await runningStack();
    await relabel(id, 'two');
    const page = await browsing.openPage({ path: `/console/stack/${id}/versions` });
    const showPreview = await hold(page, /\/rollback\/preview/);
    await page.getByRole('button', { name: 'Bring back “one” …' }).click();
    await page.getByRole('dialog').getByRole('heading').waitFor();
    expect(await isOff(page, 'Bring it back')).toBe(true);
    showPreview();
    await page.getByRole('dialog').getByText('No resource changes.').waitFor();
    expect(await isOff(page, 'Bring it back')).toBe(false);

    const showResources = await hold(page, /\/resources$/);
    await page.goto(`${almanac.url}/console/stack/${id}/settings`);
    await page.getByLabel(/^Type/).fill(String((await almanac.describe(id)).nickname));
    expect(await isOff(page, /^Delete /)).toBe(true);
    showResources();
    await page.getByText(/\d+ resources are removed at the vendor/).waitFor();
    expect(await isOff(page, /^Delete /)).toBe(false);
  });

  it('of saving a role: the button waits for it, and says it', async () => {
    const role = await makeRole(browsing, 'saved', statement('Allow', ['stack:*']));
    await makeUser(browsing, 'ann', role);
    const page = await browsing.openPage({ path: null });
    const showReplay = await hold(page, /\/role\/replay$/);
    await page.goto(`${almanac.url}/console/roles/${role}`);
    await page.getByLabel('Name of the role').fill('saved otherwise');
    expect(await isOff(page, /^Save/)).toBe(true);
    showReplay();
    await page.getByRole('button', { name: /^Save — nothing changes for the requests/ }).waitFor();
    expect(await isOff(page, /^Save/)).toBe(false);
  });
});

describe('the console explains', () => {
  it('every failure with the resource that failed first, and the words of the cloud', async () => {
    await almanac.call('POST', '/v3/sandbox/fault', {
      token: await almanac.userToken(),
      json: { kind: 'fail_resource', position: 2, reason: 'There is no room in this zone.' },
    });
    const id = await almanac.applyTemplate(oneServer());
    await almanac.waitFor(id, 'CREATE_FAILED', 60);
    const page = await browsing.openPage({ path: `/console/stack/${id}` });
    await page.getByText(/^First to fail was/).waitFor();
    await page.locator('blockquote').getByText('There is no room in this zone.').waitFor();
  });

  it('every button that is off, on every page of a stack, to a user who may only look', async () => {
    const id = await runningStack();
    const reader = await makeRole(
      browsing,
      'reader',
      statement('Allow', ['stack:describeStack*', 'template:describe*']),
    );
    const page = await browsing.openPage({ as: await makeUser(browsing, 'reader', reader), path: null });
    // Entries of menus have their reason below their name.
    const off = page.locator('button[aria-disabled=true]:not([role=menuitem])');
    for (const tab of ['', '/instances', '/versions', '/drift', '/settings', '/edit']) {
      await page.goto(`${almanac.url}/console/stack/${id}${tab}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await off.first().waitFor();
      const reasons = await off.evaluateAll((buttons) =>
        buttons.map(
          (button) => `${button.textContent}: ${button.ariaDescribedByElements?.[0]?.textContent ?? ''}`,
        ),
      );
      expect(
        reasons.filter((each) => !/: \w.{5,}/.test(each)),
        tab,
      ).toEqual([]);
    }
    await page.goto(`${almanac.url}/console/stack/${id}`);
    await page.getByRole('button', { name: 'Terminal' }).focus();
    await page
      .getByRole('tooltip')
      .getByText(/permission for stack:describePem.* Ask the master to change your roles/)
      .waitFor();
  });
});
