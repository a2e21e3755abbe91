import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { logins } from './personas.mjs';

const settings = {
  ...logins,
  ALM_PORT: '0',
  ALM_SANDBOX_SPEED: '0',
  ALM_RATE_LIMIT: '0',
  ALM_TOKEN_RATE_LIMIT: '0',
  ALM_LOG: 'info',
};

/** A server whose data and log are in the directory. */
export async function startServer(directory, databaseUrl) {
  const log = createWriteStream(join(directory, 'log'));
  const server = spawn('node', ['dist/almanac/main.js', 'serve'], {
    env: {
      ...process.env,
      ...settings,
      ALM_DATA: directory,
      ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise((resolve, reject) => {
    let text = '';
    server.once('exit', (code) => reject(new Error(`The server ended with ${code}:\n${text}`)));
    server.stdout.on('data', (chunk) => {
      log.write(chunk);
      text = (text + chunk).slice(-10_000);
      const found = /http:\/\/[\w.[\]:]+:\d+/.exec(text)?.[0];
      if (found) resolve(found);
    });
  });
  return { server, url };
}

/** Returns whether it was still running. */
export async function stopServer(server) {
  const isAlive = server.exitCode === null;
  server.removeAllListeners('exit');
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  if (isAlive) await ended;
  return isAlive;
}

/** The server's own count by status, which also includes what the fuzzer does not report. Prints those that failed. */
export async function countStatuses(directory) {
  const lines = (await readFile(join(directory, 'log'), 'utf8'))
    .split('\n')
    .filter((line) => line[0] === '{');
  const requests = lines.map((line) => JSON.parse(line)).filter(({ status }) => status !== undefined);
  const counts = {};
  for (const { status } of requests) counts[status] = (counts[status] ?? 0) + 1;
  for (const failed of requests.filter(({ status }) => status >= 500)) console.log(JSON.stringify(failed));
  return counts;
}
