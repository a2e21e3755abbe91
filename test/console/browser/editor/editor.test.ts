import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { faultsInAllViews, violationsOf } from '../accessibility.ts';
import { useBrowser } from '../harness.ts';
import { editorOf, select, typeAll, typeOver } from './typing.ts';

const browsing = useBrowser();
const { almanac } = browsing;

const example = (name: string): object =>
  parse(readFileSync(join(import.meta.dirname, '../../../../examples', name), 'utf8')) as object;

async function runningStack(document: object = example('first-stack.json')): Promise<string> {
  const id = await almanac.applyTemplate(document);
  await almanac.waitFor(id, 'CREATE_COMPLETE', 60);
  return id;
}

const editPath = (id: string): string => `/console/stack/${id}/edit`;
const apply = { name: 'Apply', exact: true };

const versionsOf = async (id: string): Promise<unknown[]> => {
  const answer = await almanac.call('GET', `/v3/alm/template?stack_id=${id}`, {
    token: await almanac.userToken(),
  });
  return answer.body as unknown as unknown[];
};

describe('a draft', () => {
  it('is compared with the version in force', async () => {
    const page = await browsing.openPage({ path: editPath(await runningStack()) });
    await typeOver(page, 'first stack', 'my own label');
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Your text and the version in force' });
    const side = (name: string) =>
      dialog.getByRole('textbox', { name: `Version in force and your text: ${name}` });
    await side('before').getByText('first stack').waitFor();
    await side('after').getByText('my own label').waitFor();
    expect(await faultsInAllViews(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Back to the text' }).click();
    await editorOf(page).getByText('my own label').waitFor();
  });

  it('survives a reload', async () => {
    const page = await browsing.openPage({ path: editPath(await runningStack()) });
    await typeOver(page, 'first stack', 'my own label');
    await page.getByText('Draft kept in this browser').waitFor();
    await page.reload();
    await editorOf(page).getByText('my own label').waitFor();
    expect(await page.getByText('Draft kept in this browser').isVisible()).toBe(true);
  });

  it('survives an expired sign-in on the page, not in storage, and the preview goes on after signing in again', async () => {
    const page = await browsing.openPage({ path: editPath(await runningStack()) });
    await editorOf(page).waitFor();
    await select(page, 't2.micro');
    await page.context().clearCookies();
    // At once: the dialog takes the focus, and further keys.
    await page.keyboard.insertText('t2.small');
    const dialog = page.getByRole('dialog', { name: 'Your sign-in has expired' });
    const drafts = () => page.evaluate("Object.keys(localStorage).filter((name) => name.includes('draft'))");
    await expect.poll(drafts).toEqual([]);
    await dialog.getByLabel('Password').fill('first-root-password');
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('1 replaced').waitFor();
    await editorOf(page).getByText('t2.small').waitFor();
    await expect.poll(drafts).toHaveLength(1);
  });

  it('is not touched by what happens to the stack', async () => {
    const document = example('first-stack.json');
    const id = await runningStack(document);
    const page = await browsing.openPage({ path: editPath(id) });
    await typeOver(page, 'first stack', 'my own label');
    await almanac.call('PUT', `/v3/alm/template/${id}`, {
      token: await almanac.userToken(),
      json: { ...document, label: 'theirs' },
    });
    await page.getByText(/applied “theirs”/).waitFor();
    await editorOf(page).getByText('my own label').waitFor();
  });
});

describe('applying', () => {
  it('pressed twice, and again after a lost connection, makes one version', async () => {
    const id = await runningStack();
    const page = await browsing.openPage({ path: editPath(id) });
    browsing.expectErrors(page, /ERR_FAILED|ERR_CONNECTION/);
    await typeOver(page, 'first stack', 'second label');
    // The service gets the request; its answer is lost.
    await page.route(
      `**/v3/alm/template/${id}`,
      async (route) => {
        if (route.request().method() !== 'PUT') return route.continue();
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await page.getByRole('button', apply).click();
    await page.getByText('The server cannot be reached').waitFor();
    await editorOf(page).getByText('second label').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.waitForURL(`**/console/stack/${id}`);
    expect(await versionsOf(id)).toHaveLength(2);
  });

  it('after another user applied shows theirs and mine, and combines both', async () => {
    const document = example('first-stack.json');
    const id = await runningStack(document);
    const page = await browsing.openPage({ path: editPath(id) });
    await typeOver(page, 'One web server in its own subnet', 'My description');
    await page.getByText('No resource changes').waitFor();
    await almanac.call('PUT', `/v3/alm/template/${id}`, {
      token: await almanac.userToken(),
      json: { ...document, label: 'theirs' },
    });
    await page.getByRole('button', apply).click();
    const dialog = page.getByRole('dialog', { name: 'Another user changed the stack' });
    await dialog.getByRole('heading', { name: 'What they changed' }).waitFor();
    expect(await faultsInAllViews(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Go on with this' }).click();
    await editorOf(page).getByText('theirs').waitFor();
    await editorOf(page).getByText('My description').waitFor();
    await page.getByRole('button', apply).click();
    await page.waitForURL(`**/console/stack/${id}`);
    expect(await versionsOf(id)).toHaveLength(3);
  });

  it('that removes a database shows what becomes of its data, and asks before it is applied', async () => {
    const document = example('balanced-with-database.yaml') as { configurations: { provision: object }[] };
    const id = await runningStack(document);
    const page = await browsing.openPage({ path: editPath(id) });
    const { rds: _, ...provision } = (document.configurations[0]?.provision ?? {}) as { rds?: object };
    const changed = { ...document, configurations: [{ ...document.configurations[0], provision }] };
    await typeAll(page, JSON.stringify(changed));
    await page.getByText('3 removed').waitFor();
    const sentence = page.getByText(/^DatabaseInstance .* is removed\. Its data is kept: /);
    await sentence.waitFor();
    await page.getByRole('button', apply).click();
    const dialog = page.getByRole('dialog', { name: 'What becomes of the data?' });
    const goOn = dialog.getByRole('button', { name: 'Go on' });
    await dialog.getByText((await sentence.first().textContent()) ?? '', { exact: true }).waitFor();
    expect(await goOn.getAttribute('aria-disabled')).toBe('true');
    expect(await faultsInAllViews(page)).toEqual([]);
    await dialog.getByRole('radio', { name: /Its data is kept/ }).check();
    await dialog.getByText('--keep-data').waitFor();
    await goOn.click();
    await page.waitForURL(`**/console/stack/${id}`);
    await almanac.waitFor(id, 'UPDATE_COMPLETE', 60);
    await page.getByRole('link', { name: 'Data', exact: true }).last().click();
    await page.getByRole('row', { name: /Database shop .*Kept/ }).waitFor();
  });
});

it('a problem is shown in place with its sentence, and Ctrl . fixes it', async () => {
  const page = await browsing.openPage({ path: editPath(await runningStack()) });
  await typeOver(page, 'instance_type', 'instance_tpye');
  await page.getByText('unknown member; did you mean "instance_type"?').waitFor();
  expect(
    await page.getByRole('button', { name: 'Fix 1 problem to apply' }).getAttribute('aria-disabled'),
  ).toBe('true');
  expect(await violationsOf(page)).toEqual([]);
  await editorOf(page).focus();
  await page.keyboard.press('Control+.');
  await page.getByText('did you mean').waitFor({ state: 'detached' });
  await page.getByText('Write instance_type').waitFor();
});

it('a stack is made from an example by keyboard alone, with the words of the schema', async () => {
  const page = await browsing.openPage({ path: '/console/new' });
  await page.getByRole('button', { name: /One web server/ }).focus();
  await page.keyboard.press('Enter');
  await editorOf(page).waitFor();
  await editorOf(page).focus();
  await typeOver(page, '"label"', '"la');
  await page.keyboard.press('Control+Space');
  await page.getByRole('option', { name: /label/ }).waitFor();
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await page.getByText(/\d+ added/).waitFor();
  const create = page.getByRole('button', { name: 'Create the stack' });
  await create.focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/console\/stack\/mo-/);
  const id = page.url().split('/').at(-1) ?? '';
  await almanac.waitFor(id, 'CREATE_COMPLETE', 60);
});

it('Tab indents in the editor, and Escape, then Tab, leaves it', async () => {
  const page = await browsing.openPage({ path: editPath(await runningStack()) });
  await editorOf(page).focus();
  await page.keyboard.press('Tab');
  expect(await editorOf(page).evaluate((element) => element.matches(':focus'))).toBe(true);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  expect(await editorOf(page).evaluate((element) => element.matches(':focus'))).toBe(false);
});

it('the page that edits a stack has no violation with changes and with a problem, and does not scroll sideways, in both themes and both widths', async () => {
  const page = await browsing.openPage({ path: editPath(await runningStack()) });
  await typeOver(page, 't2.micro', 't2.small');
  await page.getByText('1 replaced').waitFor();
  await page.getByText(/^\d+ stay as they are$/).waitFor();
  expect(await faultsInAllViews(page)).toEqual([]);
  await typeOver(page, 'instance_type', 'instance_tpye');
  await page.getByText('unknown member; did you mean "instance_type"?').waitFor();
  expect(await faultsInAllViews(page)).toEqual([]);
});

it('the beginning of a stack and the editor have no violation and do not scroll sideways, in both themes and both widths', async () => {
  const page = await browsing.openPage({ path: '/console/new' });
  await page.getByRole('button', { name: /A shop/ }).waitFor();
  expect(await faultsInAllViews(page)).toEqual([]);
  await page.getByRole('button', { name: /A shop/ }).click();
  await page.getByText(/\d+ added/).waitFor();
  expect(await faultsInAllViews(page)).toEqual([]);
});
