import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { SshWorld } from '../../../api/ssh/world.ts';
import { faultsInAllViews } from '../accessibility.ts';
import { Browsing } from '../harness.ts';

let world: SshWorld;
let browsing: Browsing;

beforeAll(async () => {
  world = await SshWorld.start(1);
  browsing = new Browsing(world.almanac);
  await browsing.connect();
});
afterEach((context) => browsing.finishTest(context));
afterAll(async () => {
  await browsing.disconnect();
  await world.close();
});

it('the console opens a terminal on an instance in a new tab, which does not violate WCAG 2.2 AA or scroll sideways', async () => {
  const page = await browsing.openPage({ path: `/console/stack/${world.stackId}/instances` });
  const opened = page.context().waitForEvent('page');
  await page.getByRole('button', { name: /^Terminal of/ }).click();
  const terminal = await opened;
  await terminal.getByRole('status').getByText('Connected').waitFor();
  expect(new URL(terminal.url()).search).toBe('');
  await terminal.getByRole('button', { name: 'Screen reader' }).click();
  await terminal.getByText('welcome 80x24').first().waitFor({ state: 'attached' });
  expect(await faultsInAllViews(terminal)).toEqual([]);
});
