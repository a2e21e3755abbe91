// What the console costs the server and the build.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { withServer } from './own-server.mjs';
import { median, print } from './world.mjs';

const usageOf = ({ pid }) => ({
  memory: Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024,
  files: readdirSync(`/proc/${pid}/fd`).length,
});

async function measureUnused() {
  const found = { on: [], off: [] };
  for (let round = 0; round < 3; round += 1)
    for (const served of Object.keys(found)) found[served].push(await withServer(usageOf, { served }));
  const difference = (pick) => median(found.on.map(pick)) - median(found.off.map(pick));
  print(
    'memory of the server for the console, unused',
    `${difference(({ memory }) => memory).toFixed(1)} MB`,
    '3',
  );
  print('  open files for it', String(difference(({ files }) => files)), '0');
}

const consoles = 10;

/** Each in a browser of its own: tabs of one browser share a stream. */
const measureOpen = (world) =>
  withServer(
    async (server, url) => {
      const before = usageOf(server);
      const contexts = [];
      for (let count = 0; count < consoles; count += 1) {
        const context = await world.openContext(url);
        const page = await context.newPage();
        await page.goto(`${url}/console/`);
        await page.locator('[data-live=live]').waitFor();
        await page.locator('ul[aria-label="Stacks"] > li').first().waitFor();
        contexts.push(context);
      }
      await wait(10_000);
      const during = usageOf(server);
      for (const context of contexts) await context.close();
      await wait(10_000);
      const after = usageOf(server);
      print(
        `memory of the server, ${consoles} consoles on ${world.stackCount} stacks`,
        `${during.memory.toFixed(0)} MB`,
        '–',
      );
      print('  at the start, before one is open', `${before.memory.toFixed(0)} MB`, '–');
      print('  after they are closed', `${after.memory.toFixed(0)} MB`, '–');
      print('  open files', String(during.files - before.files), '–');
      print('  open files after they are closed', String(after.files - before.files), '0');
    },
    { data: world.copyData() },
  );

export async function measureServer(world) {
  await measureUnused();
  await measureOpen(world);
}

function secondsOf(script) {
  const start = performance.now();
  const { status } = spawnSync('npm', ['run', '--silent', script], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`npm run ${script} failed`);
  return (performance.now() - start) / 1000;
}

/** Last: it writes the files that are served. */
export function measureBuild() {
  const [all, own] = [secondsOf('build'), secondsOf('build:console')];
  print('npm run build', `${all.toFixed(1)} s`, '–');
  print('  of that for the console', `${own.toFixed(1)} s`, '10');
}
