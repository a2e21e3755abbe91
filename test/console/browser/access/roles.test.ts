import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { violationsOf } from '../accessibility.ts';
import { type User, useBrowser } from '../harness.ts';
import { asMaster, makeRole, makeUser, statement } from './people.ts';

const browsing = useBrowser();

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

async function tokenOf({ username, password }: User): Promise<string> {
  return browsing.almanac.newToken({ grant_type: 'password', client_id: 'alm', username, password });
}

it('a role is created, attached to a user, and the user sees less', async () => {
  const ann = await makeUser(browsing, 'ann');
  const stackId = await browsing.almanac.applyTemplate(undefined, await tokenOf(ann));
  const page = await browsing.openPage({ path: '/console/roles' });
  await page.getByRole('link', { name: 'New role' }).click();
  await page.getByLabel('Name of the role').fill('credential readers');
  await button(page, 'Allow something').click();
  await page.getByLabel('Add: Actions of statement 0').fill('cred:describeCredentials');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.getByText('requests looked at').isVisible()).toBe(true);
  await button(page, 'Create role').click();
  await page.getByRole('heading', { name: 'credential readers' }).waitFor();
  await page.goto(`${browsing.almanac.url}/console/users/ann`);
  await page.getByLabel('Attach a role').selectOption({ label: 'credential readers' });
  await page.getByText('instead of the default rights').waitFor();
  await button(page, 'Attach').click();
  await page.getByRole('link', { name: 'credential readers' }).waitFor();

  const annsPage = await browsing.openPage({ as: ann, path: '/console/credentials' });
  await annsPage.getByRole('heading', { name: 'Credentials' }).waitFor();
  const menu = annsPage.getByRole('navigation', { name: 'Main' });
  await menu.getByRole('link', { name: 'Credentials' }).waitFor();
  expect(await menu.getByRole('link', { name: /Users|Roles|API clients|Audit|Compare/ }).count()).toBe(0);
  const answer = await browsing.almanac.call('GET', `/v3/alm/stack/${stackId}`, {
    token: await tokenOf(ann),
  });
  expect(answer.status).toBe(403);
});

it('the save button says how many requests of last week a draft would have refused, and lists them', async () => {
  const role = await makeRole(browsing, 'viewers', statement('Allow', ['stack:*']));
  const jun = await makeUser(browsing, 'jun', role);
  const token = await tokenOf(jun);
  for (let count = 0; count < 3; count += 1) await browsing.almanac.call('GET', '/v3/alm/stack', { token });
  const page = await browsing.openPage({ path: `/console/roles/${role}` });
  await button(page, 'Deny something').click();
  await page.getByLabel('Add: Actions of statement 1').fill('stack:describeStacks');
  await page.keyboard.press('Enter');
  const save = button(page, 'Save — 3 requests of last week would be refused');
  await save.waitFor();
  const rows = page.getByRole('table', { name: 'Requests with another decision' }).locator('tbody tr');
  expect(await rows.count()).toBe(3);
  expect(await rows.first().textContent()).toMatch(
    /jun.*stack:describeStacks.*allowed → denied.*Statement 1/,
  );
  await save.click();
  await page.getByText('Saved role viewers').waitFor();
  expect((await browsing.almanac.call('GET', '/v3/alm/stack', { token })).status).toBe(403);
});

it('a statement that was just added is not an error: the page says what it lacks until then', async () => {
  const role = await makeRole(browsing, 'unfinished', statement('Allow', ['stack:*']));
  const page = await browsing.openPage({ path: `/console/roles/${role}` });
  await page.getByText('requests looked at').waitFor();
  await button(page, 'Deny something').click();
  await page.getByText('Statement 1 has no action yet. Then the draft is rehearsed.').waitFor();
  expect(await button(page, 'Save').getAttribute('aria-disabled')).toBe('true');
  expect(await page.getByRole('alert').count()).toBe(0);
  await page.getByLabel('Add: Actions of statement 1').fill('stack:deleteStack');
  await page.keyboard.press('Enter');
  await page.getByText('Statement 1 of this draft denies it').waitFor();
});

it('the question whether a user may do something is in the address, with the same as a command', async () => {
  const role = await makeRole(browsing, 'asked', statement('Deny', ['stack:readLogs']));
  await makeUser(browsing, 'leo', role);
  const page = await browsing.openPage({ path: '/console/users/leo' });
  await page.getByLabel('Action').selectOption('stack:readLogs');
  await page.getByText('Statement 0 of role "asked" denies it').waitFor();
  await page.reload();
  await page.getByText('Statement 0 of role "asked" denies it').waitFor();
  await page.getByText('alm rbac explain stack:readLogs --user leo').waitFor();
});

it('another role of a user who has several counts in the rehearsal as it does on the service', async () => {
  const [narrow, wide] = [
    await makeRole(browsing, 'narrow', statement('Allow', ['stack:describeStacks'])),
    await makeRole(browsing, 'wide', statement('Allow', ['stack:*'])),
  ];
  const token = await tokenOf(await makeUser(browsing, 'mia', narrow, wide));
  await browsing.almanac.call('GET', '/v3/alm/stack', { token });
  const page = await browsing.openPage({ path: `/console/roles/${narrow}` });
  await button(page, 'Remove statement 0').click();
  await button(page, 'Save — nothing changes for the requests of last week').waitFor();
});

it('form and JSON edit the same draft, and an unreadable text is lost in neither', async () => {
  const role = await makeRole(browsing, 'drafted', statement('Allow', ['stack:describeStack']));
  const page = await browsing.openPage({ path: `/console/roles/${role}` });
  await page.getByLabel('Add: Actions of statement 0').fill('stack:deleteStack');
  await page.keyboard.press('Enter');
  await button(page, 'JSON').click();
  const text = page.getByLabel('Scope of the role');
  expect(await text.inputValue()).toContain('stack:deleteStack');
  await text.fill('{ "Version": ');
  await button(page, 'Form').click();
  await page.getByText('Nothing is lost').waitFor();
  await page.getByRole('link', { name: 'Users' }).click();
  await page.goBack();
  await button(page, 'JSON').click();
  expect(await text.inputValue()).toBe('{ "Version": ');
  expect(await button(page, 'Save').getAttribute('aria-disabled')).toBe('true');
  await button(page, 'Discard draft').click();
  expect(await text.inputValue()).toContain('stack:describeStack');
});

it('a statement that the form cannot express is shown beside the others, and stays while they are changed', async () => {
  const role = await makeRole(browsing, 'mixed', statement('Allow', ['stack:describeStack']));
  const page = await browsing.openPage({ path: `/console/roles/${role}?as=json` });
  const text = page.getByLabel('Scope of the role');
  const other = { Effect: 'Deny', Action: ['stack:*'], Resource: ['*'], Condition: { weekday: 'Friday' } };
  const scope = JSON.parse(await text.inputValue()) as { Statement: object[] };
  await text.fill(JSON.stringify({ ...scope, Statement: [other, ...scope.Statement] }));
  await button(page, 'Form').click();
  await page.getByText('The form cannot show this statement').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByLabel('Add: Actions of statement 1').fill('stack:deleteStack');
  await page.keyboard.press('Enter');
  await button(page, 'JSON').click();
  const { Statement: after } = JSON.parse(await text.inputValue()) as { Statement: unknown[] };
  expect(after[0]).toEqual(other);
  expect(after[1]).toHaveProperty('Action', ['stack:describeStack', 'stack:deleteStack']);
});

it('deleting a role names who loses it', async () => {
  const role = await makeRole(browsing, 'short-lived', statement('Allow', ['stack:*']));
  await makeUser(browsing, 'kim', role);
  const page = await browsing.openPage({ path: `/console/roles/${role}` });
  await page.getByText('Held by kim').waitFor();
  await button(page, 'Delete').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Held by kim: the role is detached at once.').waitFor();
  await button(page, 'Delete role').click();
  await page.getByRole('heading', { name: 'Roles', exact: true }).waitFor();
  const roles = await asMaster(browsing, 'GET', '/v3/role');
  expect(JSON.stringify(roles)).not.toContain('short-lived');
});

it('what the address asks is shown as it is asked, also if it is in no list, and the command says what it counts', async () => {
  const role = await makeRole(browsing, 'asked about', statement('Allow', ['stack:describe*']));
  const other = await makeRole(browsing, 'another', statement('Allow', ['template:*']));
  await makeUser(browsing, 'dan', role, other);
  const page = await browsing.openPage({
    path: `/console/roles/${role}?of=dan&days=3&who=gone&may=stack:none&on=mrn:alm:stack:gone`,
  });
  await page.getByText('requests looked at').waitFor();
  const shown = { User: 'gone', Action: 'stack:none', Stack: 'mrn:alm:stack:gone', last: '3', of: 'dan' };
  for (const [label, value] of Object.entries(shown))
    expect(await page.getByRole('combobox', { name: label, exact: true }).inputValue(), label).toBe(value);
  await page.getByText('alm rbac rehearse --scope scope.json --days 3 --user dan').waitFor();
  await page
    .getByText('The command counts the scope as the only role of dan: add the statements of the other roles')
    .waitFor();
});
