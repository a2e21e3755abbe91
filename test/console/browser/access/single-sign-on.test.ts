import { afterAll, beforeAll, expect, it } from 'vitest';
import { RealProvider } from '../../../openid/real-provider.ts';
import { violationsOf } from '../accessibility.ts';
import { useBrowser } from '../harness.ts';

const provider = await RealProvider.listen();
const browsing = useBrowser({ environment: provider.environment({ ALM_OIDC_ROLES: 'all=admin' }) });
beforeAll(() => provider.serve(browsing.almanac.url));
afterAll(() => provider.close());

it('a person signs in with a real OpenID provider, and is then where they were going, without the code in the address', async () => {
  provider.person = { sub: 'person-1', preferred_username: 'ann', groups: ['all'] };
  const page = await browsing.openPage({ as: null, path: '/console/me' });
  const button = page.getByRole('button', { name: 'Sign in with single sign-on' });
  await button.waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await button.click();
  await page.getByRole('link', { name: /ann/ }).first().waitFor();
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/console/me');
});

it('a person whom the service refuses reads why', async () => {
  provider.person = { sub: 'person-2', preferred_username: 'eve', groups: ['strangers'] };
  const page = await browsing.openPage({ as: null });
  await page.getByRole('button', { name: 'Sign in with single sign-on' }).click();
  await page.getByText('None of your groups maps to a role').waitFor();
});
