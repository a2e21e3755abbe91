import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { faultsInAllViews } from '../accessibility.ts';
import { useBrowser } from '../harness.ts';
import { made, storesOf } from './stacks.ts';

const browsing = useBrowser();
const { almanac } = browsing;

const sentences = (page: Page) =>
  page.getByRole('list', { name: 'What becomes of the data' }).getByRole('listitem');

async function announced(id: string, query: string): Promise<string[]> {
  const token = await almanac.userToken();
  const { body } = await almanac.call('GET', `/v3/alm/stack/${id}/deletion${query}`, { token });
  return (body.data as { sentence: string }[]).map(({ sentence }) => sentence);
}

async function confirm(page: Page, id: string): Promise<void> {
  const nickname = String((await almanac.describe(id)).nickname);
  await page.getByLabel(/^Type/).fill(nickname);
  await page.getByRole('button', { name: `Delete ${nickname}`, disabled: false }).click();
}

it('the deletion of a stack shows the sentences of the service for each choice, and ends on what is kept', async () => {
  const id = await made(browsing, { database: true });
  const page = await browsing.openPage({ path: `/console/stack/${id}/settings` });
  await sentences(page).first().waitFor();
  expect(await sentences(page).allTextContents()).toEqual(await announced(id, '?data=keep'));
  await page.getByLabel('Data', { exact: true }).selectOption('delete');
  await page.getByText('Its data is deleted.').waitFor();
  expect(await sentences(page).allTextContents()).toEqual(await announced(id, '?data=delete'));
  await page.getByText(`alm stack delete ${id} --delete-data`).waitFor();
  expect(await faultsInAllViews(page)).toEqual([]);
  await page.getByLabel('Data', { exact: true }).selectOption('keep');
  await confirm(page, id);
  await almanac.waitFor(id, 'DELETE_COMPLETE', 60);
  await page.getByRole('heading', { name: 'What is kept' }).waitFor();
  await page.getByRole('row', { name: /^Database web0 .* Kept .* Simulated snapshot/ }).waitFor();
  expect(await faultsInAllViews(page)).toEqual([]);
});

it('data is deleted with its stack only if that was chosen', async () => {
  const id = await made(browsing, { database: true });
  const page = await browsing.openPage({ path: `/console/stack/${id}/settings` });
  await page.getByLabel('Data', { exact: true }).selectOption('delete');
  await confirm(page, id);
  await almanac.waitFor(id, 'DELETE_COMPLETE', 60);
  const database = (await storesOf(browsing, id)).find(({ kind }) => kind === 'database');
  expect(database?.state).toBe('gone');
});

it('keep is offered only where the service says that data can be kept', async () => {
  const id = await made(browsing, { database: true });
  const page = await browsing.openPage({ path: null });
  await page.route(/\/deletion/, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace('"data=keep",', '');
    await route.fulfill({ response, body });
  });
  await page.goto(`${almanac.url}/console/stack/${id}/settings`);
  await sentences(page).first().waitFor();
  const choices = page.getByLabel('Data', { exact: true }).getByRole('option');
  expect(await choices.allTextContents()).toEqual(['Delete it too']);
});

it('a stack that was deleted long ago leads to what is kept of its data', async () => {
  const page = await browsing.openPage({ path: '/console/stack/mo-gone/data' });
  await page.getByRole('link', { name: 'What is kept of its data' }).click();
  await page.waitForURL('**/console/data?stack_id=mo-gone');
  await page.getByText('Only of stack').waitFor();
});
