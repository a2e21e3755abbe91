import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { oneServer } from '../../../world.ts';
import { makeRole, makeUser, makeUserWithoutRights, statement } from '../access/people.ts';
import { editorOf, typeOver } from '../editor/typing.ts';
import { errorBody } from '../error-body.ts';
import { useBrowser } from '../harness.ts';
import { dialogBy, faultsOf, press, type State } from './states.ts';

const browsing = useBrowser();
const { almanac } = browsing;
let running = '';
let failed = '';

const put = async (id: string, json: object): Promise<void> => {
  await almanac.call('PUT', `/v3/alm/template/${id}`, { token: await almanac.userToken(), json });
};

beforeAll(async () => {
  running = await almanac.applyTemplate({ ...oneServer(), label: 'one' });
  failed = await almanac.applyTemplate(oneServer());
  for (const id of [running, failed]) await almanac.waitFor(id, 'CREATE_COMPLETE', 60);
  const fault = { kind: 'fail_resource', stack_id: failed, position: 1, reason: 'There is no room.' };
  await almanac.call('POST', '/v3/sandbox/fault', { token: await almanac.userToken(), json: fault });
  await put(failed, oneServer(2));
  await put(running, { ...oneServer(), label: 'two' });
  await almanac.waitFor(failed, 'UPDATE_FAILED', 60);
  await almanac.waitFor(running, 'UPDATE_COMPLETE', 60);
});

const refusal = { status: 409, json: errorBody('Another operation is in progress') };

/** A path whose calls are refused by the service. */
const refusing = (is: string, path: RegExp, state: Omit<State, 'is'>): State => ({
  is,
  at: state.at,
  reach: async (page) => {
    await page.route(path, (route) => route.fulfill(refusal));
    await state.reach(page);
    await page.getByRole('alert').first().waitFor();
    await page.unroute(path);
  },
});

const shows = (at: string, text: string | RegExp): State => ({
  is: `${at}: ${String(text)}`,
  at,
  reach: (page) => page.getByText(text).first().waitFor(),
});

it('no dialog about a stack violates WCAG 2.2 AA or scrolls sideways, also when the service refuses', async () => {
  const page = await browsing.openPage({ path: null });
  await page.addInitScript(() =>
    Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined }),
  );
  const found = await faultsOf(page, almanac.url, [
    dialogBy(`stack/${failed}`, 'Try again'),
    refusing('Try again, refused', /\/rollback(\?|$)/, {
      at: `stack/${failed}`,
      reach: async (opened) => {
        await press(opened, 'Try again');
        const button = opened.getByRole('dialog').getByRole('button', { name: 'Try again', disabled: false });
        await button.click();
      },
    }),
    {
      is: 'Bring back',
      at: `stack/${running}/versions`,
      reach: async (opened) => {
        await press(opened, 'Bring back “one” …');
        await opened.getByRole('dialog').getByText('No resource changes.').waitFor();
      },
    },
    dialogBy(`stack/${running}/instances`, /^Run a script on/),
    refusing('A script, refused', /\/exec$/, {
      at: `stack/${running}/instances`,
      reach: async (opened) => {
        await press(opened, /^Run a script on/);
        await opened.getByLabel('Script', { exact: true }).fill('uptime');
        await press(opened, 'Run');
      },
    }),
    refusing('No terminal', /terminal/, {
      at: `stack/${running}/instances`,
      reach: (opened) => press(opened, /^Terminal of/),
    }),
    dialogBy(`stack/${running}`, 'More actions', 'Copy as command'),
    {
      is: 'Comments would be lost',
      at: `stack/${running}/edit`,
      reach: async (opened) => {
        await typeOver(opened, 'two', 'three');
        await editorOf(opened).focus();
        await opened.keyboard.press('Control+End');
        await opened.keyboard.insertText('# a comment\n');
        await press(opened, 'JSON');
        await opened.getByRole('dialog').waitFor();
      },
    },
    dialogBy(`stack/${running}/edit`, 'Discard'),
  ]);
  expect(found).toEqual([]);
});

it('no failed or empty page violates WCAG 2.2 AA or scrolls sideways', async () => {
  const page = await browsing.openPage({ path: null });
  browsing.expectErrors(page, /ERR_|Failed to load|dynamically imported module|NotLoaded/);
  const offline = (path: RegExp | string, text: string, at: string): State => ({
    is: `offline ${at}`,
    at,
    reach: async (opened) => {
      await opened.route(path, (route) => route.abort());
      await opened.reload();
      await opened.getByText(text).first().waitFor();
      await opened.unroute(path);
    },
  });
  const found = await faultsOf(page, almanac.url, [
    shows('nothing-here', 'This page does not exist'),
    shows('stack/mo-none', 'This stack does not exist'),
    shows('users/nobody', 'There is no user nobody'),
    shows('?filter=no-such-name', 'No stack matches'),
    shows('compare', 'Choose two sides'),
    shows('audit?actor=nobody', 'No entries'),
    offline('**/v3/role', 'The server cannot be reached', 'roles'),
    offline('**/assets/clients-*.js', 'could not be loaded', 'clients'),
  ]);
  expect(found).toEqual([]);
});

/** The reason of a button that is off is shown while it has the focus. */
const reason = (at: string, name: string): State => ({
  is: `${at}: ${name} is off`,
  at,
  reach: async (page: Page) => {
    await page.getByRole('button', { name }).first().focus();
    await page.getByRole('tooltip').waitFor();
  },
});

it('no page for a user who may only look violates WCAG 2.2 AA or scrolls sideways', async () => {
  const role = await makeRole(
    browsing,
    'reader',
    statement('Allow', ['stack:describeStack*', 'template:describe*']),
  );
  const page = await browsing.openPage({ as: await makeUser(browsing, 'reader', role), path: null });
  const found = await faultsOf(page, almanac.url, [
    reason(`stack/${running}`, 'Terminal'),
    reason(`stack/${running}/settings`, 'Make a link'),
    shows('users', 'You may not see the users of the account'),
    shows('new', 'You may not create stacks'),
  ]);
  expect(found).toEqual([]);
});

it('no page for a user without rights violates WCAG 2.2 AA or scrolls sideways', async () => {
  const page = await browsing.openPage({ as: await makeUserWithoutRights(browsing, 'guest'), path: null });
  const found = await faultsOf(page, almanac.url, [
    shows('', 'You may not see the stacks'),
    shows(`stack/${running}`, 'You may not see this stack'),
    shows('credentials', 'You may not see the credentials'),
    shows('me', /^0 of \d+ actions are allowed/),
  ]);
  expect(found).toEqual([]);
});
