import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { settings, temporary } from './world.mjs';

/** Calls `measure` with a server in a process of its own. */
export async function withServer(measure, { served = 'on', data = temporary() } = {}) {
  const env = { PATH: process.env.PATH, ...settings(data), ALM_CONSOLE: served };
  const server = spawn(process.execPath, ['dist/almanac/main.js', 'serve'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let url = '';
  for await (const chunk of server.stdout) {
    url = /http:\/\/[\w.:]+/.exec(String(chunk))?.[0] ?? url;
    if (String(chunk).includes('serving at')) break;
  }
  await wait(5000);
  try {
    return await measure(server, url);
  } finally {
    server.kill('SIGKILL');
    rmSync(data, { recursive: true, force: true });
  }
}
