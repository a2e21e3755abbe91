import type { Page } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { oneServer } from '../../world.ts';
import { useBrowser } from './harness.ts';
import { serveOtherSite } from './other-site.ts';

const browsing = useBrowser();
let stackId: string;
beforeEach(async () => {
  stackId = await browsing.almanac.applyTemplate();
  await browsing.almanac.waitFor(stackId, 'CREATE_COMPLETE');
});

const template = JSON.stringify({ ...oneServer(), description: 'made by another site' });

/** A form cannot send JSON, but with this type it sends any text: the name of a field, "=", and its value. */
const form = (action: string): string => {
  const [name, value] = [`${template.slice(0, -1)},"extra":"`, '"}'].map((part) =>
    part.replaceAll('"', '&quot;'),
  );
  return `<form method="post" enctype="text/plain" action="${action}"><input name="${name}" value="${value}"><button>Win a prize</button></form>`;
};

/** A page of another port that the signed-in user opens in another tab, and how many of its requests brought us the cookie. */
async function openAttack(): Promise<{ page: Page; withCookie: () => number }> {
  const { url } = browsing.almanac;
  const own = await browsing.openPage({ path: '/console/' });
  const page = await browsing.openPage({ nextTo: own, path: null });
  browsing.expectErrors(page, /CORS policy|Failed to load resource/);
  const body = `<!DOCTYPE html><html lang="en"><head><title>Prize</title><link rel="icon" href="data:,"></head><body>${form(`${url}/v3/alm/template`)}</body></html>`;
  await page.goto(`${await serveOtherSite({ '/': { body } })}/`);
  let count = 0;
  const session = await page.context().newCDPSession(page);
  session.on('Network.requestWillBeSentExtraInfo', ({ headers: { Host, Cookie } }) => {
    if (Host === new URL(url).host && Cookie?.includes('alm=')) count += 1;
  });
  await session.send('Network.enable');
  return { page, withCookie: () => count };
}

const idsOfStacks = async (): Promise<unknown[]> => {
  const { body } = await browsing.almanac.call<{ stack_id: string }[]>('GET', '/v3/alm/stack', {
    token: await browsing.almanac.userToken(),
  });
  return body.map(({ stack_id }) => stack_id);
};

it('another_port_cannot_act: a form with the cookie is refused, and nothing is created', async () => {
  const before = await idsOfStacks();
  const { page, withCookie } = await openAttack();
  const answered = page.waitForResponse('**/v3/alm/template');
  await page.getByRole('button', { name: 'Win a prize' }).click();
  expect([400, 401, 403, 415]).toContain((await answered).status());
  expect(withCookie()).toBeGreaterThanOrEqual(1);
  expect(await idsOfStacks()).toEqual(before);
});

it('another_port_cannot_act: a script with the cookie neither reads nor changes, and the own page does both', async () => {
  const before = await idsOfStacks();
  const { page, withCookie } = await openAttack();
  const stack = `${browsing.almanac.url}/v3/alm/stack/${stackId}`;
  const attempt = (url: string, init: object) =>
    page.evaluate<string>(
      `fetch(${JSON.stringify(url)}, { credentials: 'include', ...${JSON.stringify(init)} })
        .then((reply) => reply.text().then((text) => reply.ok ? text : 'refused'), () => 'refused')`,
    );
  const text = { 'content-type': 'text/plain' };
  const makes = `${browsing.almanac.url}/v3/alm/template`;
  const ask = (method: string) => attempt(stack, { method });
  expect(await ask('GET')).toBe('refused');
  expect(await ask('DELETE')).toBe('refused');
  // No preflight: the request is sent, and its reply is hidden from the page.
  expect(await attempt(stack, { mode: 'no-cors' })).toBe('refused');
  expect(await attempt(makes, { method: 'POST', mode: 'no-cors', headers: text, body: template })).toBe(
    'refused',
  );
  expect(withCookie()).toBeGreaterThanOrEqual(2);
  expect(await idsOfStacks()).toEqual(before);
  expect((await browsing.almanac.describe(stackId)).stack_status).toBe('CREATE_COMPLETE');
  const [own] = page.context().pages();
  const act = (method: string) =>
    own?.evaluate(
      `fetch(${JSON.stringify(`${stack}?servers=replace`)}, { method: '${method}' }).then(({ status }) => status)`,
    );
  expect([await act('GET'), await act('DELETE')]).toEqual([200, 200]);
});
