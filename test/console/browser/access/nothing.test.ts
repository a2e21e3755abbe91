import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { addressOf, pages } from '../../../../src/console/address/pages.ts';
import { type User, useBrowser } from '../harness.ts';
import { makeUserWithoutRights } from './people.ts';

const browsing = useBrowser();
let nobody: User;
let id = '';

beforeAll(async () => {
  id = await browsing.almanac.applyTemplate();
  nobody = await makeUserWithoutRights(browsing, 'guest');
});

/** The missing permission, and who can grant it. */
const missing = (action: string) =>
  new RegExp(`^You do not have permission for ${action}\\..* Ask the master to change your roles\\.$`);

const masterOnly =
  /^Only the master user of the account .* No role allows it\. Ask the master user to do it\.$/;

const ofStack = { heading: 'You may not see this stack', sentence: missing('stack:describeStack') };

/** What each screen shows instead of its content; null: its content is for everyone. */
const screens: Record<keyof typeof pages, { heading: string; sentence: RegExp } | null> = {
  stacks: { heading: 'You may not see the stacks', sentence: missing('stack:describeStacks') },
  newStack: { heading: 'You may not create stacks', sentence: missing('template:createAlmTemplate') },
  stack: ofStack,
  events: ofStack,
  instances: ofStack,
  versions: ofStack,
  drift: ofStack,
  stackData: ofStack,
  settings: ofStack,
  edit: { heading: 'You may not see the stack', sentence: missing('stack:describeStacks') },
  compare: { heading: 'You may not see the stacks', sentence: missing('stack:describeStacks') },
  data: { heading: 'You may not see the data', sentence: missing('stack:describeStacks') },
  credentials: {
    heading: 'You may not see the credentials',
    sentence: missing('cred:describeCredentials'),
  },
  users: { heading: 'You may not see the users of the account', sentence: masterOnly },
  user: { heading: 'You may not see the users of the account', sentence: masterOnly },
  roles: { heading: 'You may not see the roles of the account', sentence: masterOnly },
  role: { heading: 'You may not see the roles of the account', sentence: masterOnly },
  clients: { heading: 'You may not see the API clients of the account', sentence: masterOnly },
  audit: { heading: 'You may not see the audit log', sentence: masterOnly },
  sandbox: { heading: 'You may not set faults of the sandbox', sentence: masterOnly },
  images: { heading: 'This server has no container registry', sentence: /^The operator sets/ },
  image: { heading: 'This server has no container registry', sentence: /^The operator sets/ },
  signIn: null,
  handOver: null,
  me: null,
};

const refusing = Object.entries(screens).flatMap(([page, shown]) => (shown ? [{ page, ...shown }] : []));

const pathOf = (page: string): string => {
  const path = addressOf(pages[page as 'stack'], { id });
  return `/console${path.replace(':name', 'root')}${page === 'image' ? '?name=web' : ''}`;
};

const isLoading = (page: Page): Promise<boolean> =>
  page
    .getByText(/^Loading /)
    .first()
    .isVisible();

describe('for a user with a role that allows nothing', () => {
  it('every page says what is missing and who can grant it, without an error, and does not go on loading', async () => {
    const page = await browsing.openPage({ as: nobody, path: null });
    for (const { page: name, heading, sentence } of refusing) {
      await page.goto(browsing.almanac.url + pathOf(name));
      await page.getByRole('heading', { name: heading, exact: true }).waitFor();
      await page.getByRole('main').getByText(sentence).first().waitFor();
      expect(await page.getByRole('alert').count(), name).toBe(0);
      expect(await isLoading(page), name).toBe(false);
    }
  });

  it('New stack is off and says why', async () => {
    const page = await browsing.openPage({ as: nobody });
    const button = page.getByRole('button', { name: 'New stack' });
    await button.focus();
    await page.getByRole('tooltip').getByText(missing('template:createAlmTemplate')).waitFor();
    await button.click({ force: true });
    expect(new URL(page.url()).pathname).toBe('/console/');
  });

  it('a text that is compared stays on the page beside the refusal', async () => {
    const page = await browsing.openPage({ as: nobody, path: '/console/compare?b=text' });
    const text = page.getByLabel('Text of a template');
    await text.fill('version: 2017-03-03');
    await page.getByRole('heading', { name: 'You may not see the stacks' }).waitFor();
    expect(await text.inputValue()).toBe('version: 2017-03-03');
  });
});
