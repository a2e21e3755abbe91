// Visits of the list of stacks: time, bytes, requests, and the filter.
import { setTimeout as wait } from 'node:timers/promises';
import { median, ms, print } from './world.mjs';

const rounds = 5;
const rows = 'ul[aria-label="Stacks"] > li';
const slow = async (page, rate) =>
  (await page.context().newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate });

/** Bytes of everything that a visit transfers, headers included, and the paths in the order of their requests. */
async function countBytes(page) {
  const session = await page.context().newCDPSession(page);
  const seen = { bytes: 0, paths: [] };
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    seen.bytes += encodedDataLength;
  });
  session.on('Network.requestWillBeSent', ({ request }) => seen.paths.push(new URL(request.url).pathname));
  await session.send('Network.enable');
  return seen;
}

async function visit(world, rate) {
  const context = await world.openContext();
  const page = await context.newPage();
  await slow(page, rate);
  const seen = await countBytes(page);
  await page.goto(`${world.url}/console/`, { waitUntil: 'commit' });
  // Not by a locator: the driver's own script for it would run in the page while it loads.
  await wait(3000);
  await page.locator(rows).first().waitFor();
  return { context, page, seen, found: await page.evaluate('bench') };
}

async function measureVisits(world, rate) {
  const bare = [];
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    await world.call('GET', '/v3/alm/stack?view=summary');
    bare.push(performance.now() - start);
  }
  const visits = [];
  for (let round = 0; round < rounds; round += 1) {
    const { context, ...visited } = await visit(world, rate);
    visits.push(visited);
    await context.close();
  }
  const of = (pick) => median(visits.map(pick));
  const name = rate === 1 ? '' : `, CPU slowed ${rate}×`;
  print(
    `navigation to rows drawn, without the list${name}`,
    ms(of(({ found }) => found.rowsAt) - median(bare)),
    rate === 1 ? '400' : '1500',
  );
  if (rate > 1) return;
  print('  the list alone, by fetch', ms(median(bare)), '–');
  print('  largest contentful paint', ms(of(({ found }) => found.paint)), '1200');
  print('  layout shift', of(({ found }) => found.shift).toFixed(3), '0.02');
  print('  blocking', ms(of(({ found }) => found.blocking)), '150');
  print(
    '  requests before that of the list',
    String(of(({ seen }) => seen.paths.indexOf('/v3/alm/stack'))),
    '6',
  );
  print(
    '  bytes of the first visit, list included',
    `${(of(({ seen }) => seen.bytes) / 1024).toFixed(0)} KB`,
    '–',
  );
}

async function measureSecondVisit(world) {
  const { context, page } = await visit(world, 1);
  const again = await context.newPage();
  await page.close();
  const seen = await countBytes(again);
  await again.goto(`${world.url}/console/`);
  await again.locator(rows).first().waitFor();
  await wait(1000);
  print('bytes of the second visit, list included', `${(seen.bytes / 1024).toFixed(0)} KB`, '60');
  await context.close();
}

async function measureFilter(world, rate) {
  const { context, page } = await visit(world, rate);
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

export async function measureList(world) {
  for (const rate of [1, 4]) await measureVisits(world, rate);
  await measureSecondVisit(world);
  for (const rate of [1, 4]) await measureFilter(world, rate);
}
