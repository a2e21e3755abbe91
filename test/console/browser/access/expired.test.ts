import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { first } from '../../../api/served-almanac.ts';
import { useBrowser } from '../harness.ts';

const browsing = useBrowser();

const endAllSessions = async (): Promise<void> => {
  const { almanac } = browsing;
  const token = await almanac.userToken();
  const path = '/v3/token';
  const { body } = await almanac.call<{ token_id: string; client_id: string }[]>('GET', path, { token });
  for (const { token_id, client_id } of body)
    if (client_id === 'console') await almanac.call('DELETE', `${path}/${token_id}`, { token });
};

/** As when the person comes back to the tab after a while: the page reads its session again. */
async function comeBack(page: Page): Promise<void> {
  await page.clock.fastForward('02:00');
  await page.evaluate('document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))');
}

const signInAgain = async (page: Page): Promise<void> => {
  await page
    .getByRole('dialog', { name: 'Your sign-in has expired' })
    .getByLabel('Password')
    .fill(first.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('dialog', { name: 'Your sign-in has expired' }).waitFor({ state: 'detached' });
};

it('an expired sign-in keeps the page and what was typed, asks once, and Escape does not dismiss the question', async () => {
  const page = await browsing.openPage({ path: null });
  await page.clock.install();
  await page.goto(`${browsing.almanac.url}/console/?filter=kept`);
  await page.getByRole('searchbox').or(page.getByText('Create your first stack')).first().waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('typed before');
  await endAllSessions();
  await comeBack(page);
  await page.getByText('Your sign-in has expired').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await signInAgain(page);
  expect(await page.getByRole('dialog').getByRole('combobox').inputValue()).toBe('typed before');
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Users' }).click();
  await page.getByRole('heading', { name: 'Users' }).waitFor();
  expect(await page.getByText('Your sign-in has expired').count()).toBe(0);
});

it('a user who signs in again in one tab continues in all of them', async () => {
  const one = await browsing.openPage({ path: '/console/users' });
  const two = await browsing.openPage({ nextTo: one, path: '/console/roles' });
  await two.getByRole('heading', { name: 'Roles' }).waitFor();
  await endAllSessions();
  for (const page of [one, two]) {
    // The question may already be in front of the link: the stream of the page ends with the session.
    await page.getByRole('link', { name: 'Audit' }).dispatchEvent('click');
    await page.getByText('Your sign-in has expired').waitFor();
  }
  await signInAgain(two);
  await one.getByText('Your sign-in has expired').waitFor({ state: 'detached' });
  await one.getByRole('heading', { name: 'Audit' }).waitFor();
});
