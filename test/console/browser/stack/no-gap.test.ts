import { expect, it } from 'vitest';
import { oneServer } from '../../../world.ts';
import { useBrowser } from '../harness.ts';

const browsing = useBrowser();
const { almanac } = browsing;

it('reconnects_without_a_gap: after the server was stopped and started, no event is missing or shown twice', async () => {
  const stackId = await almanac.applyTemplate(oneServer());
  await almanac.waitFor(stackId, 'CREATE_COMPLETE');
  const report = async (number: number): Promise<void> => {
    const json = { stack_id: stackId, agent_id: 'one', status: `report ${number}.` };
    await almanac.call('POST', '/v3/alm/agent/agent_status', { token: await almanac.userToken(), json });
  };
  const page = await browsing.openPage({ path: `/console/stack/${stackId}/events` });
  await page.locator('[data-live=live]').waitFor();
  browsing.expectErrors(page, /ERR_|Failed to load/);
  for (const number of [1, 2, 3]) await report(number);
  await page.getByText('report 3.').waitFor();
  await almanac.restart({ samePort: true });
  for (const number of [4, 5, 6]) await report(number);
  await page.getByText('report 6.').waitFor();
  await page.locator('[data-live=live]').waitFor();
  await report(7);
  await page.getByText('report 7.').waitFor();
  for (const number of [1, 2, 3, 4, 5, 6, 7])
    expect(await page.getByText(`report ${number}.`).count(), `report ${number}`).toBe(1);
});
