import { beforeAll, describe, expect, it } from 'vitest';
import { addressOf, pages } from '../../../src/console/address/pages.ts';
import { scrollsSideways, zoomedWindow } from './accessibility.ts';
import { useBrowser } from './harness.ts';

const browsing = useBrowser();
let id: string;
beforeAll(async () => {
  id = await browsing.almanac.applyTemplate();
  await browsing.almanac.waitFor(id, 'CREATE_COMPLETE');
});

describe('at_400_percent_zoom', () => {
  it.each(Object.values(pages))('%s is read without scrolling sideways', async (page) => {
    const opened = await browsing.openPage({
      path: null,
      ...(page === pages.signIn ? { as: null } : {}),
    });
    await opened.setViewportSize(zoomedWindow);
    await opened.goto(
      `${browsing.almanac.url}/console${addressOf(page as '/stack/:id', { id, name: 'root' } as { id: string })}`,
    );
    await opened.getByRole('heading').first().waitFor();
    expect(await scrollsSideways(opened)).toBe(false);
  });
});
