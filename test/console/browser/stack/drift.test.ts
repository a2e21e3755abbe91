import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { oneServer } from '../../../world.ts';
import { faultsInAllViews } from '../accessibility.ts';
import { useBrowser } from '../harness.ts';

const browsing = useBrowser();
const { almanac } = browsing;
let stackId: string;
beforeAll(async () => {
  stackId = await almanac.applyTemplate(oneServer());
  await almanac.waitFor(stackId, 'CREATE_COMPLETE', 60);
});

const later = '2100-01-01T00:00:00+00:00';
const unchecked = { state: 'never_checked', checked_at: null, reason: '', resources: [] };
const drifted = {
  state: 'drifted',
  checked_at: later,
  reason: '',
  resources: [
    {
      resource: 'SecurityGroupWeb0',
      resource_type: 'AWS::EC2::SecurityGroup',
      kind: 'changed',
      members: [
        { path: '/SecurityGroupIngress/0/CidrIp', expected: '10.0.0.0/16', actual: '0.0.0.0/0' },
        {
          path: '/SecurityGroupIngress/1',
          expected: '',
          actual: `{"CidrIp":"0.0.0.0/0","Note":"${'x'.repeat(90)}"}`,
        },
      ],
    },
    { resource: 'InstanceWeb0', resource_type: 'AWS::EC2::Instance', kind: 'deleted', members: [] },
  ],
};

/** The sandbox has no drift: the reply is that of a cloud which has it. */
async function open(reply: object): Promise<Page> {
  const page = await browsing.openPage({ path: null });
  await page.route(/\/v3\/.*\/drift$/, (route) => route.fulfill({ json: { stack_id: stackId, ...reply } }));
  await page.goto(`${almanac.url}/console/stack/${stackId}/drift`);
  return page;
}

describe('the page of the drift', () => {
  it('names what differs, also what is only on one side, and is accessible in both themes and both widths', async () => {
    const page = await open(drifted);
    await page.getByRole('status').getByText('2 resources differ').waitFor();
    await page.getByText('The resource no longer exists at the vendor.').waitFor();
    const table = page.getByRole('table', { name: 'Differences of SecurityGroupWeb0' });
    expect(await table.getByText('nothing', { exact: true }).count()).toBe(1);
    expect(await faultsInAllViews(page)).toEqual([]);
    await page.getByRole('button', { name: 'Put it back' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('InstanceWeb0: made again').waitFor();
    // The button waits for what the service says about the template.
    await dialog.getByText('No resource changes.').waitFor();
    await dialog.getByRole('button', { name: 'Put it back', disabled: false }).waitFor();
    expect(await dialog.locator('ins').allTextContents()).toEqual(['10.0.0.0/16', 'nothing']);
    expect(await faultsInAllViews(page)).toEqual([]);
  });

  it('explains what drift is before the first check', async () => {
    const page = await open(unchecked);
    await page.getByText('Never checked').waitFor();
    await page.getByText('Drift is what differs between the resources and the template').waitFor();
  });

  it('says that a result is from before the last update', async () => {
    const page = await open({ ...drifted, checked_at: '2020-01-01T00:00:00+00:00' });
    await page.getByText('The stack was updated after this check.').waitFor();
    expect(await (await open(drifted)).getByText('The stack was updated after this check.').count()).toBe(0);
  });

  it('does not pass the time of the last check off as that of the one in progress', async () => {
    const page = await open({ ...unchecked, state: 'checking', checked_at: later });
    await page.getByText(/^last checked /).waitFor();
    await page.getByRole('button', { name: 'Check now', disabled: true }).waitFor();
  });
});
