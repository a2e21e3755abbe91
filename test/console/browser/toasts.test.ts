import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { useBrowser, views } from './harness.ts';

const browsing = useBrowser();

/** Browsers neither show in front nor read aloud what is outside of the topmost modal dialog. */
const isInTopDialog = (toast: Locator): Promise<boolean> =>
  toast.evaluate(
    (element) => [...document.querySelectorAll('dialog:modal')].at(-1)?.contains(element) ?? false,
  );

it.each(views)(
  'a short message is in front of an open dialog, in a region that was there before it, and on the page after the dialog is closed, $theme, $width px',
  async (view) => {
    const page = await browsing.openPage({ path: '/console/clients', ...view });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'New API client' }).first().click();
    const dialog = page.getByRole('dialog');
    const region = await dialog.getByRole('status').last().elementHandle();
    await dialog.getByRole('button', { name: 'Copy the command' }).click();
    const toast = page.getByRole('status').getByText('Copied the command');
    await toast.waitFor();
    expect(await isInTopDialog(toast)).toBe(true);
    expect(await region?.evaluate((element) => element.textContent)).toBe('Copied the command');
    const { top, bottom, left, right } = await toast.evaluate((element) => element.getBoundingClientRect());
    expect([top >= 0, left >= 0, bottom <= 900, right <= view.width]).toEqual([true, true, true, true]);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await toast.count()).toBe(1);
    expect(await isInTopDialog(toast)).toBe(false);
  },
);
