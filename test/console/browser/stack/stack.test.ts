import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../../src/basics/clock.ts';
import { eventually } from '../../../http.ts';
import { oneServer } from '../../../world.ts';
import { faultsInAllViews } from '../accessibility.ts';
import { useBrowser } from '../harness.ts';

const clock = new VirtualClock();
const browsing = useBrowser({ sandboxSpeed: 1, clock });
const { almanac } = browsing;

/** Moves the clock until the stack has the status. */
const reach = (stackId: string, status: string) =>
  eventually(
    async () => {
      clock.advance(1000);
      return (await almanac.describe(stackId)).stack_status;
    },
    (found) => found === status,
    60,
  );

const made = async (): Promise<string> => {
  const stackId = await almanac.applyTemplate(oneServer());
  await reach(stackId, 'CREATE_COMPLETE');
  return stackId;
};

/** A stack whose update failed. */
const broken = async (): Promise<string> => {
  const stackId = await made();
  const token = await almanac.userToken();
  const fault = {
    kind: 'fail_resource',
    stack_id: stackId,
    position: 1,
    reason: 'There is no room in the zone.',
  };
  await almanac.call('POST', '/v3/sandbox/fault', { token, json: fault });
  await almanac.call('PUT', `/v3/alm/template/${stackId}`, { token, json: oneServer(2) });
  await reach(stackId, 'UPDATE_FAILED');
  return stackId;
};

describe('the page of a stack', () => {
  it('follows a creation to its end without a reload, and receives no secret', async () => {
    const stackId = await almanac.applyTemplate(oneServer());
    const page = await browsing.openPage({ path: `/console/stack/${stackId}` });
    await page.getByRole('progressbar', { name: /^Creating/ }).waitFor();
    await page.getByText(/of \d+ resources · root asked to create the stack, /).waitFor();
    await reach(stackId, 'CREATE_COMPLETE');
    await page.getByText('All requested resources are ready.').waitFor();
    await page.getByRole('link', { name: /^Instanceweb0-0,.*complete$/ }).waitFor();
    await expect.poll(() => page.getByRole('progressbar').count()).toBe(0);
    const { auth_token } = await almanac.describe(stackId);
    expect(await browsing.leaks(page, { 'secret of the agents': String(auth_token) })).toEqual([]);
  });

  it('and the list of stacks say that a failed creation is undone, why and how far, without a time left', async () => {
    // Past creations would tell a time.
    await made();
    const token = await almanac.userToken();
    const reason = 'There is no room in the zone.';
    await almanac.call('POST', '/v3/sandbox/fault', {
      token,
      json: { kind: 'fail_resource', position: 5, reason },
    });
    const stackId = await almanac.applyTemplate(oneServer());
    const page = await browsing.openPage({ path: `/console/stack/${stackId}` });
    await page.getByText(/about .* left/).waitFor();
    await eventually(
      async () => {
        clock.advance(100);
        return (await almanac.describe(stackId)).doing;
      },
      (doing) => doing === 'undoing',
      60,
    );
    await page.getByRole('heading', { name: 'Undoing the creation' }).waitFor();
    const why = page.getByText(/There is no room in the zone.*\d+ of \d+ removed/);
    await why.first().waitFor();
    expect(await page.getByText(/about .* left/).count()).toBe(0);
    await page.getByRole('link', { name: 'Stacks' }).first().click();
    await why.first().waitFor();
    await page.getByText('Undoing', { exact: true }).waitFor();
    await reach(stackId, 'CREATE_FAILED');
    await page.getByText('Undoing', { exact: true }).waitFor({ state: 'detached' });
  });

  it('of a failed update tells the cause and brings the last complete version back', async () => {
    const stackId = await broken();
    const page = await browsing.openPage({ path: `/console/stack/${stackId}` });
    await page.getByRole('heading', { name: 'Update failed' }).waitFor();
    await page.getByRole('link', { name: /^Versions/ }).click();
    await page.getByText('not reached').waitFor();
    await page.getByText(/· failed after \d/).waitFor();
    await page.getByRole('link', { name: /^Overview/ }).click();
    await page.getByRole('blockquote').getByText('There is no room in the zone.').waitFor();
    await page.getByRole('button', { name: 'Bring back “1 servers”' }).click();
    const dialog = page.getByRole('dialog', { name: 'Bring back “1 servers”?' });
    // The effect first: the failed version was never reached, and the service says so.
    await dialog.getByText('No resource changes.').waitFor();
    await dialog.getByText(/The stack has not reached version .* yet/).waitFor();
    await dialog.getByRole('button', { name: 'Bring it back' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('progressbar', { name: 'Updating to “1 servers”' }).waitFor();
    await reach(stackId, 'UPDATE_COMPLETE');
  });

  it('says what cancelling an update leads to, and cancels it', async () => {
    const stackId = await made();
    const token = await almanac.userToken();
    await almanac.call('PUT', `/v3/alm/template/${stackId}`, { token, json: oneServer(2) });
    const page = await browsing.openPage({ path: `/console/stack/${stackId}` });
    await page.getByRole('button', { name: 'Cancel update' }).click();
    await page.getByRole('dialog').waitFor();
    expect(await faultsInAllViews(page)).toEqual([]);
    await page.getByRole('button', { name: 'Go back to “1 servers”' }).click();
    await page.getByRole('heading', { name: 'Going back to “1 servers”' }).waitFor();
    await reach(stackId, 'UPDATE_COMPLETE');
  });

  it('deletes only after the nickname is typed', async () => {
    const stackId = await made();
    const { nickname } = await almanac.describe(stackId);
    const page = await browsing.openPage({ path: `/console/stack/${stackId}/settings` });
    const button = page.getByRole('button', { name: `Delete ${String(nickname)}` });
    // Forced: the button is off, and says why.
    await button.click({ force: true });
    expect((await almanac.describe(stackId)).stack_status).toBe('CREATE_COMPLETE');
    await page.getByLabel(/^Type/).fill(String(nickname));
    await button.click();
    await page.getByRole('paragraph').getByText('The stack is being deleted.').waitFor();
    await reach(stackId, 'DELETE_COMPLETE');
  });

  it('offers no edit, version or drift act while the stack is being deleted, and says why', async () => {
    const stackId = await made();
    const token = await almanac.userToken();
    await almanac.call('PUT', `/v3/alm/template/${stackId}`, { token, json: oneServer(2) });
    await reach(stackId, 'UPDATE_COMPLETE');
    const editor = await browsing.openPage({ path: `/console/stack/${stackId}/edit` });
    await editor.getByText('Nobody changed the stack since you began').waitFor();
    const page = await browsing.openPage({ path: `/console/stack/${stackId}/versions` });
    await page.getByRole('link', { name: 'Edit template' }).waitFor();
    await almanac.call('DELETE', `/v3/alm/stack/${stackId}?servers=replace`, { token });
    for (const name of ['Edit template', 'Bring back “1 servers” …']) {
      const button = page.getByRole('button', { name, disabled: true });
      await button.waitFor();
      expect(await button.evaluate((found) => found.nextElementSibling?.textContent)).toBe(
        'The stack is being deleted.',
      );
    }
    await page.keyboard.press('e');
    expect(page.url()).toMatch(/versions$/);
    await editor.getByText('The stack is being deleted. Nothing can be applied to it.').waitFor();
    await editor.getByRole('button', { name: 'Apply', disabled: true }).waitFor();
    await reach(stackId, 'DELETE_COMPLETE');
  });

  it('shows the exact time of an event under the pointer', async () => {
    const page = await browsing.openPage({ path: `/console/stack/${await made()}/events` });
    const time = page.locator('[data-event] time').first();
    await time.hover();
    expect(await time.getAttribute('title')).toMatch(/^\w+ \d+, \d{4}, \d+:\d\d:\d\d/);
  });

  it('selects a resource by a click in the picture, without a reload', async () => {
    const page = await browsing.openPage({ path: `/console/stack/${await made()}?show=all` });
    const node = page.locator('[role=group] div > a').first();
    await page.evaluate('globalThis.isSamePage = true');
    await node.click();
    await page.locator('[role=group] div > a[aria-current=true]').waitFor();
    expect(new URL(page.url()).search).toMatch(/^\?show=all&resource=.+/);
    expect(await page.evaluate('globalThis.isSamePage')).toBe(true);
  });

  it('has the tab that is open in view, however narrow the window is', async () => {
    const stackId = await made();
    for (const tab of ['Settings', 'Overview', 'Drift']) {
      const path = tab === 'Overview' ? '' : `/${tab.toLowerCase()}`;
      const page = await browsing.openPage({ path: `/console/stack/${stackId}${path}`, width: 360 });
      const link = page
        .getByRole('navigation', { name: 'Pages of the stack' })
        .getByRole('link', { name: tab });
      await link.waitFor();
      const { left, right } = await link.evaluate((found) => found.getBoundingClientRect().toJSON());
      expect([tab, left >= 0, right <= 360]).toEqual([tab, true, true]);
      expect(await page.evaluate('scrollY')).toBe(0);
    }
  });

  it('of a stack that does not exist says so', async () => {
    const page = await browsing.openPage({ path: '/console/stack/mo-none' });
    await page.getByRole('heading', { name: 'This stack does not exist' }).waitFor();
  });
});

const tabs = ['', '?show=all', '?show=list', '/events', '/instances', '/drift', '/settings'];

it('every page of a stack and the sandbox is accessible and fits, in both themes and widths', async () => {
  const stackId = await broken();
  const paths = [...tabs.map((tab) => `/console/stack/${stackId}${tab}`), '/console/sandbox'];
  const page = await browsing.openPage({ path: null });
  for (const path of paths) {
    await page.goto(almanac.url + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await faultsInAllViews(page), path).toEqual([]);
  }
});
