import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { VirtualClock } from '../../../src/basics/clock.ts';
import { eventually } from '../../http.ts';
import { oneServer } from '../../world.ts';
import { makeRole, makeUser, statement } from './access/people.ts';
import { useBrowser } from './harness.ts';

const clock = new VirtualClock();
const browsing = useBrowser({ sandboxSpeed: 1, clock });
const { almanac } = browsing;

/** Moves the clock until the stack has the status. */
const reach = (stackId: string, status: string) =>
  eventually(
    async () => {
      clock.advance(1000);
      return almanac.describe(stackId);
    },
    ({ stack_status }) => stack_status === status,
    60,
  );

/** The element that has the focus, as tag and text. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { tagName = '', textContent = '' } = document.activeElement ?? {};
    return `${tagName} ${tagName === 'BODY' ? '' : textContent}`.trim();
  });

it('a dialog that asks for something has the focus in its field, so that one can type at once', async () => {
  const page = await browsing.openPage({ path: '/console/users' });
  await page.getByRole('button', { name: 'New user' }).focus();
  await page.keyboard.press('Enter');
  const field = page.getByRole('dialog').getByLabel('User name');
  await field.waitFor();
  await page.keyboard.type('typed-at-once');
  expect(await field.inputValue()).toBe('typed-at-once');
  await page.keyboard.press('Escape');
  await expect.poll(() => focused(page)).toMatch(/^BUTTON\s+New user$/);
});

it('after a user is deleted, the focus is on the heading of the list that the page leads to', async () => {
  const { username } = await makeUser(browsing, 'goes-soon');
  const page = await browsing.openPage({ path: `/console/users/${username}` });
  await page.getByRole('button', { name: 'Delete' }).focus();
  await page.keyboard.press('Enter');
  await page.getByLabel(/to confirm/).fill(username);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/console/users');
  await expect.poll(() => focused(page)).toBe('H1 Users');
});

it('after a role is deleted, the focus is on the heading of the list that the page leads to', async () => {
  const id = await makeRole(browsing, 'goes soon', statement('Allow', ['stack:*']));
  const page = await browsing.openPage({ path: `/console/roles/${id}` });
  await page.getByRole('button', { name: 'Delete' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Delete role' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/console/roles');
  await expect.poll(() => focused(page)).toBe('H1 Roles');
});

it('a removed statement leaves the focus on the heading of its card, without scrolling the page', async () => {
  const statements = Array.from({ length: 12 }, () => statement('Allow', ['stack:*']));
  const id = await makeRole(browsing, 'many statements', ...statements);
  const page = await browsing.openPage({ path: `/console/roles/${id}` });
  const remove = page.getByRole('button', { name: 'Remove statement 11' });
  await remove.focus();
  const before = await page.evaluate(() => scrollY);
  await page.keyboard.press('Enter');
  await remove.waitFor({ state: 'detached' });
  await expect.poll(() => focused(page)).toBe('H2 Statements');
  expect(before).toBeGreaterThan(0);
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0);
});

it('a tab of a stack that is opened by keyboard leaves the focus on the heading of the stack', async () => {
  const id = await almanac.applyTemplate(oneServer());
  const page = await browsing.openPage({ path: `/console/stack/${id}` });
  await page.getByRole('link', { name: 'Settings' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/settings');
  const { nickname } = await almanac.describe(id);
  await expect.poll(() => focused(page)).toBe(`H1 ${String(nickname)}`);
});

it('a stack that is being deleted leaves the focus on the sentence that says so, then on the heading', async () => {
  const id = await almanac.applyTemplate(oneServer());
  const { nickname } = await reach(id, 'CREATE_COMPLETE');
  const page = await browsing.openPage({ path: `/console/stack/${id}/settings` });
  await page.getByLabel(/to confirm/).fill(String(nickname));
  await page.getByRole('button', { name: `Delete ${String(nickname)}` }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page)).toBe('P The stack is being deleted.');
  await reach(id, 'DELETE_COMPLETE');
  await expect.poll(() => focused(page)).toBe(`H1 ${String(nickname)}`);
});
