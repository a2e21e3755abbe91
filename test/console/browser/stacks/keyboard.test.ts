import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { first } from '../../../api/served-almanac.ts';
import { useBrowser } from '../harness.ts';

const browsing = useBrowser();
const { almanac } = browsing;

/** The accessible name of what has the focus, as far as text and label tell it. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : [];
    const texts = [...labels, element].map((each) => each?.textContent ?? '');
    return element?.getAttribute('aria-label') ?? texts.join(' ').trim();
  });

/** Presses Tab until the focus is on something with this name. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  const passed: string[] = [];
  for (let count = 0; count < 60; count += 1) {
    await page.keyboard.press('Tab');
    const found = await focused(page);
    if (name.test(found)) return;
    passed.push(found.slice(0, 30));
  }
  throw new Error(`Tab does not reach ${String(name)}. It reaches: ${passed.join(' | ')}`);
}

it('a stack is created, updated and deleted with the keyboard alone, from sign-in on', async () => {
  const page = await browsing.openPage({ as: null });
  await page.getByLabel('User name').waitFor();
  await tabTo(page, /^User name/);
  await page.keyboard.type(first.username);
  await tabTo(page, /^Password/);
  await page.keyboard.type(first.password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await tabTo(page, /^Create it in the sandbox/);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/console\/stack\/mo-/);
  const [, id = ''] = /stack\/([^/?]+)/.exec(page.url()) ?? [];
  await almanac.waitFor(id, 'CREATE_COMPLETE', 60);

  await tabTo(page, /^Edit/);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/console/stack/${id}/edit`);
  await page.getByRole('textbox', { name: /^Template of/ }).waitFor();
  await tabTo(page, /^Template of/);
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Control+f');
  await page.keyboard.type('t2.micro');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await page.keyboard.type('t2.small');
  await page.getByText('1 replaced').waitFor();
  // Tab indents in the editor; after Escape it leaves it.
  await page.keyboard.press('Escape');
  await tabTo(page, /^Apply$/);
  browsing.expectErrors(page, /409/);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'What becomes of the data?' }).waitFor();
  await tabTo(page, /replace/);
  await page.keyboard.press('Space');
  await tabTo(page, /^Go on$/);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/console/stack/${id}`);
  await almanac.waitFor(id, 'UPDATE_COMPLETE', 60);

  await tabTo(page, /^Settings/);
  await page.keyboard.press('Enter');
  await tabTo(page, /^Type /);
  const nickname = String((await almanac.describe(id))['nickname']);
  await page.keyboard.type(nickname);
  await tabTo(page, /^Delete /);
  await page.keyboard.press('Enter');
  await almanac.waitFor(id, 'DELETE_COMPLETE', 60);
  await page.getByText('There is nothing left to set').waitFor();
  await expect.poll(() => focused(page)).toBe(nickname);
});
