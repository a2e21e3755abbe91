import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventually } from '../http.ts';
import { makeTestPlace, type TestPlace } from '../open-database.ts';
import { AlmanacProcess, environmentFor, knownLogin } from './almanac-process.ts';

let place: TestPlace;
beforeEach(async () => {
  place = await makeTestPlace();
});
afterEach(() => place.remove());

const droppedLines = async (url: string): Promise<number> => {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^almanac_log_lines_dropped_total (\d+)/m.exec(text)?.[1]);
};

const call = async (url: string, requestId = 'load'): Promise<void> => {
  const response = await fetch(`${url}/v3/alm/stack`, { headers: { 'x-request-id': requestId } });
  await response.arrayBuffer();
};

/** More log lines than the pipe and the buffer of the server hold. */
async function logMuch(url: string): Promise<void> {
  for (let round = 0; round < 150; round += 1)
    await Promise.all(Array.from({ length: 20 }, () => call(url, `load-${'x'.repeat(50)}`)));
}

it('a reader of standard output that stops reading does not stop the server; it continues when it reads again', async () => {
  const server = await AlmanacProcess.serve(place, { ...knownLogin, ALM_LOG: 'info' });
  server.process.stdout?.pause();
  await logMuch(server.url);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  expect(await droppedLines(server.url)).toBeGreaterThan(0);
  server.process.stdout?.resume();
  const before = server.stdout.length;
  await eventually(
    async () => {
      await call(server.url, 'after-the-pause');
      return server.stdout.slice(before);
    },
    (text) => text.includes('after-the-pause'),
  );
  expect((await server.kill('SIGTERM')).code).toBe(0);
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as { port: number };
  await new Promise((closed) => server.close(closed));
  return port;
}

it('a full disk behind standard output does not stop the server', async () => {
  const port = await freePort();
  const env = environmentFor(place, { ...knownLogin, ALM_LOG: 'info', ALM_PORT: String(port) });
  const program = resolve(process.env.TEST_DIST ?? 'dist', 'almanac', 'main.js');
  const full = openSync('/dev/full', 'w');
  const child = place.start(() =>
    spawn(process.execPath, [program, 'serve'], { env, stdio: ['ignore', full, 'ignore'] }),
  );
  const url = `http://127.0.0.1:${port}`;
  const status = () =>
    fetch(`${url}/healthz`).then(
      (response) => response.status,
      () => 0,
    );
  await eventually(status, (found) => found === 200 || child.exitCode !== null);
  await logMuch(url);
  expect(await status()).toBe(200);
  expect(await droppedLines(url)).toBeGreaterThan(0);
});
