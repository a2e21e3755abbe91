import type { Page, Request } from 'playwright-core';
import { expect, it } from 'vitest';
import { oneServer } from '../../../world.ts';
import { useBrowser } from '../harness.ts';

const browsing = useBrowser();
const minute = 60_000;

/** Opens a page whose timers the test moves. */
const openWithClock = async (path: string): Promise<Page> => {
  const page = await browsing.openPage({ path: null });
  await page.clock.install();
  await page.goto(browsing.almanac.url + path);
  await page.locator('[data-live=live]').waitFor();
  return page;
};

/** Tells the page that its tab was hidden, or shown: the browser of the tests shows all of them. */
const setHidden = (page: Page, hidden: boolean): Promise<void> =>
  page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => value });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);

const isEventStream = (request: Request): boolean => request.url().includes('/events/stream');

it('the page of a stack is not called live while the stream of the stack fails', async () => {
  const stackId = await browsing.almanac.applyTemplate(oneServer());
  const page = await browsing.openPage({ path: null });
  browsing.expectErrors(page, /503/);
  await page.route(/events\/stream/, (route) => route.fulfill({ status: 503 }));
  const account = page.waitForResponse(/alm\/stack\/stream/);
  const failed = page.waitForResponse(/events\/stream/);
  await page.goto(`${browsing.almanac.url}/console/stack/${stackId}`);
  await Promise.all([account, failed]);
  await page.locator('[data-live=reconnecting]').waitFor();
  await page.unroute(/events\/stream/);
  await page.locator('[data-live=live]').waitFor();
});

it('a hidden page of a stack gives its connection back, and continues where it stopped', async () => {
  const stackId = await browsing.almanac.applyTemplate(oneServer());
  await browsing.almanac.waitFor(stackId, 'CREATE_COMPLETE');
  const page = await openWithClock(`/console/stack/${stackId}/events`);
  await page.getByRole('link', { name: /^Events\s*\d/ }).waitFor();
  const closed = page.waitForEvent('requestfailed', isEventStream);
  await setHidden(page, true);
  await page.clock.fastForward(11_000);
  await closed;
  const opened = page.waitForRequest(isEventStream);
  await setHidden(page, false);
  expect(Number(new URL((await opened).url()).searchParams.get('after'))).toBeGreaterThan(0);
  await page.locator('[data-live=live]').waitFor();
});

it('another tab takes the stream of the account over from one that is hidden for long', async () => {
  const leader = await openWithClock('/console/');
  const other = await browsing.openPage({ nextTo: leader });
  await other.locator('[data-live=live]').waitFor();
  const takenOver = other.waitForRequest(/alm\/stack\/stream\?after=/);
  await setHidden(leader, true);
  await leader.clock.fastForward(6 * minute);
  await takenOver;
  await other.locator('[data-live=live]').waitFor();
});

it('reports of agents do not make the page read the stack again for each of them', async () => {
  const { almanac } = browsing;
  const stackId = await almanac.applyTemplate(oneServer());
  await almanac.waitFor(stackId, 'CREATE_COMPLETE');
  const page = await openWithClock(`/console/stack/${stackId}/events`);
  await page
    .getByText(/complete/i)
    .first()
    .waitFor();
  await page.clock.pauseAt(Date.now() + minute);
  let reads = 0;
  page.on('request', (request) => (reads += request.url().includes(`/alm/stack/${stackId}`) ? 1 : 0));
  const token = await almanac.userToken();
  for (let number = 0; number < 10; number += 1) {
    const json = { stack_id: stackId, agent_id: 'one', status: `report ${number}.` };
    await almanac.call('POST', '/v3/alm/agent/agent_status', { token, json });
    const shown = async (): Promise<number> => {
      await page.clock.runFor(20);
      return page.getByText(`report ${number}.`).count();
    };
    await expect.poll(shown).toBeGreaterThan(0);
  }
  expect(reads).toBeLessThan(5);
  const known = reads;
  await page.clock.runFor(3000);
  await expect.poll(() => reads).toBeGreaterThan(known);
});
