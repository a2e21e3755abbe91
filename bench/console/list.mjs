// Visits of the list of stacks: time, bytes, requests, and the filter.
import { setTimeout as wait } from 'node:timers/promises';
import { withServer } from './own-server.mjs';
import { median, ms, print } from './world.mjs';

const rounds = 5;
const rows = 'ul[aria-label="Stacks"] > li';
const slow = async (page, rate) =>
  (await page.context().newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate });

/** Bytes of everything that a visit transfers, headers included. */
async function countBytes(page) {
  const session = await page.context().newCDPSession(page);
  const seen = { bytes: 0 };
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    seen.bytes += encodedDataLength;
  });
  await session.send('Network.enable');
  return seen;
}

/** What was observed, and how many requests began before there were rows: the page and its parts, without the icon of the tab. */
const requestsUntilRows = () => {
  const parts = performance.getEntriesByType('resource').filter(({ name }) => !/icon/.test(name));
  return [bench, 1 + parts.filter(({ startTime }) => startTime < bench.rowsIn).length];
};

async function visit({ world, url }, rate) {
  const context = await world.openContext(url);
  const page = await context.newPage();
  await slow(page, rate);
  const seen = await countBytes(page);
  await page.goto(`${url}/console/`, { waitUntil: 'commit' });
  // Not by a locator: the driver's own script for it would run in the page while it loads.
  await wait(3000);
  await page.locator(rows).first().waitFor();
  const [found, requests] = await page.evaluate(requestsUntilRows);
  return { context, page, seen, found, requests };
}

/** What the browser itself takes for any page of this server: a new process, and the frame after the first. */
async function emptyPage({ world, url }, rate) {
  const context = await world.openContext(url);
  const page = await context.newPage();
  await slow(page, rate);
  await page.goto(`${url}/v3/session`);
  await wait(1000);
  const { frameAt } = await page.evaluate('bench');
  await context.close();
  return frameAt;
}

async function bareList({ world, url }) {
  const start = performance.now();
  await world.call('GET', '/v3/alm/stack?view=summary', { url });
  return performance.now() - start;
}

async function drawnRows(served, rate) {
  const { context, ...visited } = await visit(served, rate);
  await context.close();
  return visited;
}

async function measureVisits(served, rate) {
  const [bare, empty, visits] = [[], [], []];
  for (let round = 0; round < rounds; round += 1) {
    bare.push(await bareList(served));
    empty.push(await emptyPage(served, rate));
    visits.push(await drawnRows(served, rate));
  }
  const of = (pick) => median(visits.map(pick));
  const name = rate === 1 ? '' : `, CPU slowed ${rate}×`;
  print(
    `navigation to rows drawn, without the list${name}`,
    ms(of(({ found }) => found.rowsAt) - median(bare)),
    rate === 1 ? '400' : '1500',
  );
  print('  of that an empty page, in the same browser', ms(median(empty)), '–');
  if (rate > 1) return;
  print('  the list alone, by fetch', ms(median(bare)), '–');
  print('  largest contentful paint', ms(of(({ found }) => found.paint)), '1200');
  print('  layout shift', of(({ found }) => found.shift).toFixed(3), '0.02');
  print('  blocking', ms(of(({ found }) => found.blocking)), '150');
  print('  requests until there are rows', String(of(({ requests }) => requests)), '6');
  print(
    '  bytes of the first visit, list included',
    `${(of(({ seen }) => seen.bytes) / 1024).toFixed(0)} KB`,
    '–',
  );
}

async function measureSecondVisit(served) {
  const { context, page } = await visit(served, 1);
  const again = await context.newPage();
  await page.close();
  const seen = await countBytes(again);
  await again.goto(`${served.url}/console/`);
  await again.locator(rows).first().waitFor();
  await wait(1000);
  print('bytes of the second visit, list included', `${(seen.bytes / 1024).toFixed(0)} KB`, '60');
  await context.close();
}

async function measureFilter(served, rate) {
  const { context, page } = await visit(served, rate);
  const field = page
    .getByRole('searchbox')
    .or(page.getByLabel(/^Filter by name/))
    .first();
  await field.focus();
  await page.evaluate(() => {
    bench.keys = [];
    addEventListener(
      'keydown',
      ({ timeStamp }) => {
        requestAnimationFrame(() => setTimeout(() => bench.keys.push(performance.now() - timeStamp)));
      },
      true,
    );
  });
  for (const key of 'stack 12') {
    await page.keyboard.press(key === ' ' ? 'Space' : key);
    await wait(200);
  }
  const times = await page.evaluate('bench.keys');
  print(
    `a key in the filter to the next frame${rate === 1 ? '' : `, CPU slowed ${rate}×`}`,
    ms(median(times)),
    rate === 1 ? '50' : '100',
  );
  await context.close();
}

/** The server is a process of its own: in that of the driver, it would wait for the driver. */
export const measureList = (world) =>
  withServer(
    async (_, url) => {
      const served = { world, url };
      for (const rate of [1, 4]) await measureVisits(served, rate);
      await measureSecondVisit(served);
      for (const rate of [1, 4]) await measureFilter(served, rate);
    },
    { data: world.copyData() },
  );
