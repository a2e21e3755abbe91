// An empty installation as a user finds it: from the sign-in to a running stack, at the speed that the sandbox has by default.
import { rmSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { startAlmanac } from '../../dist/almanac/start.js';
import { readConfig } from '../../dist/basics/config.js';
import { createLog } from '../../dist/basics/log.js';
import { master, print, settings, temporary } from './world.mjs';

async function measureVisit(world, url) {
  const context = await world.browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const started = performance.now();
  await page.goto(url);
  await page.getByLabel('User name').fill(master.username);
  await page.getByLabel('Password').fill(master.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Create it in the sandbox' }).first().click();
  await page.waitForURL(/\/console\/stack\/mo-/);
  const [, stackId] = /stack\/([^/?]+)/.exec(page.url());
  const isOpen = async () => {
    const { stack_status: status } = await (
      await context.request.get(`${url}/v3/alm/stack/${stackId}`)
    ).json();
    if (!/^CREATE_(IN_PROGRESS|COMPLETE)$/.test(status)) throw new Error(`the stack is ${status}`);
    return status === 'CREATE_IN_PROGRESS';
  };
  while (await isOpen()) await wait(100);
  const tookMs = performance.now() - started;
  await context.close();
  return tookMs;
}

export async function measureFirst(world) {
  const data = temporary();
  const { ALM_SANDBOX_SPEED: _, ...asByDefault } = settings(data);
  const almanac = await startAlmanac(readConfig(asByDefault), createLog({ level: 'silent' }));
  let tookMs;
  try {
    tookMs = await measureVisit(world, almanac.url);
  } finally {
    await almanac.stop();
    rmSync(data, { recursive: true, force: true });
  }
  print('from the sign-in page to a running stack, two clicks', `${(tookMs / 1000).toFixed(1)} s`, '30');
}
