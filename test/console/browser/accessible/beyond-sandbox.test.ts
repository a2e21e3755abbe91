import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { oneServer } from '../../../world.ts';
import { errorBody } from '../error-body.ts';
import { useBrowser } from '../harness.ts';
import { dialogBy, faultsOf, press, type State } from './states.ts';

/** States that an installation with a sandbox never has: replies are changed on their way to the page. */
const browsing = useBrowser();
const { almanac } = browsing;
let stackId = '';
let images: object = {};

beforeAll(async () => {
  stackId = await almanac.applyTemplate(oneServer());
  await almanac.waitFor(stackId, 'CREATE_COMPLETE', 60);
});

/** Every credential of the sandbox in the replies about stacks becomes one of AWS. */
async function pretendAws(page: Page): Promise<void> {
  await page.route(/\/v3\/alm\/stack(\/mo-[^/]*)?\?view=/, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replaceAll('SANDBOX', 'AKIA0EXAMPLE');
    await route.fulfill({ response, body });
  });
  // It would tell the page about the sandbox again, so it says nothing.
  await page.route(/\/v3\/alm\/stack\/stream/, () => {});
}

const layer = (flag: string, effect: string) => ({ flag, image: 'ami-0a1', newest: 'ami-0b2', effect });
const diskWarning = 'The data on the disks of web0 is lost.';
const groupWarning =
  'All servers of web0 would be replaced, with their disks and addresses: they are in no group.';
const changes = [
  {
    action: 'replace',
    resource: 'Web0Server',
    resource_type: 'AWS::EC2::Instance',
    members: ['ImageId'],
    warning: diskWarning,
  },
];
const replacing = {
  status: 'ok',
  stack_id: 'mo-1',
  images: [layer('web0', 'replace'), layer('api', 'rolling'), layer('jobs', 'none')],
  changes,
  warnings: [`Web0Server: ${diskWarning}`, groupWarning],
  data: [],
};
const diskSentence =
  'AWS::EC2::Instance Web0Server (i-0a1) is replaced by a new one. What is only on its disk is lost.';
const asking = {
  ...errorBody(`The update removes data. ${diskSentence}`),
  stores: [
    {
      id: 'data-1',
      resource: 'Web0Server',
      resource_type: 'AWS::EC2::Instance',
      kind: 'disk',
      store_id: 'i-0a1',
      action: 'replace',
      confirm: ['servers=replace'],
      sentence: diskSentence,
      sentences: [diskSentence],
    },
  ],
};
const newest = { ...replacing, images: [layer('jobs', 'none')], changes: [], warnings: [] };
const refused = { status: 409, json: errorBody('Another operation is in progress') };

const refreshing = ['More actions', 'Refresh machine images …'];

/** The dialog after the service said this about the images. */
const withImages = (is: string, reply: object, shows: (page: Page) => Locator): State => ({
  is,
  at: `stack/${stackId}?${is.replaceAll(' ', '-')}`,
  reach: async (page) => {
    images = reply;
    await dialogBy('', ...refreshing).reach(page);
    await page.getByRole('button', { name: 'Refresh', exact: true }).hover({ force: true });
    await shows(page).waitFor();
  },
});

it('the dialog that refreshes machine images does not violate WCAG 2.2 AA or scroll sideways, also when the service refuses', async () => {
  const page = await browsing.openPage({ path: null });
  await pretendAws(page);
  await page.route(/\/images$/, (route) => route.fulfill(images));
  const found = await faultsOf(page, almanac.url, [
    withImages('servers are replaced', { json: replacing }, (opened) => opened.getByText(groupWarning)),
    withImages('all are the newest', { json: newest }, (opened) =>
      opened.getByText('All images are the newest.'),
    ),
    withImages('images are refused', refused, (opened) => opened.getByRole('alert')),
  ]);
  expect(found).toEqual([]);
});

it('machine images are refreshed after a yes to what is lost on disks, with the confirmation in the request', async () => {
  const page = await browsing.openPage({ path: null });
  browsing.expectErrors(page, /409/);
  await pretendAws(page);
  const sent: string[] = [];
  await page.route(/\/images(\?|$)/, (route) => {
    if (route.request().method() === 'GET') return route.fulfill({ json: replacing });
    const { search } = new URL(route.request().url());
    sent.push(search);
    if (search === '') return route.fulfill({ status: 409, json: asking });
    return route.fulfill({
      status: 202,
      json: { status: 'UPDATE_IN_PROGRESS', stack_id: stackId, version_id: 'v' },
    });
  });
  await page.goto(`${almanac.url}/console/stack/${stackId}`);
  await press(page, ...refreshing);
  const dialog = page.getByRole('dialog');
  for (const text of [groupWarning, diskWarning, 'Web0Server']) await dialog.getByText(text).waitFor();
  await dialog.getByRole('button', { name: 'Refresh', exact: true }).click();
  await dialog.getByRole('radio', { name: diskSentence }).check();
  await dialog.getByText(`alm stack refresh-images ${stackId} --replace-servers`).waitFor();
  await dialog.getByRole('button', { name: 'Go on' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(sent).toEqual(['', '?servers=replace']);
});

const empty = (at: string, path: string, { nothing, says }: { nothing: object; says: string }): State => ({
  is: says,
  at,
  reach: async (page) => {
    await page.route(path, (route) => route.fulfill({ json: nothing }));
    await page.reload();
    await page.getByText(says, { exact: true }).waitFor();
  },
});

it('the pages of credentials and API clients do not violate WCAG 2.2 AA or scroll sideways when there are none', async () => {
  const page = await browsing.openPage({ path: null });
  const found = await faultsOf(page, almanac.url, [
    empty('credentials', '**/v3/credentials', { nothing: {}, says: 'No credentials' }),
    empty('clients', '**/v3/client', { nothing: [], says: 'No API clients' }),
  ]);
  expect(found).toEqual([]);
});
