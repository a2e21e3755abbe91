import { describe, expect, it } from 'vitest';
import { faultsInAllViews, violationsOf } from './accessibility.ts';
import { useBrowser } from './harness.ts';

const browsing = useBrowser();
const open = (path: string, view: { width?: number } = {}) => browsing.openPage({ ...view, path, as: null });

it.each(['/docs', '/docs/v3-templates', '/docs/schemas'])(
  '%s has no violation of WCAG 2.2 AA and does not scroll sideways, in both themes and both widths',
  async (path) => {
    const page = await open(path);
    await page.evaluate("for (const each of document.querySelectorAll('main details')) each.open = true");
    expect(await faultsInAllViews(page)).toEqual([]);
  },
);

describe('the API reference', () => {
  it('no page of it is larger than 200 KB, or 25 KB over the wire', async () => {
    const page = await open('/docs');
    const addresses = await page.evaluate<string[]>(
      "[...new Set([...document.querySelectorAll('a')].map(({ pathname }) => pathname))].filter((path) => path.startsWith('/docs'))",
    );
    expect(addresses.length).toBeGreaterThan(10);
    const sizes = await Promise.all(
      addresses.map(async (address) => {
        const reply = await fetch(browsing.almanac.url + address, { headers: { 'accept-encoding': 'br' } });
        const [wire, size] = [Number(reply.headers.get('content-length')), (await reply.text()).length];
        return { address, size, wire };
      }),
    );
    expect(sizes.filter(({ size, wire }) => !(size < 200_000 && wire > 0 && wire < 25_000))).toEqual([]);
  });

  it('by keyboard alone, the filter finds an operation by its words or its path and opens it', async () => {
    const page = await open('/docs');
    const filter = page.getByLabel('Filter operations');
    const isReached = () => page.evaluate<boolean>("document.activeElement?.id === 'filter'");
    for (let stops = 0; stops < 10 && !(await isReached()); stops++) await page.keyboard.press('Tab');
    expect(await filter.isVisible()).toBe(true);
    expect(await isReached()).toBe(true);
    await page.keyboard.type('template/preview');
    await page
      .getByRole('status')
      .getByText(/^\d operations?$/)
      .waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/v3-templates#v3PreviewTemplate');
    expect(await page.locator('article:target h2').textContent()).toBe('Preview a template');
    expect(await page.locator('article:target').boundingBox()).toMatchObject({ y: expect.closeTo(68, -1) });
  });

  it.each([
    ['/docs/v3-stacks#v3ListStacks', 'as the pages link to each other'],
    ['/docs#/Stacks/v3ListStacks', 'as older versions of the page linked'],
    ['/docs#v3ListStacks', 'without the area'],
  ])('the link %s, %s, opens the operation', async (path) => {
    const page = await open(path);
    await page.waitForURL('**/docs/v3-stacks#v3ListStacks');
    expect(await page.locator('article:target .address').textContent()).toBe('GET /v3/alm/stack');
  });

  it('at 360 pixels, the menu opens over the page and closes when an operation is chosen', async () => {
    const page = await open('/docs/v3-stacks', { width: 360 });
    const link = page.getByRole('link', { name: 'List stacks' });
    expect(await link.count()).toBe(1);
    await page.getByRole('button', { name: 'Operations' }).click();
    expect(await violationsOf(page)).toEqual([]);
    await page
      .getByRole('navigation', { name: 'Operations' })
      .getByRole('link', { name: 'List stacks' })
      .click();
    await page.waitForURL('**/docs/v3-stacks#v3ListStacks');
    expect(await page.getByRole('navigation', { name: 'Operations' }).isVisible()).toBe(false);
  });

  it('every operation has its request as a command, and its button copies it', async () => {
    const page = await open('/docs/v3-stacks#v3ListStacks');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const operation = page.locator('article:target');
    const command = 'curl "$ALM_URL/v3/alm/stack" \\\n  -H "Authorization: Bearer $TOKEN"';
    expect(await operation.locator('.copy code').textContent()).toBe(command);
    await operation.getByRole('button', { name: 'Copy' }).click();
    await operation.getByRole('status').getByText('done').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(command);
  });

  it('is complete without scripts', async () => {
    const { status, text } = await browsing.almanac.call('GET', '/docs/v3-stacks');
    expect(status).toBe(200);
    expect(text).toContain('curl &quot;$ALM_URL/v3/alm/stack&quot;');
  });
});
