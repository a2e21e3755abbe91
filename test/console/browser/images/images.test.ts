import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { StandInRegistry } from '../../../api/registry/stand-in-registry.ts';
import { ImageCaller, running } from '../../../api/registry/use-registry.ts';
import { faultsInAllViews } from '../accessibility.ts';
import { useBrowser } from '../harness.ts';

const environment: Record<string, string> = {};
let registry: StandInRegistry;
beforeAll(async () => {
  registry = await StandInRegistry.start();
  environment['ALM_REGISTRY_URL'] = registry.url;
});
const browsing = useBrowser({ environment });
afterAll(() => registry.stop());

const images = (): ImageCaller => new ImageCaller(browsing.almanac);
const screen = '/console/images';
const repository = `${screen}/repository?name=root%2Fshop`;

beforeEach(async () => {
  registry.repositories.clear();
  registry.pushIndex('root/shop', '1.4', ['linux/amd64', 'linux/arm64']);
  registry.push('root/shop', 'old');
  registry.push('root/shop', 'older', { layer: 'old' });
  await images().setVisibility('root/shop', 'private');
  await images().describe('root/shop');
});

describe('the images screens, with a stand-in for the registry', () => {
  it('lead from the menu to a repository with its tags, platforms and pull commands', async () => {
    const page = await browsing.openPage();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Images' }).click();
    await page.getByRole('link', { name: 'root/shop' }).click();
    await page.getByText('linux/amd64, linux/arm64').waitFor();
    expect(await page.getByRole('button', { name: 'docker pull' }).count()).toBe(3);
    await page.getByText('alm registry describe root/shop').waitFor();
  });

  it('show what the deletion of a tag leaves before it is done', async () => {
    const page = await browsing.openPage({ path: repository });
    await page.getByRole('button', { name: 'Delete the tag old', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Its content stays, because another tag refers to it.').waitFor();
    await dialog.getByText('alm registry delete --image root/shop:old').waitFor();
    expect(registry.tagsOf('root/shop')).toEqual(['1.4', 'old', 'older']);
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Deleted root/shop:old').waitFor();
    expect(registry.tagsOf('root/shop')).toEqual(['1.4', 'older']);
  });

  it('ask for the name before they delete an image that a stack uses', async () => {
    const image = `${new URL(registry.url).host}/root/shop:1.4`;
    const stackId = await browsing.almanac.applyTemplate(running(image));
    const page = await browsing.openPage({ path: repository });
    await page.getByRole('button', { name: 'Delete the tag 1.4', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('These stacks use it').waitFor();
    const confirm = dialog.getByRole('button', { name: 'Delete anyway' });
    expect(await confirm.getAttribute('aria-disabled')).toBe('true');
    expect(registry.tagsOf('root/shop')).toContain('1.4');
    await browsing.almanac.call('DELETE', `/v3/alm/stack/${stackId}?servers=replace`, {
      token: await browsing.almanac.userToken(),
    });
  });

  it('publish a repository after saying what that means', async () => {
    const page = await browsing.openPage({ path: repository });
    await page.getByRole('button', { name: 'Publish' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Anybody who reaches the registry may pull').waitFor();
    await dialog.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('root/shop is public').waitFor();
    expect((await images().describe('root/shop')).body[0]).toMatchObject({ visibility: 'public' });
  });

  it('violate no rule and do not scroll sideways, in both themes and both widths', async () => {
    const page = await browsing.openPage({ path: screen });
    await page.getByRole('link', { name: 'root/shop' }).waitFor();
    expect(await faultsInAllViews(page)).toEqual([]);
    await page.goto(browsing.almanac.url + repository);
    await page.getByText('linux/amd64, linux/arm64').waitFor();
    expect(await faultsInAllViews(page)).toEqual([]);
    await page.getByRole('button', { name: /^(?:Publish|Make private)$/ }).click();
    await page.getByRole('dialog').waitFor();
    expect(await faultsInAllViews(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Delete the tag older' }).click();
    await page.getByRole('dialog').getByText('The tag older is deleted.').waitFor();
    expect(await faultsInAllViews(page)).toEqual([]);
  });

  it.each([360, 1440])('have the buttons of a tag at one height at %i pixels', async (width) => {
    const page = await browsing.openPage({ width, path: repository });
    const row = page.locator('tr', { hasText: 'older' });
    const pull = await row.getByRole('button', { name: 'docker pull' }).boundingBox();
    const remove = await row.getByRole('button', { name: 'Delete the tag older' }).boundingBox();
    expect(remove).toMatchObject({ y: pull?.y, height: pull?.height });
  });

  it('explain the first push where there is no image', async () => {
    registry.repositories.clear();
    await images().describe('root/shop');
    const page = await browsing.openPage({ path: screen });
    await page.getByText('alm registry login').waitFor();
    await page.getByText('docker push').waitFor();
  });
});
