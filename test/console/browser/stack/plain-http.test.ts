import { expect, it } from 'vitest';
import { useBrowser } from '../harness.ts';

const browsing = useBrowser();
const { almanac } = browsing;

it('without the functions that browsers keep for https, examples are created again after a deletion, and texts are copied by hand', async () => {
  const page = await browsing.openPage({ path: null });
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined });
    Object.defineProperty(Crypto.prototype, 'randomUUID', { value: undefined });
  });
  await page.goto(`${almanac.url}/console/`);
  const command = 'alm template apply examples/first-stack.json --wait';
  await page.getByRole('button', { name: 'Copy the command' }).click();
  await page.getByRole('dialog', { name: 'Copy the command yourself' }).waitFor();
  expect(await page.evaluate(() => String(getSelection()))).toBe(command);
  await page.keyboard.press('Escape');

  const token = await almanac.userToken();
  const create = async (): Promise<string> => {
    await page.getByRole('button', { name: 'Create it in the sandbox' }).first().click();
    await page.waitForURL(/\/console\/stack\/mo-/);
    return /stack\/([^/?]+)/.exec(page.url())?.[1] ?? '';
  };
  const firstId = await create();
  await almanac.waitFor(firstId, 'CREATE_COMPLETE');
  await almanac.call('DELETE', `/v3/alm/stack/${firstId}?servers=replace`, { token });
  await almanac.waitFor(firstId, 'DELETE_COMPLETE');
  await page.getByRole('link', { name: 'Stacks' }).first().click();
  const secondId = await create();
  expect(secondId).not.toBe(firstId);
  await almanac.waitFor(secondId, 'CREATE_COMPLETE');
});
