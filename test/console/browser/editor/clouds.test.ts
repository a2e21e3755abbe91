import { describe, expect, it } from 'vitest';
import { faultsInAllViews } from '../accessibility.ts';
import { useBrowser } from '../harness.ts';
import { typeOver } from './typing.ts';

const browsing = useBrowser();
const path = '/console/new?example=balanced-with-database';

describe('the comparison of clouds in the editor', () => {
  it('says for each cloud what becomes of each member, and for each refusal why and on which line', async () => {
    const page = await browsing.openPage({ path });
    await page.getByRole('button', { name: 'Compare clouds' }).click();
    const table = page.getByRole('table', { name: 'What becomes of the template on each cloud' });
    await table.waitFor();
    const heads = await table.getByRole('columnheader').allTextContents();
    expect(heads).toEqual(expect.arrayContaining(['Member', 'aws', 'openstack', 'alicloud', 'sandbox']));
    expect(await table.getByRole('row', { name: /^The whole template/ }).isVisible()).toBe(true);
    await page.getByRole('button', { name: 'openstack', exact: true }).click();
    await page
      .getByText(/OS::Neutron::Router/)
      .first()
      .waitFor();
    await page
      .getByText(/line \d+/)
      .first()
      .waitFor();
    expect(new URL(page.url()).searchParams.get('clouds')).toBe('openstack');
    await page.getByText('alm template preview stack.yaml --vendor openstack').waitFor();
  });

  it('follows the text: a type that only one cloud has is refused by the others with the reason', async () => {
    const page = await browsing.openPage({ path: `${path}&clouds=alicloud` });
    await page.getByRole('heading', { name: /^alicloud/ }).waitFor();
    await typeOver(page, 't2.micro', 'no-such-type');
    await page
      .getByText(/no-such-type/)
      .first()
      .waitFor();
    await page
      .getByText(/Refused/)
      .first()
      .waitFor();
  });

  it('is readable for everyone in both themes and both widths', async () => {
    const page = await browsing.openPage({ path: null });
    for (const clouds of ['all', 'openstack']) {
      await page.goto(`${browsing.almanac.url}${path}&clouds=${clouds}`);
      await page.getByRole('heading', { name: /^openstack/ }).waitFor();
      expect(await faultsInAllViews(page), clouds).toEqual([]);
    }
  });
});
