import { expect, it } from 'vitest';
import { VirtualClock } from '../../../../src/basics/clock.ts';
import { eventually } from '../../../http.ts';
import { useBrowser } from '../harness.ts';
import { storesOf, template } from './stacks.ts';

const clock = new VirtualClock();
const browsing = useBrowser({ sandboxSpeed: 1, clock });
const { almanac } = browsing;

/** Moves the clock in small steps until something is found. */
const until = (look: () => Promise<boolean>): Promise<boolean> =>
  eventually(
    async () => {
      clock.advance(250);
      return look();
    },
    (found) => found,
    120,
  );

const hasStatus = (id: string, status: string) => async (): Promise<boolean> =>
  (await almanac.describe(id)).stack_status === status;

const cacheOf = async (id: string) => (await storesOf(browsing, id)).find(({ kind }) => kind === 'cache');

it('an update that has made a cache is cancelled only after a word about its data', async () => {
  const id = await almanac.applyTemplate(template());
  await until(hasStatus(id, 'CREATE_COMPLETE'));
  const json = template({ cache: true });
  await almanac.call('PUT', `/v3/alm/template/${id}`, { token: await almanac.userToken(), json });
  // Its nodes are still being made.
  await until(async () => (await cacheOf(id))?.state === 'in_use');
  const page = await browsing.openPage({ path: `/console/stack/${id}` });
  browsing.expectErrors(page, /409/);
  await page.getByRole('button', { name: 'Cancel update' }).click();
  await page.getByRole('button', { name: /^Go back to/ }).click();
  const dialog = page.getByRole('dialog', { name: 'What becomes of the data?' });
  await dialog.getByRole('radio', { name: /Its data is kept/ }).check();
  await dialog.getByText(`alm stack cancel ${id} --keep-data`).waitFor();
  await dialog.getByRole('button', { name: 'Go on' }).click();
  await dialog.waitFor({ state: 'detached' });
  await until(hasStatus(id, 'UPDATE_COMPLETE'));
  expect((await cacheOf(id))?.state).toBe('kept');
});
