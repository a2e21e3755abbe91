// What all parts of bench/console.mjs share: a served Almanac, a browser, and the table that they print.
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { startAlmanac } from '../../dist/almanac/start.js';
import { readConfig } from '../../dist/basics/config.js';
import { createLog } from '../../dist/basics/log.js';

const client = { client_id: 'bench', client_secret: 'bench-secret' };
export const master = { username: 'root', password: 'bench-password' };

export const settings = (data) => ({
  ALM_DATA: data,
  ALM_PORT: '0',
  ALM_SANDBOX_SPEED: '0',
  ALM_RATE_LIMIT: '0',
  ALM_LOG: 'error',
  ALM_CLIENT_ID: client.client_id,
  ALM_CLIENT_SECRET: client.client_secret,
  ALM_ROOT_PASSWORD: master.password,
});

export const temporary = () => mkdtempSync(join(tmpdir(), 'almanac-bench-'));

export const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
export const percentile = (numbers, part) =>
  numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) * part)];
export const ms = (number) => `${number.toFixed(0)} ms`;
export const print = (what, value, bar) =>
  console.log(
    `  ${what.padEnd(58)}${value.padStart(12)}   bar ${bar.padEnd(8)} load ${loadavg()[0].toFixed(1)}`,
  );

/** Put into every page before its own scripts. */
const observe = () => {
  const seen = { shift: 0, paint: 0, blocking: 0, longest: 0, frameAt: null, rowsIn: null, rowsAt: null };
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
  // Drawn: the frame after the one that has it.
  const note = (name) => requestAnimationFrame(() => setTimeout(() => (seen[name] = performance.now())));
  requestAnimationFrame(() => note('frameAt'));
  const find = () => {
    if (!document.querySelector('ul[aria-label="Stacks"] > li')) return requestAnimationFrame(find);
    seen.rowsIn = performance.now();
    return note('rowsAt');
  };
  requestAnimationFrame(find);
};

export class BenchWorld {
  #directory = temporary();
  #token = '';

  async start(stackCount) {
    const log = createLog({ level: 'silent' });
    this.almanac = await startAlmanac(readConfig(settings(this.#directory)), log);
    this.url = this.almanac.url;
    this.browser = await chromium.launch({
      executablePath: process.env.TEST_CHROMIUM,
      args: process.env.TEST_CHROMIUM_ARGUMENTS.split(' '),
    });
    this.stackCount = stackCount;
    await this.#fill(stackCount);
    return this;
  }

  /** The data with all stacks, for a server in a process of its own. Nothing writes at the time. */
  copyData() {
    const copy = temporary();
    cpSync(this.#directory, copy, { recursive: true });
    return copy;
  }

  async stop() {
    await this.browser.close();
    await this.almanac.stop();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  async call(method, path, { json, url = this.url } = {}) {
    const authorization = this.#token ? { authorization: `Bearer ${this.#token}` } : {};
    const response = await fetch(url + path, {
      method,
      headers: { 'content-type': 'application/json', ...authorization },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
    return text === '' ? null : JSON.parse(text);
  }

  /** One stack; the others are copies in the database, because creating a thousand would take longer than the measurement. */
  async #fill(stackCount) {
    const login = { ...client, ...master, grant_type: 'password' };
    this.#token = (await this.call('POST', '/v3/access_token', { json: login })).access_token;
    const template = JSON.parse(
      readFileSync(new URL('../../examples/first-stack.json', import.meta.url), 'utf8'),
    );
    const { stack_id: id } = await this.call('POST', '/v3/alm/template', { json: template });
    this.stackId = id;
    while ((await this.call('GET', `/v3/alm/stack/${id}`)).stack_status === 'CREATE_IN_PROGRESS')
      await wait(50);
    const { query } = this.almanac.service.database;
    const [stack] = await query.selectFrom('stacks').selectAll().where('id', '=', id).execute();
    const [version] = await query.selectFrom('versions').selectAll().where('stack_id', '=', id).execute();
    // A minute ago: the stream sends what changed in the last minute again.
    const changed_at = stack.changed_at - 120_000;
    for (let number = 1; number < stackCount; number += 1) {
      const [copy, desired] = [`${id}-${number}`, `${version.id}-${number}`];
      const own = { id: copy, nickname: `stack ${number}`, desired_version: desired };
      await query
        .insertInto('stacks')
        .values({ ...stack, ...own, next_at: null, changed_at })
        .execute();
      await query
        .insertInto('versions')
        .values({ ...version, id: desired, stack_id: copy })
        .execute();
    }
  }

  /** A browser of its own, with the cookie of the master user. */
  async openContext(url = this.url) {
    const context = await this.browser.newContext({ viewport: { width: 1440, height: 900 } });
    await context.request.post(`${url}/v3/session`, { data: master, headers: { origin: url } });
    await context.addInitScript(observe);
    return context;
  }
}
