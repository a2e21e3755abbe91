import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { makeRole, makeUser, statement } from '../access/people.ts';
import { faultsInAllViews } from '../accessibility.ts';
import { useBrowser } from '../harness.ts';
import { changed, made, storesOf } from './stacks.ts';

const browsing = useBrowser();
const { almanac } = browsing;

const rows = (page: Page, name: RegExp) =>
  page.getByRole('table', { name: 'Stores of data' }).getByRole('row', { name });

it('the Data page lists the stores of all stacks, is filtered by state and kind, and the address says how', async () => {
  const id = await made(browsing, { database: true, cache: true });
  const page = await browsing.openPage();
  await page.getByRole('heading', { level: 1, name: 'Stacks' }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('d');
  await page.waitForURL('**/console/data');
  await rows(page, /^Database web0 .* In use .* 20 GiB/).waitFor();
  expect(await rows(page, /^Disk web0 .* In use/).count()).toBe(1);
  await page.getByLabel('Kind').selectOption('cache');
  await rows(page, /^Database/).waitFor({ state: 'detached' });
  await page.getByText('alm data list --kind cache').waitFor();
  await page.reload();
  await rows(page, /^Cache web0/).waitFor();
  expect(await rows(page, /^Database/).count()).toBe(0);
  await page.getByLabel('State').selectOption('kept');
  await page.getByRole('heading', { name: 'No data' }).waitFor();
  await changed(browsing, id, { database: true }, '?data=keep');
  await rows(page, /^Cache web0 .* Kept .* Simulated snapshot/).waitFor();
});

it('kept data is restored by its button, and the new store says what it was restored from', async () => {
  const id = await made(browsing, { database: true });
  await changed(browsing, id, {}, '?data=keep');
  const [kept] = await storesOf(browsing, id, 'kept');
  const page = await browsing.openPage({ path: `/console/stack/${id}/data` });
  await page.getByRole('button', { name: `Restore web0, ${kept?.id}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Restore database web0?' });
  await dialog.getByText(`alm data restore --id ${kept?.id}`).waitFor();
  expect(await faultsInAllViews(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
  await page.waitForURL(`**/console/stack/${id}`);
  await expect
    .poll(async () => (await storesOf(browsing, id, 'in_use')).find(({ kind }) => kind === 'database'))
    .toMatchObject({ restored_from: kept?.id });
  await page.goto(`${almanac.url}/console/stack/${id}/data`);
  await page.getByText(`restored from ${kept?.id}`).waitFor();
});

it('forgotten data leaves the list after a confirmation that says where it still is', async () => {
  const id = await made(browsing, { cache: true });
  await changed(browsing, id, {}, '?data=keep');
  const [kept] = await storesOf(browsing, id, 'kept');
  const page = await browsing.openPage({ path: `/console/data?stack_id=${id}` });
  await page.getByRole('button', { name: `Forget web0, ${kept?.id}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Forget cache web0?' });
  await dialog.getByText(/^Nothing is deleted at the vendor: Simulated snapshot/).waitFor();
  await dialog.getByRole('button', { name: 'Forget', exact: true }).click();
  await rows(page, /^Cache web0/).waitFor({ state: 'detached' });
  expect((await storesOf(browsing, id, 'forgotten')).map((store) => store.id)).toEqual([kept?.id]);
});

it('who may not change a stack sees its data, with Restore and Forget off and the reason', async () => {
  const id = await made(browsing, { cache: true });
  await changed(browsing, id, {}, '?data=keep');
  const role = await makeRole(
    browsing,
    'readers',
    statement('Allow', ['stack:describeStacks', 'stack:describeStack']),
  );
  const page = await browsing.openPage({
    as: await makeUser(browsing, 'reader', role),
    path: `/console/data?stack_id=${id}`,
  });
  for (const [act, action] of [
    ['Restore', 'template:updateAlmTemplate'],
    ['Forget', 'stack:deleteStack'],
  ] as const) {
    const button = page.getByRole('button', { name: new RegExp(`^${act} web0`) });
    await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true');
    await button.focus();
    await page.getByRole('tooltip').getByText(action).waitFor();
  }
});

it('the Data page and tab have no violation and do not scroll sideways, in both themes and both widths', async () => {
  const id = await made(browsing, { database: true, cache: true });
  await changed(browsing, id, { database: true }, '?data=keep');
  const page = await browsing.openPage({ path: '/console/data' });
  await rows(page, /^Cache web0 .* Kept/)
    .first()
    .waitFor();
  expect(await faultsInAllViews(page)).toEqual([]);
  await page.goto(`${almanac.url}/console/stack/${id}/data`);
  await rows(page, /^Cache web0 .* Kept/)
    .first()
    .waitFor();
  expect(await faultsInAllViews(page)).toEqual([]);
  await page.goto(`${almanac.url}/console/data?state=lost`);
  await page.getByRole('heading', { name: 'No data' }).waitFor();
  expect(await faultsInAllViews(page)).toEqual([]);
});
