import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { follow } from '../../../src/console/live/stream.ts';
import { whileVisible } from '../../../src/console/live/while-visible.ts';
import { BrowserStandIn } from './browser-stand-in.ts';

// Modules read the address of the page when they are loaded.
vi.hoisted(() => vi.stubGlobal('location', new URL('http://almanac.test/console/')));

const second = 1000;
let browser: BrowserStandIn;
let stop: AbortController;

beforeEach(() => {
  browser = new BrowserStandIn();
  stop = new AbortController();
});

afterEach(() => {
  stop.abort();
  browser.restore();
});

const start = (seen: string[] = []) =>
  follow(
    {
      request: () => ({ method: 'GET', path: '/stream' }),
      onEvent: ({ data }) => seen.push(data),
      onAlive: () => undefined,
      onLost: () => seen.push('lost'),
    },
    stop.signal,
  );

describe('a stream', () => {
  it('that is silent for 12 s is closed and opened again', async () => {
    const seen: string[] = [];
    void start(seen);
    await browser.pass(5 * second);
    browser.last.send(': heartbeat\n\n');
    await browser.pass(11 * second);
    expect(browser.opened).toHaveLength(1);
    await browser.pass(2 * second);
    expect(browser.opened.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    expect(seen).toEqual(['lost']);
  });

  it('is opened again as soon as the network is back', async () => {
    void start();
    await browser.pass(6 * second);
    browser.last.send(': heartbeat\n\n');
    await browser.pass(second);
    browser.network.dispatchEvent(new Event('online'));
    await browser.pass(second);
    expect(browser.opened.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  });

  it('of heartbeats alone continues at once after each planned end', async () => {
    const seen: string[] = [];
    void start(seen);
    for (const opened of [1, 2, 3, 4, 5, 6]) {
      await browser.pass(6 * second);
      browser.last.send(': heartbeat\n\n');
      await browser.pass(second);
      browser.last.end();
      await browser.pass(100);
      expect(browser.opened).toHaveLength(opened + 1);
    }
    expect(seen).toEqual([]);
  });

  it('that always ends at once is asked for ever more rarely', async () => {
    void start();
    for (let passed = 0; passed < 60; passed += 1) {
      browser.opened.at(-1)?.end();
      await browser.pass(second);
    }
    expect(browser.opened.length).toBeLessThan(12);
  });

  it('that is refused returns the refusal', async () => {
    browser.refusals.push(403);
    expect(await start()).toMatchObject({ status: 403 });
  });
});

describe('work of a visible page', () => {
  const work = () => {
    const runs: AbortSignal[] = [];
    const done = whileVisible(
      (signal) => {
        runs.push(signal);
        return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      },
      { patience: 10 * second, signal: stop.signal },
    );
    return { runs, done };
  };

  it('ends after the page was hidden for a while, and begins again when it is visible', async () => {
    const { runs } = work();
    await browser.pass(0);
    browser.setHidden(true);
    await browser.pass(9 * second);
    browser.setHidden(false);
    await browser.pass(60 * second);
    expect(runs.map(({ aborted }) => aborted)).toEqual([false]);
    browser.setHidden(true);
    await browser.pass(60 * second);
    expect(runs.map(({ aborted }) => aborted)).toEqual([true]);
    browser.setHidden(false);
    await browser.pass(60 * second);
    expect(runs.map(({ aborted }) => aborted)).toEqual([true, false]);
  });

  it('of a page that was opened in the background begins when it is first visible', async () => {
    browser.setHidden(true);
    const { runs } = work();
    await browser.pass(60 * second);
    expect(runs).toEqual([]);
    browser.setHidden(false);
    await browser.pass(0);
    expect(runs).toHaveLength(1);
  });

  it('ends for good when its signal aborts', async () => {
    const { runs, done } = work();
    await browser.pass(0);
    stop.abort();
    await done;
    expect(runs.map(({ aborted }) => aborted)).toEqual([true]);
  });
});
