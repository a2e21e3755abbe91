import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { oneServer } from '../../../world.ts';
import { faultsInAllViews } from '../accessibility.ts';
import { useBrowser } from '../harness.ts';

const browsing = useBrowser();
const { almanac } = browsing;

it('a fault that is set from a resource in the picture is listed until it has happened', async () => {
  const id = await almanac.applyTemplate(oneServer());
  const { nickname } = await almanac.waitFor(id, 'CREATE_COMPLETE', 60);
  const page = await browsing.openPage({ path: `/console/stack/${id}?resource=Instanceweb0-0` });
  await page.getByRole('link', { name: 'Fail here next time' }).click();
  await page.getByLabel('Number of the creation that fails, from 1').fill('1');
  await page.getByRole('button', { name: 'Inject', exact: true }).click();
  const list = page.getByRole('list', { name: 'Faults in force' });
  await list.getByText('Creation 1 of the next apply fails: Instanceweb0-0 could not be created.').waitFor();
  await list.getByRole('link', { name: String(nickname) }).waitFor();
  await almanac.call('PUT', `/v3/alm/template/${id}`, {
    token: await almanac.userToken(),
    json: oneServer(2),
  });
  await almanac.waitFor(id, 'UPDATE_FAILED', 60);
  await page.getByText('None. A fault leaves this list when it has happened.').waitFor();
});

it.each([360, 1440])('the result of a button is not shown on top of it, %i px', async (width) => {
  const page = await browsing.openPage({ path: '/console/sandbox', width });
  const button = page.getByRole('button', { name: 'Inject', exact: true });
  const boxOf = (found: Locator) => found.evaluate((element) => element.getBoundingClientRect().toJSON());
  for (const above of [40, 90, 140, 400]) {
    // Without the result of the round before.
    await page.reload();
    await button.waitFor();
    const { bottom } = await boxOf(button);
    await page.setViewportSize({ width, height: Math.round(bottom) + above });
    await button.click();
    const toast = page.getByRole('status').getByText('Creation number 1 of the next apply will fail.');
    await toast.waitFor();
    const [pressed, shown] = [await boxOf(button), await boxOf(toast)];
    const isBeside =
      shown.bottom <= pressed.top ||
      shown.top >= pressed.bottom ||
      shown.right <= pressed.left ||
      shown.left >= pressed.right;
    expect(isBeside, JSON.stringify({ pressed, shown })).toBe(true);
  }
  await page.getByRole('button', { name: 'Clear all', exact: true }).click();
  await page.getByText('None. A fault leaves this list').waitFor();
});

it('the faults in force are cleared with one button, and the page is accessible with them', async () => {
  const token = await almanac.userToken();
  const json = { kind: 'unreachable', seconds: 600 };
  await almanac.call('POST', '/v3/sandbox/fault', { token, json });
  const page = await browsing.openPage({ path: '/console/sandbox' });
  await page.getByText('The cloud does not answer').last().waitFor();
  expect(await faultsInAllViews(page)).toEqual([]);
  await page.getByRole('button', { name: 'Clear all', exact: true }).click();
  await page.getByText('None. A fault leaves this list').waitFor();
  expect((await almanac.call('GET', '/v3/sandbox/fault', { token })).body).toEqual([]);
});
