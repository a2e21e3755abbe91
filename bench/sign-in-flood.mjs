// What a flood of sign-ins does to others: /readyz, and a user who signs in during it. See README.md.
// Usage after a build: node bench/sign-in-flood.mjs [requests]; DIST=<directory> measures another build
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';

const requests = Number(process.argv[2] ?? 600);
const program = resolve(process.env.DIST ?? 'dist', 'almanac', 'main.js');
const data = mkdtempSync(join(tmpdir(), 'almanac-bench-'));
const settings = {
  PATH: process.env.PATH,
  ALM_PORT: '0',
  ALM_DATA: data,
  ALM_LOG: 'silent',
  ALM_TOKEN_RATE_LIMIT: '0',
  ALM_TRUST_PROXY: '127.0.0.1',
  ALM_CLIENT_ID: 'lg-bench',
  ALM_CLIENT_SECRET: 'bench-client-secret',
  ALM_ROOT_PASSWORD: 'bench-root-password',
};

const server = spawn(process.execPath, [program, 'serve'], {
  env: settings,
  stdio: ['ignore', 'pipe', 'inherit'],
});
let output = '';
const url = await new Promise((found) => {
  server.stdout.on('data', (chunk) => {
    output += chunk;
    const [, address] = /serving at (http:\S+)/.exec(output) ?? [];
    if (address) found(address);
  });
});

const agent = new http.Agent({ keepAlive: true });
/** Resolves to the status and the milliseconds. */
const call = (method, path, { body, address = '192.0.2.1' } = {}) =>
  new Promise((done, fail) => {
    const start = performance.now();
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': address };
    const request = http.request(url + path, { method, agent, headers }, (response) => {
      response.resume();
      response.on('end', () => done({ status: response.statusCode, ms: performance.now() - start }));
    });
    request.on('error', fail);
    request.end(body && JSON.stringify(body));
  });

/**
 * Asks for /readyz in a thread of its own, each time with a new connection as load balancers do: the requests of the flood do not delay
 * it here. With each answer, notes how long the main thread of the server computed at that time.
 */
const prober = `
  const http = require('node:http');
  const { readFileSync } = require('node:fs');
  const { parentPort, workerData: { url, schedule } } = require('node:worker_threads');
  const cpuMs = () => Number(readFileSync(schedule, 'utf8').split(' ')[0]) / 1e6;
  const probes = [];
  let over = false;
  parentPort.once('message', () => (over = true));
  const ask = () => {
    if (over) return parentPort.postMessage(probes);
    const start = performance.now();
    const cpu = cpuMs();
    http.get(url, { agent: false }, (response) => {
      response.resume().on('end', () => {
        probes.push({ ms: performance.now() - start, cpu: cpuMs() - cpu });
        setTimeout(ask, 2);
      });
    });
  };
  ask();
`;

/** Returns a function that ends it, and resolves to its probes. */
async function startProber() {
  const schedule = `/proc/${server.pid}/task/${server.pid}/schedstat`;
  const worker = new Worker(prober, { eval: true, workerData: { url: `${url}/readyz`, schedule } });
  await new Promise((started) => worker.once('online', started));
  return () =>
    new Promise((done) => {
      worker.once('message', done);
      worker.postMessage('end');
    });
}

const guess = (username, passwd, address) => call('POST', '/token', { body: { username, passwd }, address });

/** Seconds of CPU that the server used, in user and system mode. */
const cpuSeconds = () => {
  const fields = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
};

const at = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
const spread = (times) => {
  const sorted = times.toSorted((a, b) => a - b);
  return `median ${at(sorted, 0.5).toFixed(0)}, 99 % ${at(sorted, 0.99).toFixed(0)}, max ${at(sorted, 1).toFixed(0)} ms`;
};

/** Sends the flood; while it lasts, asks for readiness and signs in, again and again. */
async function flood(title, addressOf) {
  const endProber = await startProber();
  const cpu = cpuSeconds();
  const start = performance.now();
  let over = false;
  const guesses = Promise.all(
    Array.from({ length: requests }, (_, each) => guess(`nobody${each}`, 'wrong', addressOf(each))),
  ).finally(() => (over = true));
  const repeat = async (ask) => {
    const answers = [];
    while (!over) answers.push(await ask());
    return answers;
  };
  const [answers, queued, users] = await Promise.all([
    guesses,
    repeat(() => call('GET', '/readyz')),
    repeat(() => guess('root', 'bench-root-password', '203.0.113.9')),
  ]);
  const ready = await endProber();
  const wall = (performance.now() - start) / 1000;
  const statuses = answers.map(({ status }) => status);
  const counts = [...new Set(statuses)].map(
    (status) => `${statuses.filter((each) => each === status).length} × ${status}`,
  );
  const signedIn = users.filter(({ status }) => status === 200);
  console.log(`${title}: ${counts.join(', ')}`);
  console.log(`  wall ${wall.toFixed(1)} s, CPU of the server ${(cpuSeconds() - cpu).toFixed(1)} s`);
  console.log(`  /readyz       ${spread(ready.map(({ ms }) => ms))} (${ready.length} requests)`);
  console.log(`  main thread   ${spread(ready.map((probe) => probe.cpu))} of CPU at that time`);
  console.log(
    `  in the flood  ${spread(queued.map(({ ms }) => ms))} (${queued.length} /readyz of the same client)`,
  );
  console.log(
    `  user signs in ${spread(users.map(({ ms }) => ms))} (${signedIn.length} of ${users.length} succeeded)`,
  );
}

try {
  const quiet = [];
  for (let each = 0; each < 50; each += 1) quiet.push((await call('GET', '/readyz')).ms);
  console.log(`${requests} parallel sign-ins on ${program}`);
  console.log(`  baseline: /readyz of an idle server ${spread(quiet)}`);
  await flood('all from one address', () => '198.51.100.1');
  await flood('each from its own address', (each) => `198.18.${each >> 8}.${each & 255}`);
} finally {
  agent.destroy();
  server.kill('SIGTERM');
  await new Promise((ended) => server.once('close', ended));
  rmSync(data, { recursive: true, force: true });
}
