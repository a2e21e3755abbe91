import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, Request } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useBrowser } from '../harness.ts';
import { editorOf, typeOver } from './typing.ts';

const browsing = useBrowser();
const { almanac } = browsing;

const document = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../examples/first-stack.json'), 'utf8'),
) as object;

async function editing(): Promise<{ id: string; page: Page }> {
  const id = await almanac.applyTemplate(document);
  await almanac.waitFor(id, 'CREATE_COMPLETE', 60);
  return { id, page: await browsing.openPage({ path: `/console/stack/${id}/edit` }) };
}

const applyByAnother = async (id: string, json: object): Promise<unknown> =>
  almanac.call('PUT', `/v3/alm/template/${id}?servers=replace`, { token: await almanac.userToken(), json });

const apply = { name: 'Apply', exact: true };

/** Holds the requests that match, until `go` is called; `reached` ends when the first one waits. */
async function hold(page: Page, matches: (request: Request) => boolean) {
  let go = (): void => {};
  const going = new Promise<void>((resolve) => {
    go = resolve;
  });
  const reached = page.waitForRequest((request) => matches(request));
  await page.route('**', async (route) => {
    if (matches(route.request())) await going;
    await route.fallback();
  });
  return { reached, go };
}

const isPut = (request: Request): boolean => request.method() === 'PUT';

/** Labels of all drafts that the browser keeps. */
const keptText = (page: Page): Promise<string> => page.evaluate(() => JSON.stringify(localStorage));

describe('while a request is on its way', () => {
  it('what is typed after Apply stays in the editor as a draft of the new version', async () => {
    const { id, page } = await editing();
    await typeOver(page, 'first stack', 'second label');
    const put = await hold(page, isPut);
    await page.getByRole('button', apply).click();
    await put.reached;
    await typeOver(page, 'One web server in its own subnet', 'Typed later');
    put.go();
    await page.getByText(/What you typed since is kept as a draft/).waitFor();
    await editorOf(page).getByText('Typed later').waitFor();
    await page.getByText('Nobody changed the stack since you began').waitFor();
    expect(await keptText(page)).toContain('Typed later');
    await page.getByRole('button', apply).click();
    await page.waitForURL(`**/console/stack/${id}`);
    expect((await almanac.describe(id)).configuration).toMatchObject({ description: 'Typed later' });
  });

  it('what is typed while the text is converted is converted, too', async () => {
    const { page } = await editing();
    await editorOf(page).waitFor();
    await page.getByText('No resource changes').waitFor();
    const script = await hold(page, (request) => request.resourceType() === 'script');
    await page.getByRole('button', { name: 'JSON', exact: true }).click();
    await script.reached;
    await typeOver(page, 'first stack', 'typed later');
    script.go();
    await editorOf(page).getByText('"typed later"').waitFor();
  });
});

describe('Try again after a failed Apply', () => {
  it('is not offered for a text that was changed since, and Apply checks it first', async () => {
    const { page } = await editing();
    browsing.expectErrors(page, /ERR_FAILED/);
    await typeOver(page, 'first stack', 'second label');
    await page.route('**/v3/alm/template/*', (route) =>
      isPut(route.request()) ? route.abort() : route.fallback(),
    );
    await page.getByRole('button', apply).click();
    const again = page.getByRole('button', { name: 'Try again' });
    await again.waitFor();
    await typeOver(page, 'instance_type', 'instance_tpye');
    await page.getByRole('button', { name: 'Fix 1 problem to apply' }).waitFor();
    expect(await again.count()).toBe(0);
  });
});

describe('after another user applied a version', () => {
  it('the effect is that on their version, without a key pressed', async () => {
    const { id, page } = await editing();
    await typeOver(page, 't2.micro', 't2.small');
    await page.getByText('1 replaced').waitFor();
    await applyByAnother(id, JSON.parse(JSON.stringify(document).replace('t2.micro', 't2.small')) as object);
    await page.getByText('No resource changes').waitFor();
  });

  it('their change is shown even if the page had not heard of it', async () => {
    const { id, page } = await editing();
    browsing.expectErrors(page, /ERR_FAILED/);
    await page.route('**/v3/alm/stack/stream*', (route) => route.abort());
    await page.reload();
    await typeOver(page, 'One web server in its own subnet', 'My description');
    await page.getByText('No resource changes').waitFor();
    await applyByAnother(id, { ...document, label: 'theirs' });
    await page.getByRole('button', apply).click();
    const dialog = page.getByRole('dialog', { name: 'Another user changed the stack' });
    await dialog.getByText(/applied “theirs”/).waitFor();
  });
});

it('a discarded draft is gone from the editor and from the browser', async () => {
  const { page } = await editing();
  await typeOver(page, 'first stack', 'my own label');
  await page.getByText('Draft kept in this browser').waitFor();
  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  await page.getByRole('button', { name: 'Discard the draft' }).click();
  await editorOf(page).getByText('first stack').waitFor();
  await page.getByText('Draft kept in this browser').waitFor({ state: 'detached' });
  expect(await keptText(page)).not.toContain('format');
});

it('an error of the list does not take the editor away', async () => {
  const { id, page } = await editing();
  browsing.expectErrors(page, /status of 403/);
  await typeOver(page, 'One web server in its own subnet', 'My description');
  await page.getByText('No resource changes').waitFor();
  const refused = page.waitForResponse((response) => response.status() === 403);
  await page.route('**/v3/alm/stack?view=summary', (route) =>
    route.fulfill({ status: 403, json: { status: 'error', description: 'Not allowed' } }),
  );
  await applyByAnother(id, { ...document, label: 'theirs' });
  await page.getByText(/applied “theirs”/).waitFor();
  await page.getByRole('button', apply).click();
  await refused;
  await page.getByRole('dialog', { name: 'Another user changed the stack' }).waitFor();
  await editorOf(page).getByText('My description').waitFor();
});
