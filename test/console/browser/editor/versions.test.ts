import { expect, it } from 'vitest';
import { oneServer } from '../../../world.ts';
import { faultsInAllViews } from '../accessibility.ts';
import { useBrowser } from '../harness.ts';

const browsing = useBrowser();
const { almanac } = browsing;

/** A stack whose label was changed once. */
async function twoVersions(): Promise<string> {
  const id = await almanac.applyTemplate({ ...oneServer(), label: 'one' });
  await almanac.waitFor(id, 'CREATE_COMPLETE', 60);
  const json = { ...oneServer(), label: 'two' };
  await almanac.call('PUT', `/v3/alm/template/${id}`, { token: await almanac.userToken(), json });
  await almanac.waitFor(id, 'UPDATE_COMPLETE', 60);
  return id;
}

it('an earlier version is compared by member and as text, and brought back as a new version', async () => {
  const id = await twoVersions();
  const page = await browsing.openPage({ path: `/console/stack/${id}/versions` });
  await page.getByRole('heading', { name: 'From “one” to “two”' }).waitFor();
  const table = page.getByRole('table', { name: 'What differs' });
  expect(await table.getByRole('row', { name: /label one two/ }).count()).toBe(1);
  await page
    .getByRole('textbox', { name: /Difference of the texts/ })
    .first()
    .waitFor();
  await expect.poll(() => page.getByText(/· took \d/).count()).toBe(2);
  await page.getByRole('button', { name: 'Bring back “one” …' }).click();
  const dialog = page.getByRole('dialog', { name: 'Bring back “one”?' });
  await dialog.getByText('No resource changes.').waitFor();
  await dialog.getByRole('button', { name: 'Bring it back' }).click();
  await page.waitForURL(`**/console/stack/${id}`);
  expect(((await almanac.describe(id)).configuration as { label: string }).label).toBe('one');
});

it('a version cannot be brought back before its effect is known', async () => {
  const id = await twoVersions();
  const page = await browsing.openPage({ path: `/console/stack/${id}/versions` });
  await page.route('**/v3/alm/template/preview*', (route) =>
    route.fulfill({ status: 400, json: { status: 'error', description: 'no preview' } }),
  );
  await page.getByRole('button', { name: 'Bring back “one” …' }).click();
  const dialog = page.getByRole('dialog', { name: 'Bring back “one”?' });
  await dialog.getByText('The effect could not be read.').waitFor({ state: 'attached' });
  expect(await dialog.getByRole('button', { name: 'Bring it back' }).getAttribute('aria-disabled')).toBe(
    'true',
  );
});

it('both sides of a comparison are in the address', async () => {
  const [first, second] = [await twoVersions(), await twoVersions()];
  const page = await browsing.openPage({ path: `/console/compare?a=${first}&b=${second}` });
  await page.getByText('Both are the same').waitFor();
  await page.getByLabel('Before: version').selectOption({ index: 2 });
  await page.getByRole('cell', { name: 'label', exact: true }).waitFor();
  await page.reload();
  await page.getByRole('cell', { name: 'label', exact: true }).waitFor();
});

it('two texts side by side are still so after a reload', async () => {
  const page = await browsing.openPage({ path: `/console/stack/${await twoVersions()}/versions` });
  await page.getByRole('button', { name: 'Side by side' }).click();
  const texts = page.getByRole('textbox', { name: /Difference of the texts/ });
  await expect.poll(() => texts.count()).toBe(2);
  await page.reload();
  await expect.poll(() => texts.count()).toBe(2);
});

it('a version is compared with a pasted text, and problems of the text are shown', async () => {
  const id = await twoVersions();
  const page = await browsing.openPage({ path: `/console/compare?a=${id}&b=text` });
  const text = page.getByLabel('Text of a template, JSON or YAML');
  await text.fill(JSON.stringify({ ...oneServer(), label: 'pasted' }));
  await page.getByRole('cell', { name: 'pasted' }).waitFor();
  await text.fill('{"version":');
  await page
    .getByText(/is not valid JSON/)
    .first()
    .waitFor();
});

it('a pasted text is still there after a reload, without its secrets, and goes when it is cleared', async () => {
  const page = await browsing.openPage({ path: `/console/compare?a=${await twoVersions()}&b=text` });
  const text = page.getByLabel('Text of a template, JSON or YAML');
  await text.fill('label: pasted\nmonitoring_api_key: abc-secret-1\n');
  await page.reload();
  await expect.poll(() => text.inputValue()).toBe('label: pasted\nmonitoring_api_key: ""\n');
  expect(await browsing.leaks(page, { 'a pasted key': 'abc-secret-1' })).toEqual([]);
  await text.fill('');
  await page.reload();
  await expect.poll(() => text.inputValue()).toBe('');
});

it('a pasted text is compared when nobody types, not with every key', async () => {
  const id = await twoVersions();
  const page = await browsing.openPage({ path: `/console/compare?a=${id}&b=text` });
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/compare') && request.method() === 'POST') asked.push(request.url());
  });
  await page.getByLabel('Text of a template, JSON or YAML').pressSequentially('{"version": "2017-03-03"');
  await page
    .getByText(/is not valid JSON/)
    .first()
    .waitFor();
  expect(asked.length).toBeLessThan(5);
});

it('versions and comparison have no violation and do not scroll sideways, in both themes and both widths', async () => {
  const id = await twoVersions();
  const page = await browsing.openPage({ path: `/console/stack/${id}/versions` });
  await page.getByRole('table', { name: 'What differs' }).waitFor();
  await page
    .getByRole('textbox', { name: /Difference of the texts/ })
    .first()
    .waitFor();
  expect(await faultsInAllViews(page)).toEqual([]);
  await page.goto(`${almanac.url}/console/compare?a=${id}&b=${id}`);
  await page.getByText('Both are the same').waitFor();
  expect(await faultsInAllViews(page)).toEqual([]);
});
