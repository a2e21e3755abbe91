import { expect, it } from 'vitest';
import { oneServer } from '../../../world.ts';
import { useBrowser } from '../harness.ts';
import { faultsOf, press, type State } from './states.ts';

const browsing = useBrowser();
const { almanac } = browsing;

const shows = (at: string, text: string | RegExp): State => ({
  is: `${at}: ${String(text)}`,
  at,
  reach: (page) => page.getByText(text).first().waitFor(),
});

/** What a page shows after a button was pressed. */
const after = (at: string, button: string | RegExp, text: string | RegExp): State => ({
  is: `${at}: ${String(button)}`,
  at,
  reach: async (page) => {
    await press(page, button);
    await page.getByText(text).first().waitFor();
  },
});

/** First: the account has no stack yet. */
it('the page of an account without stacks does not violate WCAG 2.2 AA or scroll sideways', async () => {
  const page = await browsing.openPage({ path: null });
  expect(await faultsOf(page, almanac.url, [shows('', 'Create it in the sandbox')])).toEqual([]);
});

async function failedStack(): Promise<string> {
  const token = await almanac.userToken();
  const id = await almanac.applyTemplate(oneServer());
  await almanac.waitFor(id, 'CREATE_COMPLETE', 60);
  const json = { kind: 'fail_resource', stack_id: id, position: 1, reason: 'There is no room.' };
  await almanac.call('POST', '/v3/sandbox/fault', { token, json });
  await almanac.call('PUT', `/v3/alm/template/${id}`, { token, json: oneServer(2) });
  await almanac.waitFor(id, 'UPDATE_FAILED', 60);
  return id;
}

it('what pages show of one thing, and after an act, does not violate WCAG 2.2 AA or scroll sideways', async () => {
  const id = await failedStack();
  const page = await browsing.openPage({ path: null });
  const found = await faultsOf(page, almanac.url, [
    shows('', 'There is no room.'),
    shows(`stack/${id}?resource=Instanceweb0-0`, 'Fail here next time'),
    shows(`stack/${id}/events?failures=only`, 'There is no room.'),
    shows(`stack/${id}/events?resource=none`, 'No event passes the filter.'),
    after(`stack/${id}/settings`, 'Make a link', 'Download the key'),
    {
      is: 'an entry of the audit log',
      at: 'audit',
      reach: async (opened) => {
        await opened
          .getByRole('link', { name: /^Entry / })
          .first()
          .click();
        await opened.getByRole('button', { name: 'Close the entry' }).waitFor();
      },
    },
    after('audit?decision=allowed', 'Check now', /none was changed/),
    after('roles/new', 'JSON', 'requests looked at'),
  ]);
  expect(found).toEqual([]);
});
