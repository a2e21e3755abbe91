import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { faultsInAllViews } from '../accessibility.ts';
import { useBrowser } from '../harness.ts';
import { changed, made, storesOf } from './stacks.ts';

const browsing = useBrowser();
const { almanac } = browsing;

const asked = (page: Page) => page.getByRole('dialog', { name: 'What becomes of the data?' });

const versionNames = ['Bring back “first” …', 'Bring back “first”?'] as const;

async function bringBack(page: Page, id: string): Promise<void> {
  await page.goto(`${almanac.url}/console/stack/${id}/versions`);
  await page.getByRole('button', { name: versionNames[0] }).click();
  const dialog = page.getByRole('dialog', { name: versionNames[1] });
  await dialog.getByRole('button', { name: 'Bring it back', disabled: false }).click();
}

const stateOf = async (id: string, kind: string): Promise<string[]> =>
  (await storesOf(browsing, id)).filter((store) => store.kind === kind).map(({ state }) => state);

it('a version that replaces a server is brought back only after a yes to the loss of its disk', async () => {
  const id = await made(browsing, { instanceType: 't2.micro' });
  await changed(browsing, id, { instanceType: 't2.large' }, '?servers=replace');
  const page = await browsing.openPage({ path: null });
  browsing.expectErrors(page, /409/);
  await bringBack(page, id);
  await asked(page)
    .getByText(/What is only on its disk is lost\.$/)
    .waitFor();
  expect(await faultsInAllViews(page)).toEqual([]);
  await asked(page).getByRole('radio').check();
  await asked(page).getByText(`--replace-servers --wait`).waitFor();
  await asked(page).getByRole('button', { name: 'Go on' }).click();
  await page.waitForURL(`**/console/stack/${id}`);
  await almanac.waitFor(id, 'UPDATE_COMPLETE', 60);
  expect((await stateOf(id, 'disk')).filter((state) => state === 'in_use')).toHaveLength(1);
});

it.each([
  ['latest', /is made with its last data, kept as/, true],
  ['empty', /is made new and empty\./, false],
] as const)(
  'a database that was removed is brought back with restore=%s, as chosen',
  async (choice, sentence, isRestored) => {
    const id = await made(browsing, { database: true });
    await changed(browsing, id, {}, '?data=keep');
    const [kept] = await storesOf(browsing, id, 'kept');
    const page = await browsing.openPage({ path: null });
    browsing.expectErrors(page, /409/);
    await bringBack(page, id);
    await asked(page).getByRole('radio', { name: sentence }).check();
    await asked(page).getByText(`--restore ${choice} --wait`).waitFor();
    expect(await faultsInAllViews(page)).toEqual([]);
    await asked(page).getByRole('button', { name: 'Go on' }).click();
    await page.waitForURL(`**/console/stack/${id}`);
    await almanac.waitFor(id, 'UPDATE_COMPLETE', 60);
    const living = (await storesOf(browsing, id, 'in_use')).find(({ kind }) => kind === 'database');
    expect(living?.restored_from).toBe(isRestored ? kept?.id : null);
  },
);

it('nothing happens to data if the question is closed', async () => {
  const id = await made(browsing, {});
  await changed(browsing, id, { database: true });
  const page = await browsing.openPage({ path: null });
  browsing.expectErrors(page, /409/);
  await bringBack(page, id);
  await asked(page)
    .getByRole('radio', { name: /Its data is deleted\.$/ })
    .check();
  await page.keyboard.press('Escape');
  await asked(page).waitFor({ state: 'detached' });
  expect(await stateOf(id, 'database')).toEqual(['in_use']);
});
