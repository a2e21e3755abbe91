import { describe, expect, it } from 'vitest';
import { useBrowser } from '../harness.ts';

const browsing = useBrowser();

describe('a new secret', () => {
  it('of an API client is shown once, and found nowhere afterwards but in the reply that created it', async () => {
    const page = await browsing.openPage({ path: '/console/clients' });
    await page.getByRole('button', { name: 'New API client' }).click();
    await page.getByLabel('What it is for').fill('build server');
    await page.getByRole('button', { name: 'Create API client' }).click();
    const dialog = page.getByRole('dialog', { name: 'build server is created' });
    const secret = (await dialog.locator('dd code').nth(1).textContent()) ?? '';
    expect(secret.length).toBeGreaterThan(20);
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await page
      .getByRole('cell', { name: /^build server/ })
      .first()
      .waitFor();
    expect(await browsing.leaks(page, { secret })).toEqual([
      `secret is in reply of POST ${browsing.almanac.url}/v3/client`,
    ]);
    await page.reload();
    await page
      .getByRole('cell', { name: /^build server/ })
      .first()
      .waitFor();
    expect(await page.getByText(secret).count()).toBe(0);
  });

  it('replaces the old one of an API client', async () => {
    const page = await browsing.openPage({ path: '/console/clients' });
    await page.getByRole('button', { name: 'New API client' }).click();
    await page.getByLabel('What it is for').fill('rotated');
    await page.getByRole('button', { name: 'Create API client' }).click();
    await page.getByRole('dialog', { name: 'rotated is created' }).waitFor();
    const values = page.getByRole('dialog').locator('dd code');
    const [id, old] = await values.allTextContents();
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await page.getByRole('button', { name: 'Actions for rotated' }).click();
    await page.getByRole('menuitem', { name: 'New secret …' }).click();
    await page.getByRole('button', { name: 'Make a new secret' }).click();
    await page.getByRole('dialog', { name: 'New secret of rotated' }).waitFor();
    const [, current] = await values.allTextContents();
    const signIn = (client_secret: string | undefined) =>
      browsing.almanac.call('POST', '/v3/access_token', {
        json: { grant_type: 'client_credentials', client_id: id, client_secret },
      });
    expect((await signIn(old)).status).toBe(401);
    expect((await signIn(current)).status).toBe(200);
  });

  it('of a credential goes in and never comes out', async () => {
    const page = await browsing.openPage({ path: '/console/credentials' });
    await page.getByRole('button', { name: 'Add a credential' }).click();
    await page.getByLabel('Cloud', { exact: true }).selectOption('sandbox');
    await page.getByLabel('Name', { exact: true }).fill('trial');
    await page.getByLabel('Secret').fill('a-secret-of-a-credential');
    await page.getByLabel('Name of the account').fill('trial account');
    await page.getByRole('button', { name: 'Save credential' }).click();
    await page.getByRole('cell', { name: 'trial account' }).waitFor();
    expect(await browsing.leaks(page, { secret: 'a-secret-of-a-credential' })).toEqual([]);
  });
});

it('a credential that a stack uses is not deleted, and the answer names the stack', async () => {
  const stackId = await browsing.almanac.applyTemplate();
  const page = await browsing.openPage({ path: '/console/credentials' });
  await page.getByRole('button', { name: 'Delete SANDBOX of AWS' }).click();
  await page.getByRole('button', { name: 'Delete credential' }).click();
  await page.getByRole('alert').getByText(stackId).waitFor();
});
