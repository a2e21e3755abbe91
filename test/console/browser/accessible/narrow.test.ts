import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { addressOf, pages } from '../../../../src/console/address/pages.ts';
import { useBrowser } from '../harness.ts';
import { settled } from './states.ts';

const browsing = useBrowser();
const { almanac } = browsing;
let id = '';

beforeAll(async () => {
  id = await almanac.applyTemplate();
  await almanac.waitFor(id, 'CREATE_COMPLETE', 60);
});

/** Every page below `/console`, with something in it. */
const paths = (): string[] =>
  Object.values(pages)
    .filter((page) => page !== pages.signIn)
    .map((page) => addressOf(page as '/stack/:id', { id, name: 'root' } as { id: string }));

async function open(page: Page, path: string): Promise<void> {
  await page.goto(`${almanac.url}/console${path}`);
  await settled(page);
}

/** Names and heights of what is too low for a finger. Links in a sentence may be: so says WCAG 2.5.8, too. */
const lowTargets = `[...document.querySelectorAll('a[href], button, input, select, textarea, summary')]
  .filter((each) => each.checkVisibility({ visibilityProperty: true }))
  .filter((each) => each.tagName !== 'A' || getComputedStyle(each).display !== 'inline')
  .filter((each) => getComputedStyle(each, '::after').position !== 'absolute')
  .map((each) => [each.ariaLabel ?? each.textContent, (/checkbox|radio/.test(each.type) ? each.labels[0] : each).getBoundingClientRect()])
  .filter(([, { width, height }]) => width > 0 && height < 43.5)
  .map(([name, { height }]) => name + ': ' + height)`;

it('at_360_pixels everything that can be pressed is at least 44 pixels high, on every page', async () => {
  const page = await browsing.openPage({ path: null, width: 360 });
  const found: Record<string, string[]> = {};
  for (const path of paths()) {
    await open(page, path);
    found[path] = await page.evaluate<string[]>(lowTargets);
  }
  expect(Object.entries(found).filter(([, low]) => low.length > 0)).toEqual([]);
});

/** The name of what has the focus if something else is drawn over all of it, else null. */
const coveredFocus = `(() => {
  const focused = document.activeElement;
  if (focused === document.body) return null;
  const { left, top, width, height } = focused.getBoundingClientRect();
  const corners = [[0.1, 0.1], [0.9, 0.1], [0.5, 0.5], [0.1, 0.9], [0.9, 0.9]];
  const drawn = corners.map(([x, y]) => document.elementFromPoint(left + width * x, top + height * y));
  const isSeen = drawn.some((each) => each && (focused.contains(each) || each.contains(focused)));
  return isSeen ? null : focused.ariaLabel ?? focused.textContent;
})()`;

it.each(['/audit', '/roles/new', '/me', '/stack/:id'])(
  'at_360_pixels the bars never cover what has the focus: %s',
  async (path) => {
    const page = await browsing.openPage({ path: null, width: 360 });
    await open(page, addressOf(path as '/stack/:id', { id }));
    for (const key of ['Tab', 'Shift+Tab'])
      for (let stops = 0; stops < 30; stops++) {
        await page.keyboard.press(key);
        expect(await page.evaluate(coveredFocus)).toBeNull();
      }
  },
);
