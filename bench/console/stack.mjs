// The pages of one stack: events in time and in number, and the picture.
import { setTimeout as wait } from 'node:timers/promises';
import { addEvents } from '../../dist/store/stacks/events.js';
import { median, ms, percentile, print } from './world.mjs';

/** Events of the agent at a steady rate; each is found in the page and timed there, by the clock that both share. */
async function measureEvents(world) {
  const context = await world.openContext();
  const page = await context.newPage();
  await page.goto(`${world.url}/console/stack/${world.stackId}/events`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await wait(2000);
  await page.evaluate(() => {
    bench.shown = {};
    bench.longest = 0;
    const find = () => {
      const found = document.body.textContent.matchAll(/bench-number-(\d+)\./g);
      for (const [, number] of found) bench.shown[number] ??= 0;
      requestAnimationFrame(() => {
        for (const number of Object.keys(bench.shown)) bench.shown[number] ||= Date.now();
      });
    };
    new MutationObserver(find).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
    });
  });
  const sent = [];
  for (let number = 0; number < 200; number += 1) {
    sent.push(Date.now());
    const json = { stack_id: world.stackId, agent_id: 'bench', status: `bench-number-${number}.` };
    void world.call('POST', '/v3/alm/agent/agent_status', { json });
    await wait(50);
  }
  await wait(3000);
  const { shown, longest } = await page.evaluate('bench');
  const times = sent.flatMap((time, number) => (shown[number] ? [shown[number] - time] : []));
  print(
    `an event to its pixel, p95 (${times.length} of ${sent.length} seen)`,
    ms(percentile(times, 0.95) ?? Number.NaN),
    '150',
  );
  print('  longest task in that time', ms(longest), '100');
  await context.close();
}

const manyEvents = 72_000;

/** What the page keeps after the garbage is collected. */
async function keptBy(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.enable');
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return { megabytes: usedSize / 2 ** 20, elements: await page.locator('*').count() };
}

/** A stack that has reported for days. */
async function measureManyEvents(world) {
  const { database } = world.almanac.service;
  const context = await world.openContext();
  const page = await context.newPage();
  await page.goto(`${world.url}/console/stack/${world.stackId}/events`);
  await page.locator('[data-live=live]').waitFor();
  await wait(2000);
  const before = await keptBy(page);
  const add = async (messages) => {
    const events = messages.map((message) => ({ at: Date.now(), kind: 'step', message }));
    await database.transaction((query) => addEvents(query, world.stackId, events));
    await database.notify('stack-event', world.stackId);
  };
  for (let sent = 0; sent < manyEvents; sent += 500) {
    await add(Array.from({ length: 500 }, (_, index) => `Step ${sent + index} of many.`));
    await wait(50);
  }
  await add(['The last of many.']);
  await page.getByText('The last of many.').first().waitFor({ timeout: 120_000 });
  const after = await keptBy(page);
  print(
    `heap after ${manyEvents} events, above the start`,
    `${(after.megabytes - before.megabytes).toFixed(1)} MB`,
    '10',
  );
  print('  elements of the page', String(after.elements), '3000');
  await context.close();
}

const manyResources = 300;

/** The resources of the stack as often as needed, each copy with names of its own. */
const multiplied = (resources) =>
  Array.from({ length: manyResources }, (_, index) => {
    const copy = Math.floor(index / resources.length);
    const { name, layer, depends_on, ...rest } = resources[index % resources.length];
    const own = (text) => `${text}${copy}`;
    return { ...rest, name: own(name), layer: layer && own(layer), depends_on: depends_on.map(own) };
  });

/** Notes the frame after which everything on the screen is drawn, and the one after which all nodes are. */
const watchPicture = (count) => {
  bench.drawn = {};
  const whenDrawn = (name) =>
    requestAnimationFrame(() => setTimeout(() => (bench.drawn[name] = performance.now())));
  const find = () => {
    const nodes = [...document.querySelectorAll('[role=group] div > a')];
    const isBelow = nodes.at(-1)?.getBoundingClientRect().top > innerHeight;
    const isFull = nodes.length >= count;
    if (nodes.length > 0 && (isBelow || isFull) && !('screen' in bench.drawn)) {
      bench.drawn.screen = null;
      whenDrawn('screen');
    }
    if (isFull) whenDrawn('all');
    else requestAnimationFrame(find);
  };
  requestAnimationFrame(find);
};

/** Milliseconds from the arrival of the resources to both frames. */
const drawnAfter = (page) =>
  page.evaluate(() => {
    const all = performance.getEntriesByType('resource');
    const { responseEnd } = all.find(({ name }) => name.includes('/resources'));
    const { screen, all: whole } = bench.drawn;
    return { screen: screen - responseEnd, all: whole - responseEnd, longest: bench.longest };
  });

async function drawPicture(world) {
  const context = await world.openContext();
  const page = await context.newPage();
  await page.route('**/resources*', async (route) => {
    const response = await route.fetch();
    const reply = await response.json();
    await route.fulfill({ response, json: { ...reply, resources: multiplied(reply.resources) } });
  });
  await page.addInitScript(watchPicture, manyResources);
  await page.goto(`${world.url}/console/stack/${world.stackId}?show=all`);
  await page.waitForFunction(() => bench.drawn.all, undefined, { timeout: 30_000 });
  const found = await drawnAfter(page);
  await context.close();
  return found;
}

async function measurePicture(world) {
  const found = [];
  for (let round = 0; round < 5; round += 1) found.push(await drawPicture(world));
  const of = (name) => ms(median(found.map((each) => each[name])));
  print(`picture of ${manyResources} resources: reply to all of them drawn`, of('all'), '100');
  print('  to those on the screen drawn', of('screen'), '100');
  print('  longest task of the visit', of('longest'), '100');
}

export async function measureStack(world) {
  await measureEvents(world);
  await measurePicture(world);
  await measureManyEvents(world);
}
