import { expect, it } from 'vitest';
import { violationsOf } from '../accessibility.ts';
import { useBrowser } from '../harness.ts';

const browsing = useBrowser();

it.each([
  { path: 'users/nobody', says: 'There is no user nobody', back: 'Users' },
  { path: 'roles/none', says: 'There is no such role', back: 'Roles' },
  { path: 'stack/none/edit', says: 'There is no such stack', back: 'Stacks' },
  { path: 'nothing-here', says: 'This page does not exist', back: 'Stacks' },
  {
    path: 'images/repository?name=root%2Fnone',
    says: 'This server has no container registry',
    back: 'Images',
  },
])('the page $path says that it does not exist, and leads back to $back', async ({ path, says, back }) => {
  const page = await browsing.openPage({ path: `/console/${path}` });
  await page.getByRole('heading', { level: 2, name: says }).waitFor();
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
  expect(await page.title()).toBe(`${await page.getByRole('heading', { level: 1 }).textContent()} · Almanac`);
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('navigation', { name: 'Above this page' }).getByRole('link', { name: back }).click();
  await page.getByRole('heading', { level: 1, name: back }).waitFor();
});

it('the list of shortcuts has every key that works on a list', async () => {
  const page = await browsing.openPage();
  await page.getByRole('heading', { level: 1, name: 'Stacks' }).waitFor();
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog', { name: 'Shortcuts' });
  await dialog.getByText('Open the row').waitFor();
  const keys = await dialog.getByRole('term').allTextContents();
  expect(keys).toEqual(expect.arrayContaining(['j', 'k', 'Enter', '/', 'n']));
});
