import { expect, it } from 'vitest';
import { oneServer } from '../../../world.ts';
import { violationsOf } from '../accessibility.ts';
import { useBrowser } from '../harness.ts';

const browsing = useBrowser();
const count = 300;

interface Listed {
  name: string;
  depends_on: string[];
}

/** The resources of the stack as often as needed, each copy with names of its own. */
const multiplied = (resources: readonly Listed[]): Listed[] =>
  Array.from({ length: count }, (_, index) => {
    const resource = resources[index % resources.length];
    if (!resource) throw new Error('The stack has no resources');
    const own = (name: string): string => `${name}${Math.floor(index / resources.length)}`;
    return { ...resource, name: own(resource.name), depends_on: resource.depends_on.map(own) };
  });

it('a picture of 300 resources has a link for each, also below the screen, and the keys lead through them', async () => {
  const stackId = await browsing.almanac.applyTemplate(oneServer());
  await browsing.almanac.waitFor(stackId, 'CREATE_COMPLETE');
  const page = await browsing.openPage({ path: null });
  await page.route(/\/resources$/, async (route) => {
    const response = await route.fetch();
    const reply = (await response.json()) as { resources: Listed[] };
    await route.fulfill({ response, json: { ...reply, resources: multiplied(reply.resources) } });
  });
  await page.goto(`${browsing.almanac.url}/console/stack/${stackId}?show=all`);
  const links = page.getByRole('group', { name: 'Resources and what they depend on' }).getByRole('link');
  await expect.poll(() => links.count()).toBe(count);
  const below = links.last();
  await below.scrollIntoViewIfNeeded();
  const name = String(await below.getAttribute('aria-label'));
  expect(await below.textContent()).toContain(name.slice(0, 8));
  await below.focus();
  await page.keyboard.press('ArrowUp');
  const reached = await page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  expect(reached).not.toBe(name);
  expect(await violationsOf(page)).toEqual([]);
});
