import { expect, it } from 'vitest';
import { eventually } from '../../../http.ts';
import { faultsInAllViews } from '../accessibility.ts';
import { useBrowser } from '../harness.ts';
import { editorOf, typeAll, typeOver } from './typing.ts';

const browsing = useBrowser();
const { almanac } = browsing;

const call = async (method: string, path: string, json?: object) =>
  almanac.call(method, path, { token: await almanac.userToken(), ...(json ? { json } : {}) });

const describeV2 = async (id: string) => {
  const { body } = await call('GET', `/v2/alm/stack/${id}`);
  const [stack] = body as unknown as [{ stack_status: string; configuration: Record<string, unknown> }];
  return stack;
};

async function complete(id: string, status: string): Promise<string> {
  await eventually(
    () => describeV2(id),
    ({ stack_status }) => stack_status === status,
    60,
  );
  return id;
}

async function runningStack(more: object = {}): Promise<string> {
  const configurations = {
    architecture: 'art_elb',
    type: 't2.micro',
    image: 'library/nginx',
    min: 3,
    max: 7,
    ...more,
  };
  const body = { cred: 'SANDBOX', region: 'ap-northeast-1', configurations };
  const { body: made } = await call('POST', '/v2/alm/stack', body);
  return complete(String(made.stack_id), 'CREATE_COMPLETE');
}

const apply = { name: 'Apply', exact: true };

it('a stack of API v2 is changed in the editor: only what differs is sent, and shown before', async () => {
  const id = await runningStack();
  const page = await browsing.openPage({ path: `/console/stack/${id}` });
  await page.getByRole('link', { name: 'Edit parameters' }).click();
  await typeOver(page, '7', '9');
  const row = page.getByRole('table', { name: 'Changed parameters' }).locator('tbody tr');
  await row.getByText('9').waitFor();
  expect(await row.allTextContents()).toEqual(['max79']);
  await page.getByText(`alm stack update --apiver v2 --id ${id} --max 9 --wait`).waitFor();
  await page.getByText('API v2 has no preview').waitFor();
  await page.getByRole('button', apply).click();
  await page.waitForURL(`**/console/stack/${id}`);
  await complete(id, 'UPDATE_COMPLETE');
  const { configuration } = await describeV2(id);
  expect(configuration).toMatchObject({ min: '3', max: '9', image: 'library/nginx', type: 't2.micro' });
});

it('a parameter that the service does not accept is marked in the text, and nothing is changed or lost', async () => {
  const id = await runningStack();
  const page = await browsing.openPage({ path: `/console/stack/${id}/edit` });
  browsing.expectErrors(page, /400/);
  await typeOver(page, 'min', 'mni');
  await page.getByRole('table', { name: 'Changed parameters' }).getByText('mni').waitFor();
  await page.getByRole('button', apply).click();
  await page.getByRole('button', { name: /^1 problem/ }).waitFor();
  await editorOf(page).getByText('mni').first().waitFor();
  expect((await describeV2(id)).configuration).toHaveProperty('min', '3');
});

it('what another user applied in the meantime is not undone without a look at it', async () => {
  const id = await runningStack();
  const page = await browsing.openPage({ path: `/console/stack/${id}/edit` });
  await typeOver(page, '7', '9');
  await call('PUT', `/v2/alm/stack/${id}`, { configurations: { min: 5 } });
  await page.getByText('The stack was changed since you began').waitFor();
  const table = page.getByRole('table', { name: 'Changed parameters' });
  await table.getByText('min').waitFor();
  browsing.expectErrors(page, /412/);
  await page.getByRole('button', apply).click();
  await page.getByRole('alert').first().waitFor();
  expect((await describeV2(id)).configuration).toMatchObject({ min: '5', max: '7' });
  await typeOver(page, '3', '5');
  await table.getByText('min').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /^I have looked at it/ }).click();
  await page.getByRole('button', apply).click();
  await page.waitForURL(`**/console/stack/${id}`);
  expect((await describeV2(id)).configuration).toMatchObject({ min: '5', max: '9' });
});

it('an update of a stack of API v2 that removes a database asks what happens to its data', async () => {
  const database = [{ Engine: 'db_mysql', DBtype: 'db.t2.micro', DBStorage: 10 }];
  const id = await runningStack({ database });
  const page = await browsing.openPage({ path: `/console/stack/${id}/edit` });
  await editorOf(page).getByText('db_mysql').waitFor();
  await typeAll(page, 'architecture: art_elb\ntype: t2.micro\nimage: library/nginx\nmin: 3\nmax: 7\n');
  await page.getByRole('table', { name: 'Changed parameters' }).getByText('database').waitFor();
  browsing.expectErrors(page, /409/);
  await page.getByRole('button', apply).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: /Its data is deleted/ }).check();
  await dialog.getByText(/data-[\w-]+[=:]delete/).waitFor();
  await dialog.getByRole('button', { name: 'Go on' }).click();
  await page.waitForURL(`**/console/stack/${id}`);
  await complete(id, 'UPDATE_COMPLETE');
  expect((await describeV2(id)).configuration).not.toHaveProperty('database');
  await page.goto(`${almanac.url}/console/stack/${id}/data?state=gone`);
  await page.getByRole('row', { name: /^Database .* Gone/ }).waitFor();
});

it('the draft of a stack of API v2 survives a reload without its secrets', async () => {
  const id = await runningStack();
  const page = await browsing.openPage({ path: `/console/stack/${id}/edit` });
  await typeOver(page, '7', '9\ndockerHubPassword: walnut-copper-71');
  await page.getByText('draft kept in this browser').waitFor();
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('walnut');
  await page.reload();
  await editorOf(page).getByText('9', { exact: true }).waitFor();
  await page.getByText('A secret was not kept with the draft').waitFor();
});

it('the editor of API v2 and the question before a restart are accessible in both themes and both widths', async () => {
  const id = await runningStack();
  const page = await browsing.openPage({ path: `/console/stack/${id}/edit` });
  await typeOver(page, '7', '9');
  await page.getByRole('table', { name: 'Changed parameters' }).waitFor();
  expect(await faultsInAllViews(page)).toEqual([]);
  await page.goto(`${almanac.url}/console/stack/${id}/instances`);
  await page
    .getByRole('button', { name: /^Restart/ })
    .first()
    .click();
  await page.getByRole('dialog', { name: /^Restart/ }).waitFor();
  expect(await faultsInAllViews(page)).toEqual([]);
});

it('the editor of a stack of API v2 offers the names of parameters and their words, from the schema of the service', async () => {
  const page = await browsing.openPage({ path: null });
  const schema = page.waitForResponse(/\/v2\/alm\/configuration\/schema/);
  await page.goto(`${almanac.url}/console/stack/${await runningStack()}/edit`);
  await schema;
  await editorOf(page).focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('codeS');
  const words = page.getByRole('listbox');
  // By mouse: the editor takes Enter for a new line in the first moments of a list.
  await words.getByRole('option', { name: /^codeSource/ }).click();
  await page.keyboard.press('Control+Space');
  await words.getByRole('option', { name: /^git\b/ }).waitFor();
});

it('the page of a stack of API v2 in the sandbox says so, as the list does', async () => {
  const page = await browsing.openPage({ path: `/console/stack/${await runningStack()}` });
  await page.getByText('sandbox · ap-northeast-1').waitFor();
});
