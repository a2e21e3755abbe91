import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { oneServer } from '../../../world.ts';
import { faultsInAllViews } from '../accessibility.ts';
import { useBrowser } from '../harness.ts';

const browsing = useBrowser();
const { almanac } = browsing;

const makeStack = async (): Promise<string> => {
  const id = await almanac.applyTemplate(oneServer(2));
  await almanac.waitFor(id, 'CREATE_COMPLETE', 60);
  return id;
};

it('logs are followed live, can be limited (which a reload keeps), copied as a command and downloaded, and say when they are paused', async () => {
  const id = await makeStack();
  const page = await browsing.openPage({ path: `/console/stack/${id}/instances` });
  await page.getByRole('button', { name: 'Show logs' }).click();
  const lines = page.getByRole('log', { name: 'Lines' });
  await lines.getByText('is simulated, and so is its log').first().waitFor();
  await page.getByText('Live', { exact: true }).last().waitFor();
  await lines.getByText(/ ms$/).first().waitFor();

  await page.getByLabel('Written by').selectOption('agent');
  await page.getByText(`alm logs ${id} --follow --lines 200 --source agent`).waitFor();
  await lines.getByText(/ ms$/).first().waitFor({ state: 'detached' });
  await page.getByLabel('Lines with').fill('is serving');
  await page.getByText('2 lines', { exact: true }).waitFor();
  await page.reload();
  await page.getByText('2 lines', { exact: true }).waitFor();
  expect(await page.getByLabel('Lines with').inputValue()).toBe('is serving');

  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  const saved = await text(await (await saving).createReadStream());
  expect(saved.trimEnd().split('\n')).toHaveLength(2);

  await page.getByLabel('Follow').uncheck();
  await page.getByText('Paused', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Close the logs' }).click();
  await lines.waitFor({ state: 'detached' });
});

it('an instance whose agent cannot send logs says so', async () => {
  const id = await makeStack();
  await almanac.call('POST', '/v3/alm/agent/agent_status', {
    token: await almanac.stackToken(id),
    json: { stack_id: id, agent_id: 'foreign', instance_id: 'i-foreign', status: 'uptodate' },
  });
  const page = await browsing.openPage({
    path: `/console/stack/${id}/instances?logs=open&logs_of=i-foreign`,
  });
  await page.getByText('The agent of instance i-foreign cannot send logs.').waitFor();
  await page.getByText('0 of 1 instances live').waitFor();
});

it('the open logs are accessible in both themes and widths', async () => {
  const page = await browsing.openPage({ path: `/console/stack/${await makeStack()}/instances?logs=open` });
  await page.getByRole('log', { name: 'Lines' }).getByText('revision 1').first().waitFor();
  expect(await faultsInAllViews(page)).toEqual([]);
});
