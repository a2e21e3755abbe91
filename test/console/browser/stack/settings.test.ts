import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { oneServer } from '../../../world.ts';
import { errorBody } from '../error-body.ts';
import { useBrowser } from '../harness.ts';

const browsing = useBrowser();
const { almanac } = browsing;

const made = async (template: object = oneServer()): Promise<string> => {
  const stackId = await almanac.applyTemplate(template);
  await almanac.waitFor(stackId, 'CREATE_COMPLETE');
  return stackId;
};

const refusal = { status: 403, json: errorBody('No statement of a role allows it') };

async function typeNickname(page: Page, stackId: string): Promise<string> {
  const nickname = String((await almanac.describe(stackId)).nickname);
  await page.getByLabel(/^Type/).fill(nickname);
  return `Delete ${nickname}`;
}

it('a stack whose resources cannot be read is not deleted, and the page says why', async () => {
  const stackId = await made();
  const page = await browsing.openPage({ path: null });
  await page.route(/\/resources$/, (route) => route.fulfill(refusal));
  await page.goto(`${almanac.url}/console/stack/${stackId}/settings`);
  await page.getByText('No statement of a role allows it').waitFor();
  const name = await typeNickname(page, stackId);
  const button = page.getByRole('button', { name });
  expect(await button.getAttribute('aria-disabled')).toBe('true');
  await button.click({ force: true });
  expect((await almanac.describe(stackId)).stack_status).toBe('CREATE_COMPLETE');
  await page.getByText('The effect could not be read.').waitFor({ state: 'attached' });
});

it('after a deletion failed the stack can be deleted again on the same page', async () => {
  const stackId = await made();
  const token = await almanac.userToken();
  const json = { kind: 'share_resource', stack_id: stackId, with_stack: 'mo-5447826c870e7-aB3dE6gH9-tk' };
  await almanac.call('POST', '/v3/sandbox/fault', { token, json });
  const page = await browsing.openPage({ path: `/console/stack/${stackId}/settings` });
  await page.getByRole('button', { name: await typeNickname(page, stackId) }).click();
  await almanac.waitFor(stackId, 'DELETE_FAILED');
  await expect.poll(() => page.getByLabel(/^Type/).inputValue()).toBe('');
  const list = await browsing.openPage();
  await list.getByRole('heading', { name: /: delete failed/ }).waitFor();
  expect(await list.getByRole('link', { name: 'Edit and retry' }).count()).toBe(0);
  await list.getByRole('link', { name: 'Delete again' }).click();
  await list.waitForURL(`**/stack/${stackId}/settings`);
  await almanac.call('POST', '/v3/sandbox/fault', { token, json: { kind: 'clear', stack_id: stackId } });
  await page.getByRole('button', { name: await typeNickname(page, stackId) }).click();
  await almanac.waitFor(stackId, 'DELETE_COMPLETE');
});

it('a link to a private key vanishes when another layer is chosen', async () => {
  const template = oneServer();
  const [web] = template.configurations;
  const stackId = await made({
    ...template,
    configurations: [web, { ...web, flag: 'jobs' }],
  });
  const page = await browsing.openPage({ path: `/console/stack/${stackId}/settings` });
  await page.getByRole('button', { name: 'Make a link' }).click();
  const link = page.getByRole('link', { name: 'Download the key' });
  expect(await link.getAttribute('download')).toBe('web0.pem');
  await page.getByLabel('Layer', { exact: true }).selectOption('jobs');
  await link.waitFor({ state: 'detached' });
  await page.getByText(`alm stack pem ${stackId} --flag jobs --out jobs.pem`).waitFor();
});

it('a script that is being typed stays when its instance is replaced', async () => {
  const stackId = await made();
  const page = await browsing.openPage({ path: `/console/stack/${stackId}/instances` });
  await page.getByRole('button', { name: /^Run a script on/ }).click();
  await page.getByLabel('Script', { exact: true }).fill('uptime');
  await page.route(/view=details/, async (route) => {
    const response = await route.fetch();
    const text = (await response.text()).replaceAll(/"InstanceId":"[^"]*"/g, '"InstanceId":"i-replaced"');
    await route.fulfill({ response, body: text });
  });
  await almanac.call('PUT', `/v3/alm/template/${stackId}`, {
    token: await almanac.userToken(),
    json: { ...oneServer(), description: 'changed' },
  });
  await page.getByText('i-replaced').first().waitFor();
  expect(await page.getByLabel('Script', { exact: true }).inputValue()).toBe('uptime');
});
