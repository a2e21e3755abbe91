import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { editorOf, typeOver } from '../editor/typing.ts';
import { useBrowser } from '../harness.ts';
import { changeRole, makeRole, makeUser, statement } from './people.ts';

const browsing = useBrowser();
const { almanac } = browsing;

const everything = statement('Allow', ['*']);
const reading = statement('Allow', ['stack:describe*', 'template:describe*', 'cred:describe*', 'vendor:*']);

interface Case {
  page: Page;
  stackId: string;
  /** The role of the user allows only these from now on. */
  take: (...left: object[]) => Promise<void>;
}

/** A person who may do everything, in front of a page. */
async function someoneAt(username: string, pathOf: (stackId: string) => string): Promise<Case> {
  const name = `role of ${username}`;
  const id = await makeRole(browsing, name, everything);
  const user = await makeUser(browsing, username, id);
  const stackId = await almanac.applyTemplate();
  await almanac.waitFor(stackId, 'CREATE_COMPLETE', 60);
  const page = await browsing.openPage({ as: user, path: `/console/${pathOf(stackId)}` });
  return { page, stackId, take: (...left) => changeRole(browsing, { id, name }, ...left) };
}

const refusalOf = (place: Page | Locator, action: string): Locator =>
  place.getByRole('alert').getByText(`You do not have permission for ${action}.`);

const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });

/** The page has read the permissions again: what is not allowed any more goes off. */
const isOff = (element: Locator) => expect.poll(() => element.getAttribute('aria-disabled')).toBe('true');

describe('a role that is taken away while a page is open', () => {
  it.each([
    {
      left: 'reading',
      statements: [reading],
      after: 'Nobody changed the stack since you began',
    },
    {
      left: 'nothing',
      statements: [],
      after: 'This stack was deleted, or your roles do not show it to you any more',
    },
  ])(
    'refuses an update visibly, and keeps refusal and text on the page, with $left left',
    async ({ left, statements, after }) => {
      const { page, stackId, take } = await someoneAt(`edits-${left}`, (id) => `stack/${id}/edit`);
      await typeOver(page, '1 servers', 'typed by hand');
      await expect.poll(() => button(page, 'Apply').getAttribute('aria-disabled')).toBe(null);
      await take(...statements);
      await button(page, 'Apply').click();
      await refusalOf(page, 'template:updateAlmTemplate').waitFor();
      await isOff(button(page, 'Apply'));
      await page.getByText(after).waitFor();
      expect(await refusalOf(page, 'template:updateAlmTemplate').isVisible()).toBe(true);
      expect(await editorOf(page).textContent()).toContain('typed by hand');
      await take(everything);
      await page.reload();
      await editorOf(page).getByText('typed by hand').waitFor();
      expect((await almanac.describe(stackId)).stack_status).toBe('CREATE_COMPLETE');
    },
  );

  it('refuses a deletion visibly, and keeps the refusal and the name that was typed', async () => {
    const { page, stackId, take } = await someoneAt('deletes', (id) => `stack/${id}/settings`);
    const nickname = String((await almanac.describe(stackId)).nickname);
    const field = page.getByLabel(`Type ${nickname} to confirm`);
    await field.fill(nickname);
    await page.getByText(/removed at the vendor/).waitFor();
    await take(reading);
    await button(page, `Delete ${nickname}`).click();
    // While the request is on its way, the button is off too.
    await refusalOf(page, 'stack:deleteStack').waitFor();
    await isOff(button(page, `Delete ${nickname}`));
    expect(await refusalOf(page, 'stack:deleteStack').isVisible()).toBe(true);
    expect(await field.inputValue()).toBe(nickname);
    expect((await almanac.describe(stackId)).stack_status).toBe('CREATE_COMPLETE');
  });

  it('keeps the name that was typed to delete a stack that may no longer be seen, with every button off', async () => {
    const { page, stackId, take } = await someoneAt('sees', (id) => `stack/${id}/settings`);
    const nickname = String((await almanac.describe(stackId)).nickname);
    const field = page.getByLabel(`Type ${nickname} to confirm`);
    await field.fill(nickname);
    await page.getByText(/removed at the vendor/).waitFor();
    await take();
    await button(page, `Delete ${nickname}`).click();
    await refusalOf(page, 'stack:deleteStack').waitFor();
    await page.getByText('your roles do not show it to you any more. What you typed is kept').waitFor();
    await isOff(button(page, `Delete ${nickname}`));
    expect(await field.inputValue()).toBe(nickname);
    await take(everything);
    await page.reload();
    await page.getByText(/removed at the vendor/).waitFor();
    expect((await almanac.describe(stackId)).stack_status).toBe('CREATE_COMPLETE');
  });

  it('refuses a form visibly, keeps what was typed, and puts the button that opens it off', async () => {
    const { page, take } = await someoneAt('saves', () => 'credentials');
    await button(page, 'Add a credential').click();
    const dialog = page.getByRole('dialog', { name: 'Add a credential' });
    await dialog.getByLabel('Cloud', { exact: true }).selectOption('aws');
    await dialog.getByLabel('Access key id').fill('AKIAEXAMPLE');
    await dialog.getByLabel('Secret access key').fill('typed by hand');
    await dialog.getByLabel('Name of the account').fill('shop');
    await take(reading);
    await button(page, 'Save credential').click();
    await refusalOf(dialog, 'cred:createCredential').waitFor();
    await isOff(page.getByRole('button', { name: 'Add a credential', includeHidden: true }));
    expect(await refusalOf(dialog, 'cred:createCredential').isVisible()).toBe(true);
    expect(await dialog.getByLabel('Secret access key').inputValue()).toBe('typed by hand');
  });
});
