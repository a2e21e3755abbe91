import { beforeAll, expect, it } from 'vitest';
import { addressOf, pages } from '../../../src/console/address/pages.ts';
import { scrollsSideways, zoomedWindow } from './accessibility.ts';
import { useBrowser } from './harness.ts';

const browsing = useBrowser();
let id: string;
beforeAll(async () => {
  id = await browsing.almanac.applyTemplate();
  await browsing.almanac.waitFor(id, 'CREATE_COMPLETE');
});

it('at_400_percent_zoom every page is read without scrolling sideways', async () => {
  const { almanac } = browsing;
  const page = await browsing.openPage({ path: null });
  await page.setViewportSize(zoomedWindow);
  for (const address of Object.values(pages)) {
    // Last: it is for those who are not signed in.
    if (address === pages.signIn) continue;
    const path = addressOf(address as '/stack/:id', { id, name: 'root' } as { id: string });
    await page.goto(`${almanac.url}/console${path}`);
    await page.getByRole('heading').first().waitFor();
    expect(await scrollsSideways(page), address).toBe(false);
  }
  await page.context().clearCookies();
  await page.goto(`${almanac.url}/console${pages.signIn}`);
  await page.getByRole('heading', { name: 'Sign in to Almanac' }).waitFor();
  expect(await scrollsSideways(page), pages.signIn).toBe(false);
});
