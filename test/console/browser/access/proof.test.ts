import { expect, it } from 'vitest';
import { VirtualClock } from '../../../../src/basics/clock.ts';
import { first, type Json } from '../../../api/served-almanac.ts';
import { useBrowser } from '../harness.ts';

const clock = new VirtualClock(Date.now());
const browsing = useBrowser({ clock });

it('what gives lasting access asks for the password 10 minutes after the sign-in, and is then done', async () => {
  const page = await browsing.openPage({ path: '/console/clients' });
  await page.getByRole('heading', { name: 'API clients' }).waitFor();
  clock.advance(11 * 60_000);
  browsing.expectErrors(page, /403|400/);
  await page.getByRole('button', { name: 'New API client' }).click();
  await page.getByLabel('What it is for').fill('made after a proof');
  await page.getByRole('button', { name: 'Create API client' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm with your password' });
  await dialog.getByLabel('Your password').fill('wrong');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await dialog.getByText('Your password is wrong').waitFor();
  await dialog.getByLabel('Your password').fill(first.password);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('dialog', { name: 'made after a proof is created' }).waitFor();
  const token = await browsing.almanac.userToken();
  const { body } = await browsing.almanac.call<Json[]>('GET', '/v3/client', { token });
  expect(body.map(({ label }) => label)).toContain('made after a proof');
});
