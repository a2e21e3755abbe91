import type { Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { oneServer } from '../../../world.ts';
import { editorOf, typeAll } from '../editor/typing.ts';
import { useBrowser } from '../harness.ts';

const browsing = useBrowser();

const overloaded = {
  status: 503,
  headers: { 'retry-after': '0' },
  json: {
    code: '9003',
    error: 'unavailable',
    message: 'The server is overloaded',
    description: 'Nothing was changed. Try again in 2 seconds.',
    request_id: 'req-1',
  },
};

/** Answers the first requests to a path with 503, as a server whose event loop is late. */
async function refuseFirst(page: Page, path: RegExp, times: number): Promise<void> {
  let refused = 0;
  await page.route(path, (route: Route) => {
    refused += 1;
    return refused <= times ? route.fulfill(overloaded) : route.fallback();
  });
}

const openLater = async (): Promise<Page> => {
  const page = await browsing.openPage({ path: null });
  browsing.expectErrors(page, /status of 503|dynamically imported module|^console: NotLoaded/);
  return page;
};

const screens = [
  { path: '/console/roles', reads: /\/v3\/role(\?|$)/, heading: 'Roles' },
  { path: '/console/clients', reads: /\/v3\/client(\?|$)/, heading: 'API clients' },
];

describe('an overloaded server', () => {
  it.each(screens)('is asked again without a word by $path', async ({ path, reads, heading }) => {
    const page = await openLater();
    await refuseFirst(page, reads, 2);
    await page.goto(browsing.almanac.url + path);
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
    await page.getByRole('table').first().waitFor();
    expect(await page.getByText('The server is overloaded').count()).toBe(0);
  });

  it.each(screens)(
    'is named by $path if it stays so, with a button to try again',
    async ({ path, reads }) => {
      const page = await openLater();
      await refuseFirst(page, reads, 4);
      await page.goto(browsing.almanac.url + path);
      const alert = page.getByRole('alert');
      await alert.getByText('Nothing was changed. Try again in 2 seconds.').waitFor();
      await alert.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('table').first().waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
    },
  );

  it('keeps what was typed in a form that it did not take, which is sent again with the same button', async () => {
    const page = await openLater();
    await page.goto(`${browsing.almanac.url}/console/clients`);
    await page.getByRole('button', { name: 'New API client' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').first().fill('typed by hand');
    let refused = false;
    await page.route(/\/v3\/client$/, (route) => {
      if (refused || route.request().method() !== 'POST') return route.fallback();
      refused = true;
      return route.fulfill(overloaded);
    });
    const send = dialog.locator('button[type=submit]');
    await send.click();
    await dialog.getByText('The server is overloaded').waitFor();
    expect(await dialog.getByRole('textbox').first().inputValue()).toBe('typed by hand');
    await send.click();
    await page.getByText('typed by hand').first().waitFor();
  });
});

describe('code that does not arrive', () => {
  it('is asked for again by itself', async () => {
    const page = await openLater();
    await refuseFirst(page, /\/assets\/roles-.*\.js/, 1);
    await page.goto(`${browsing.almanac.url}/console/roles`);
    await page.getByRole('table').first().waitFor();
  });

  it('of a screen is a sentence with a button to try again; the menu stays', async () => {
    const page = await openLater();
    await page.route(/\/assets\/roles-.*\.js/, (route) => route.fulfill(overloaded));
    await page.goto(`${browsing.almanac.url}/console/roles`);
    await page.getByText('A part of the console could not be loaded').waitFor();
    await page.unrouteAll();
    await page.getByRole('link', { name: 'API clients' }).waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('table').first().waitFor();
  });

  it('of the palette leaves the page as it is, with what was typed', async () => {
    const page = await openLater();
    await page.goto(`${browsing.almanac.url}/console/sandbox`);
    await page.getByLabel('What the cloud says').fill('typed by hand');
    await page.route(/\/assets\/palette-.*\.js/, (route) => route.fulfill(overloaded));
    await page.keyboard.press('Control+k');
    const dialog = page.getByRole('dialog', { name: 'This cannot be shown' });
    await dialog.getByText('A part of the console could not be loaded').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByLabel('What the cloud says').inputValue()).toBe('typed by hand');
  });

  it('of a comparison leaves the text in the editor, and is asked for again on request', async () => {
    const stack = await browsing.almanac.applyTemplate(oneServer());
    await browsing.almanac.waitFor(stack, 'CREATE_COMPLETE');
    const page = await openLater();
    await page.route(/\/assets\/difference-.*\.js/, (route) => route.fulfill(overloaded));
    await page.goto(`${browsing.almanac.url}/console/stack/${stack}/edit`);
    await typeAll(page, 'typed by hand');
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('A part of the console could not be loaded').waitFor();
    await page.unrouteAll();
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await dialog.getByText('typed by hand').first().waitFor();
    await dialog.getByRole('button', { name: 'Back to the text' }).click();
    await editorOf(page).getByText('typed by hand').first().waitFor();
  });
});
