import { expect, it } from 'vitest';
import { violationsOf } from '../accessibility.ts';
import { useBrowser } from '../harness.ts';

const browsing = useBrowser();

it('the check of the audit log counts the entries, and names the first one that was changed in the database', async () => {
  const page = await browsing.openPage({ path: '/console/audit' });
  const check = page.getByRole('button', { name: 'Check now' });
  await check.click();
  await page.getByText('Intact', { exact: true }).waitFor();
  await page.getByText(/^\d+ entr(?:y|ies), none was changed\.$/).waitFor();
  await page.getByText('alm audit check').waitFor();

  const { query } = browsing.almanac.service.database;
  await query.updateTable('audit').where('number', '=', 1).set({ actor: 'another user' }).execute();
  await check.click();
  await page.getByText('Not intact').waitFor();
  await page.getByText(/^Entry 1 is not what was recorded\. Compare the log with an export/).waitFor();
  expect(await violationsOf(page)).toEqual([]);
});
