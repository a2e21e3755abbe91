// The web console in a real browser: time, memory and bytes, each beside its bar. See README.md.
// Usage after a build: bash scripts/with-chromium.sh node bench/console.mjs [stacks]
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { startAlmanac } from '../dist/almanac/start.js';
import { readConfig } from '../dist/basics/config.js';
import { createLog } from '../dist/basics/log.js';

const [stackCount = 1000] = process.argv.slice(2).map(Number);
const rounds = 5;
const directory = mkdtempSync(join(tmpdir(), 'almanac-bench-'));
const client = { client_id: 'bench', client_secret: 'bench-secret' };
const master = { username: 'root', password: 'bench-password' };
const settings = (data) => ({
  ALM_DATA: data,
  ALM_PORT: '0',
  ALM_SANDBOX_SPEED: '0',
  ALM_RATE_LIMIT: '0',
  ALM_LOG: 'error',
  ALM_CLIENT_ID: client.client_id,
  ALM_CLIENT_SECRET: client.client_secret,
  ALM_ROOT_PASSWORD: master.password,
});
const almanac = await startAlmanac(readConfig(settings(directory)), createLog({ level: 'silent' }));
const { url } = almanac;

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
const percentile = (numbers, part) =>
  numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) * part)];
const print = (what, value, bar) =>
  console.log(
    `  ${what.padEnd(58)}${value.padStart(12)}   bar ${bar.padEnd(8)} load ${loadavg()[0].toFixed(1)}`,
  );
const ms = (number) => `${number.toFixed(0)} ms`;

let token = '';
const call = async (method, path, json) => {
  const response = await fetch(url + path, {
    method,
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
  return text === '' ? null : JSON.parse(text);
};

/** One stack; the others are copies in the database, because creating a thousand would take longer than the measurement. */
async function fill() {
  token = (await call('POST', '/v3/access_token', { ...client, ...master, grant_type: 'password' }))
    .access_token;
  const template = JSON.parse(readFileSync(new URL('../examples/first-stack.json', import.meta.url), 'utf8'));
  const { stack_id: id } = await call('POST', '/v3/alm/template', template);
  while ((await call('GET', `/v3/alm/stack/${id}`)).stack_status === 'CREATE_IN_PROGRESS') await wait(50);
  const { query } = almanac.service.database;
  const [stack] = await query.selectFrom('stacks').selectAll().where('id', '=', id).execute();
  const [version] = await query.selectFrom('versions').selectAll().where('stack_id', '=', id).execute();
  for (let number = 1; number < stackCount; number += 1) {
    const [copy, desired] = [`${id}-${number}`, `${version.id}-${number}`];
    await query
      .insertInto('stacks')
      .values({ ...stack, id: copy, nickname: `stack ${number}`, desired_version: desired, next_at: null })
      .execute();
    await query
      .insertInto('versions')
      .values({ ...version, id: desired, stack_id: copy })
      .execute();
  }
  return id;
}

/** Put into every page before its own scripts. */
const observe = () => {
  const seen = { shift: 0, paint: 0, blocking: 0, longest: 0 };
  globalThis.bench = seen;
  const watch = (type, each) =>
    new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({ type, buffered: true });
  watch('largest-contentful-paint', (entry) => {
    seen.paint = entry.startTime;
  });
  watch('layout-shift', (entry) => {
    seen.shift += entry.value;
  });
  watch('longtask', ({ duration }) => {
    seen.blocking += Math.max(0, duration - 50);
    seen.longest = Math.max(seen.longest, duration);
  });
};

async function openContext(browser) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.request.post(`${url}/v3/session`, { data: master, headers: { origin: url } });
  await context.addInitScript(observe);
  return context;
}

const rows = 'ul[aria-label="Stacks"] > li';
const slow = async (page, rate) =>
  (await page.context().newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate });

/** Bytes of everything that a visit transfers, headers included. */
async function countBytes(page) {
  const session = await page.context().newCDPSession(page);
  const seen = { bytes: 0, requests: 0 };
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    seen.bytes += encodedDataLength;
    seen.requests += 1;
  });
  await session.send('Network.enable');
  return seen;
}

async function visit(browser, rate) {
  const context = await openContext(browser);
  const page = await context.newPage();
  await slow(page, rate);
  const seen = await countBytes(page);
  const start = performance.now();
  await page.goto(`${url}/console/`, { waitUntil: 'commit' });
  await page.locator(rows).first().waitFor();
  const time = performance.now() - start;
  const before = { ...seen };
  await wait(1500);
  return { context, page, time, before, all: seen, found: await page.evaluate('bench') };
}

async function measureVisits(browser, rate) {
  const bare = [];
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    await call('GET', '/v3/alm/stack?view=summary');
    bare.push(performance.now() - start);
  }
  const visits = [];
  for (let round = 0; round < rounds; round += 1) {
    const { context, ...visited } = await visit(browser, rate);
    visits.push(visited);
    await context.close();
  }
  const of = (pick) => median(visits.map(pick));
  const name = rate === 1 ? '' : `, CPU slowed ${rate}×`;
  print(
    `${stackCount} stacks, navigation to rows, without the list${name}`,
    ms(of(({ time }) => time) - median(bare)),
    rate === 1 ? '400' : '1500',
  );
  if (rate > 1) return;
  print('  the list alone, by fetch', ms(median(bare)), '–');
  print('  largest contentful paint', ms(of(({ found }) => found.paint)), '1200');
  print('  layout shift', of(({ found }) => found.shift).toFixed(3), '0.02');
  print('  blocking', ms(of(({ found }) => found.blocking)), '150');
  print('  requests before the rows', String(of(({ before }) => before.requests)), '6');
  print(
    '  bytes of the first visit, list included',
    `${(of(({ all }) => all.bytes) / 1024).toFixed(0)} KB`,
    '–',
  );
}

async function measureSecondVisit(browser) {
  const { context, page } = await visit(browser, 1);
  const again = await context.newPage();
  await page.close();
  const seen = await countBytes(again);
  await again.goto(`${url}/console/`);
  await again.locator(rows).first().waitFor();
  await wait(1000);
  print('bytes of the second visit, list included', `${(seen.bytes / 1024).toFixed(0)} KB`, '60');
  await context.close();
}

async function measureFilter(browser, rate) {
  const { context, page } = await visit(browser, rate);
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

/** Events of the agent at a steady rate; each is found in the page and timed there, by the clock that both share. */
async function measureEvents(browser, id) {
  const context = await openContext(browser);
  const page = await context.newPage();
  await page.goto(`${url}/console/stack/${id}/events`);
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
    void call('POST', '/v3/alm/agent/agent_status', {
      stack_id: id,
      agent_id: 'bench',
      status: `bench-number-${number}.`,
    });
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

async function measureServer(served) {
  const data = mkdtempSync(join(tmpdir(), 'almanac-bench-'));
  const env = { PATH: process.env.PATH, ...settings(data), ALM_CONSOLE: served };
  const server = spawn(process.execPath, ['dist/almanac/main.js', 'serve'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const chunk of server.stdout) if (String(chunk).includes('serving at')) break;
  await wait(5000);
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  const found = {
    memory: Number(/VmRSS:\s+(\d+)/.exec(status)[1]) / 1024,
    files: readdirSync(`/proc/${server.pid}/fd`).length,
  };
  server.kill('SIGKILL');
  rmSync(data, { recursive: true, force: true });
  return found;
}

async function measureIdle() {
  const found = { on: [], off: [] };
  for (let round = 0; round < 3; round += 1)
    for (const served of Object.keys(found)) found[served].push(await measureServer(served));
  const difference = (pick) => median(found.on.map(pick)) - median(found.off.map(pick));
  print(
    'memory of the server for the console, unused',
    `${difference(({ memory }) => memory).toFixed(1)} MB`,
    '3',
  );
  print('  open files for it', String(difference(({ files }) => files)), '0');
}

const browser = await chromium.launch({
  executablePath: process.env.TEST_CHROMIUM,
  args: ['--disable-dev-shm-usage', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
});
try {
  const id = await fill();
  console.log(`${stackCount} stacks, median of ${rounds} visits`);
  for (const rate of [1, 4]) await measureVisits(browser, rate);
  await measureSecondVisit(browser);
  for (const rate of [1, 4]) await measureFilter(browser, rate);
  await measureEvents(browser, id);
  await measureIdle();
} finally {
  await browser.close();
  await almanac.stop();
  rmSync(directory, { recursive: true, force: true });
}
