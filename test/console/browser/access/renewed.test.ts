import { expect, it } from 'vitest';
import { VirtualClock } from '../../../../src/basics/clock.ts';
import { useBrowser } from '../harness.ts';

const clock = new VirtualClock(Date.now());
const browsing = useBrowser({ clock });

const hours = 3_600_000;

it('a user who works stays signed in for longer than a token lasts, and is not asked again', async () => {
  const page = await browsing.openPage({ path: null });
  await page.clock.install({ time: clock.now() });
  await page.goto(`${browsing.almanac.url}/console/users`);
  await page.getByRole('heading', { name: 'Users' }).waitFor();
  for (let worked = 0; worked < 24; worked += 8) {
    clock.advance(8 * hours);
    await page.clock.fastForward(8 * hours);
    const renewed = page.waitForResponse('**/v3/session/renew');
    const read = page.waitForResponse('**/v3/session');
    await page.keyboard.press('Shift');
    expect((await renewed).ok()).toBe(true);
    await read;
  }
  await page.reload();
  await page.getByRole('heading', { name: 'Users' }).waitFor();
  expect(await page.getByText('Your sign-in has expired').count()).toBe(0);
});
