import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, inject, type TestContext } from 'vitest';
import { first, type ServedAlmanac, type ServeOptions, useServedAlmanac } from '../../api/served-almanac.ts';
import { leaksOf } from './secrets.ts';
import { Watch } from './watch.ts';

const themes = ['dark', 'light'] as const;
const widths = [360, 1440] as const;

/** Both themes in both widths: what every screen is tested in. */
export const views = themes.flatMap((theme) => widths.map((width) => ({ theme, width })));

export interface User {
  username: string;
  password: string;
}

export interface PageOptions {
  /** Below the address of the server. Null: the page stays empty. Default: `/console/`. */
  path?: string | null;
  theme?: (typeof themes)[number];
  width?: number;
  /** Null: nobody is signed in. Default: the master user. */
  as?: User | null;
  /** The context of this page: another tab of the same browser. Default: a new one. */
  nextTo?: Page;
}

const master: User = { username: first.username, password: first.password };

/** A real server and a real browser. See `useBrowser`. */
export class Browsing {
  readonly almanac: ServedAlmanac;
  readonly #watches = new Map<BrowserContext, Watch>();
  #browser: Browser | null = null;

  constructor(almanac: ServedAlmanac) {
    this.almanac = almanac;
  }

  async connect(): Promise<void> {
    this.#browser = await chromium.connect(inject('browser'));
  }

  async disconnect(): Promise<void> {
    await this.#browser?.close();
  }

  /** Opens a page in a context of its own, with every error and reply watched until the end of the test. */
  async openPage(options: PageOptions = {}): Promise<Page> {
    const { path = '/console/', as = master, nextTo } = options;
    const context = nextTo?.context() ?? (await this.#newContext(options));
    if (as && !nextTo) await this.signIn(context, as);
    const page = await context.newPage();
    await this.watchOf(page).watchStreams(page);
    if (path !== null) await page.goto(this.almanac.url + path);
    return page;
  }

  async #newContext({ theme = 'dark', width = 1440 }: PageOptions): Promise<BrowserContext> {
    if (!this.#browser) throw new Error('The browser is not connected; use it in tests and hooks only');
    const context = await this.#browser.newContext({
      viewport: { width, height: 900 },
      colorScheme: theme,
      reducedMotion: 'reduce',
    });
    this.#watches.set(context, new Watch(context));
    return context;
  }

  /** Gives the pages of the context the cookie of the user, as the form of the console would. */
  async signIn(context: BrowserContext, user: User): Promise<void> {
    const { url } = this.almanac;
    const answer = await context.request.post(`${url}/v3/session`, { data: user, headers: { origin: url } });
    if (!answer.ok()) throw new Error(`The user was not signed in: ${await answer.text()}`);
  }

  watchOf(page: Page): Watch {
    const watch = this.#watches.get(page.context());
    if (watch) return watch;
    throw new Error('The page was not opened by openPage');
  }

  /** For a test that causes an error on purpose. Call it before. */
  expectErrors(page: Page, pattern: RegExp): void {
    this.watchOf(page).expect(pattern);
  }

  /** Where the page shows, stores or received one of the secrets. */
  leaks(page: Page, secrets: Readonly<Record<string, string>> = {}): Promise<string[]> {
    const known = { 'password of the master': first.password, 'secret of the client': first.client_secret };
    return leaksOf(page, this.watchOf(page), { ...known, ...secrets });
  }

  /** Closes the pages of the test. Fails if an error was reported in one of them. */
  async finishTest({ task }: TestContext): Promise<void> {
    const watches = [...this.#watches];
    this.#watches.clear();
    if (task.result?.state === 'fail') await takePictures(task.name, watches);
    const complaints = watches.flatMap(([, watch]) => watch.takeComplaints());
    for (const [context] of watches) await closeQuietly(context);
    if (complaints.length > 0) throw new Error(`Errors in the browser:\n${complaints.join('\n')}`);
  }
}

/** A replaced reply may still be on its way. It is not an error that nobody receives it. */
async function closeQuietly(context: BrowserContext): Promise<void> {
  for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.close();
}

/** For people who look for the reason of a failure. */
async function takePictures(name: string, watches: readonly [BrowserContext, Watch][]): Promise<void> {
  const folder = process.env.TEST_PICTURES ?? join(tmpdir(), 'almanac-pictures');
  mkdirSync(folder, { recursive: true });
  for (const [index, page] of watches.flatMap(([context]) => context.pages()).entries()) {
    const path = join(folder, `${name.replaceAll(/\W+/g, '-')}-${index}.png`);
    await page.screenshot({ path, fullPage: true }).catch(() => null);
    process.stdout.write(`  picture of the failed page: ${path}\n`);
  }
}

/** Starts an Almanac for the file and connects to the browser of the run. Every error in a page fails its test. */
export const useBrowser = (options: ServeOptions = {}): Browsing => {
  const browsing = new Browsing(useServedAlmanac(options));
  beforeAll(() => browsing.connect());
  afterEach((context) => browsing.finishTest(context));
  afterAll(() => browsing.disconnect());
  return browsing;
};
