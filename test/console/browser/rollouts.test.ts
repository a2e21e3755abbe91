import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/basics/clock.ts';
import { eventually } from '../../http.ts';
import { oneServer } from '../../world.ts';
import { faultsInAllViews } from './accessibility.ts';
import { useBrowser } from './harness.ts';

const clock = new VirtualClock();
const browsing = useBrowser({ sandboxSpeed: 1, clock });
const { almanac } = browsing;

/** Moves the clock in small steps until something is found. */
const until = (look: () => Promise<boolean>): Promise<boolean> =>
  eventually(
    async () => {
      clock.advance(250);
      return look();
    },
    (found) => found,
    60,
  );

const reach = (stackId: string, status: string): Promise<boolean> =>
  until(async () => (await almanac.describe(stackId)).stack_status === status);

const shop = (image: string, more: object = {}) => {
  const document = oneServer(2);
  const [web] = document.configurations;
  const layer = { ...web, container: { container_image: image }, ...more };
  return { ...document, label: `label of ${image}`, configurations: [layer] };
};

const made = async (template: object = shop('shop:1')): Promise<string> => {
  const stackId = await almanac.applyTemplate(template);
  await reach(stackId, 'CREATE_COMPLETE');
  return stackId;
};

const fail = async (stackId: string, fault: object): Promise<void> => {
  const json = { kind: 'fail_app', stack_id: stackId, ...fault };
  await almanac.call('POST', '/v3/sandbox/fault', { token: await almanac.userToken(), json });
};

const deploy = async (stackId: string, template: object): Promise<void> => {
  const token = await almanac.userToken();
  const { status } = await almanac.call('PUT', `/v3/alm/template/${stackId}`, { token, json: template });
  expect(status).toBe(202);
};

const open = (stackId: string): Promise<Page> =>
  browsing.openPage({ path: `/console/stack/${stackId}`, width: 360 });

const strip = (page: Page) =>
  page.locator('section', { has: page.getByRole('heading', { name: 'Application' }) });

describe('the rollout strip', () => {
  it('follows a deployment until every instance serves, and the header says that it does', async () => {
    const stackId = await made();
    await fail(stackId, { mode: 'silent', image: 'shop:2' });
    await deploy(stackId, shop('shop:2'));
    const page = await open(stackId);
    await until(() => strip(page).getByText('Rolling out').isVisible());
    await strip(page).getByText('0 of 2 serve').waitFor();
    await strip(page)
      .getByText(/is starting it, and keeps serving the one before/)
      .first()
      .waitFor();
    expect(await faultsInAllViews(page)).toEqual([]);
    await fail(stackId, { kind: 'clear' });
    await reach(stackId, 'UPDATE_COMPLETE');
    await strip(page).getByText('2 of 2 serve').waitFor();
    await strip(page).getByText('Serving', { exact: true }).waitFor();
    await page.getByRole('banner').or(page.locator('header')).getByText('Serving').first().waitFor();
    expect(await page.title()).not.toMatch(/^✗/);
  });

  it('says why a version that stays fails, and returns to the last complete one after a yes', async () => {
    const stackId = await made();
    await fail(stackId, { mode: 'crash', image: 'shop:2' });
    await deploy(stackId, shop('shop:2', { on_failure: 'stay' }));
    await reach(stackId, 'UPDATE_FAILED');
    const page = await open(stackId);
    await strip(page).getByText('Failing', { exact: true }).waitFor();
    await strip(page)
      .getByText(/does not serve it, and keeps serving the one before.*exited with code 3/)
      .first()
      .waitFor();
    expect(await page.title()).toMatch(/^✗ /);
    await strip(page).getByText('Last lines of').first().click();
    await strip(page).getByText('Error: no configuration').first().waitFor();
    expect(await faultsInAllViews(page)).toEqual([]);
    await page.getByRole('button', { name: 'Return …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Return to “label of shop:1”?' });
    await dialog.getByText(`alm rollout return --id ${stackId}`).waitFor();
    await dialog.getByRole('button', { name: 'Return to “label of shop:1”', disabled: false }).waitFor();
    expect(await faultsInAllViews(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Return to “label of shop:1”' }).click();
    await dialog.waitFor({ state: 'detached' });
    await reach(stackId, 'UPDATE_COMPLETE');
    await strip(page).getByText('2 of 2 serve').waitFor();
    await strip(page).getByText('shop:1').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Return …' }).count()).toBe(0);
  });

  it('tells that a version failed and was returned, and the page offers nothing that was done already', async () => {
    const stackId = await made();
    await fail(stackId, { mode: 'crash', image: 'shop:2' });
    const page = await open(stackId);
    await strip(page).getByText('2 of 2 serve').waitFor();
    await deploy(stackId, shop('shop:2'));
    await until(() => page.getByText('Returning', { exact: true }).isVisible());
    expect(await page.getByText(/about .* left/).count()).toBe(0);
    await reach(stackId, 'UPDATE_FAILED');
    await strip(page).getByText('“label of shop:2” failed and was returned').waitFor();
    await strip(page)
      .getByText(/exited with code 3/)
      .waitFor();
    await strip(page).getByText('2 of 2 serve').waitFor();
    await page.getByRole('link', { name: 'Edit', exact: true }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: /Bring back|Try again/ }).count()).toBe(0);
    expect(await faultsInAllViews(page)).toEqual([]);
    await page.getByRole('link', { name: /^Versions/ }).click();
    await page.getByText('in force again').waitFor();
  });
});

it('a container that dies shows on the list, in the tab, the header, the strip and the picture, with the reason', async () => {
  const stackId = await made();
  const { nickname } = await almanac.describe(stackId);
  const page = await open(stackId);
  const list = await browsing.openPage({ width: 360 });
  await list.getByText('Serving', { exact: true }).first().waitFor();
  await page.getByRole('link', { name: /^Instanceweb0-0,.*complete, serving$/ }).waitFor();
  await fail(stackId, { mode: 'dies' });
  await until(async () => (await almanac.describe(stackId)).health === 'down');
  await until(() => list.getByText('Down', { exact: true }).isVisible());
  const row = list.getByRole('link', { name: String(nickname), exact: true });
  expect(await row.getAttribute('title')).toMatch(/exited with code 137/);
  await list.getByRole('heading', { name: `${String(nickname)}: down` }).waitFor();
  expect(await faultsInAllViews(list)).toEqual([]);
  await page.locator('header').getByText('Down', { exact: true }).waitFor();
  expect(await page.title()).toBe(`✗ ${String(nickname)} · Almanac`);
  await strip(page).getByText('0 of 2 serve').waitFor();
  await page
    .getByRole('link', { name: /^Instanceweb0-0,.*failing: The container exited with code 137/ })
    .waitFor();
  expect(await faultsInAllViews(page)).toEqual([]);
  await fail(stackId, { kind: 'clear' });
  await until(async () => !(await page.title()).startsWith('✗'));
});

it('a stack without containers shows no health and no strip', async () => {
  const page = await open(await made(oneServer()));
  await page.getByRole('heading', { name: 'Picture' }).waitFor();
  expect(await strip(page).count()).toBe(0);
  expect(await page.getByText(/Serving|Health unknown|Down/).count()).toBe(0);
});

describe('the dialog that cancels an update', () => {
  it('offers to roll back to what it named when it was opened, once the update has finished', async () => {
    const stackId = await made(oneServer());
    await deploy(stackId, oneServer(2));
    const page = await open(stackId);
    await page.getByRole('button', { name: 'Cancel update' }).click();
    await page.getByRole('button', { name: 'Go back to “1 servers”' }).waitFor();
    await reach(stackId, 'UPDATE_COMPLETE');
    const over = page.getByRole('dialog', { name: 'The update is over' });
    await over.getByText(/^It finished \d+ s ago. Roll back instead\?$/).waitFor();
    expect(await page.getByRole('button', { name: /^Go back to/ }).count()).toBe(0);
    expect(await faultsInAllViews(page)).toEqual([]);
    await over.getByRole('button', { name: 'Roll back to “1 servers” …' }).click();
    const question = page.getByRole('dialog', { name: 'Bring back “1 servers”?' });
    await question.getByRole('button', { name: 'Bring it back' }).waitFor();
    expect((await almanac.describe(stackId)).stack_status).toBe('UPDATE_COMPLETE');
  });

  it('does not cancel another update than the one that it was opened for', async () => {
    const stackId = await made(oneServer());
    await deploy(stackId, oneServer(2));
    const page = await open(stackId);
    await page.getByRole('button', { name: 'Cancel update' }).click();
    await page.getByRole('button', { name: 'Go back to “1 servers”' }).waitFor();
    await deploy(stackId, oneServer(3));
    await page
      .getByRole('dialog', { name: 'The update is over' })
      .getByText(/Another version took its place/)
      .waitFor();
    expect(
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /ack to/ })
        .count(),
    ).toBe(0);
  });
});
