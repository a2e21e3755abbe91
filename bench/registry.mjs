// The cost of a registry token, by how the caller signs in, beside the description of a stack in the same run. See README.md.
// Usage after a build: node bench/registry.mjs [requests per round] [rounds]; DIST=<directory> measures another build
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const [requests = 300, rounds = 7] = process.argv.slice(2).map(Number);
const program = resolve(process.env.DIST ?? 'dist', 'almanac', 'main.js');
const data = mkdtempSync(join(tmpdir(), 'almanac-bench-'));
const root = { username: 'root', password: 'bench-root-password' };
const server = spawn(process.execPath, [program, 'serve'], {
  env: {
    PATH: process.env.PATH,
    ALM_PORT: '0',
    ALM_DATA: data,
    ALM_LOG: 'silent',
    ALM_RATE_LIMIT: '0',
    ALM_TOKEN_RATE_LIMIT: '0',
    ALM_MAX_LAG: '0',
    ALM_SANDBOX_SPEED: '0',
    ALM_ROOT_PASSWORD: root.password,
    ALM_REGISTRY_URL: 'https://registry.example.com',
  },
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

const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
const call = (method, path, { authorization, body } = {}) =>
  new Promise((done, fail) => {
    const headers = { 'content-type': 'application/json', ...(authorization ? { authorization } : {}) };
    const request = http.request(url + path, { method, agent, headers }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => {
        if (response.statusCode < 300) done(JSON.parse(text));
        else fail(new Error(`${method} ${path}: ${response.statusCode} ${text.slice(0, 300)}`));
      });
    });
    request.on('error', fail);
    request.end(body && JSON.stringify(body));
  });

/** Milliseconds of CPU that the server used, in user and system mode. */
const cpuMs = () => {
  const fields = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
};

const bearerOf = async ({ username, password }) => {
  const body = { grant_type: 'password', client_id: 'alm', username, password };
  return `Bearer ${(await call('POST', '/v3/access_token', { body })).access_token}`;
};
const basicOf = ({ username, password }) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

const asRoot = await bearerOf(root);
const ann = { username: 'ann', password: 'a password of ann 17' };
await call('POST', '/v3/user', { authorization: asRoot, body: ann });
const asAnn = await bearerOf(ann);
const template = JSON.parse(readFileSync(new URL('../examples/first-stack.json', import.meta.url), 'utf8'));
const { stack_id: stackId } = await call('POST', '/v3/alm/template', {
  authorization: asAnn,
  body: template,
});
const describe = `/v3/alm/stack/${stackId}`;
while ((await call('GET', describe, { authorization: asAnn })).stack_status !== 'CREATE_COMPLETE');

const token = '/v3/docker/token?service=almanac-registry&scope=repository:ann/shop:pull,push';
const login = await call('GET', `${token}&offline_token=true`, { authorization: basicOf(ann) });
const form = {
  grant_type: 'refresh_token',
  refresh_token: login.refresh_token,
  scope: ['repository:ann/shop:pull'],
};
const kinds = {
  'describe a stack': () => call('GET', describe, { authorization: asAnn }),
  'token, Bearer': () => call('GET', token, { authorization: asAnn }),
  'token, Basic after the first': () => call('GET', token, { authorization: basicOf(ann) }),
  'token, refresh token': () => call('POST', '/v3/docker/token', { body: form }),
  'token, nobody': () => call('GET', token),
};

const measure = async (work) => {
  const [cpu, start] = [cpuMs(), performance.now()];
  for (let each = 0; each < requests; each += 1) await work();
  return { wall: (performance.now() - start) / requests, cpu: (cpuMs() - cpu) / requests };
};

const best = new Map();
for (let round = 0; round <= rounds; round += 1)
  for (const [name, work] of Object.entries(kinds)) {
    const found = await measure(work);
    const before = best.get(name) ?? { wall: Infinity, cpu: Infinity };
    // The first round only warms up.
    if (round > 0)
      best.set(name, { wall: Math.min(before.wall, found.wall), cpu: Math.min(before.cpu, found.cpu) });
  }

const baseline = best.get('describe a stack');
console.log(`best of ${rounds} rounds of ${requests} requests, one after the other`);
for (const [name, { wall, cpu }] of best)
  console.log(
    `${name.padEnd(30)}${wall.toFixed(2).padStart(7)} ms (${(wall / baseline.wall).toFixed(2)}×)${cpu.toFixed(2).padStart(8)} ms CPU (${(cpu / baseline.cpu).toFixed(2)}×)`,
  );
server.kill('SIGTERM');
await new Promise((ended) => server.on('exit', ended));
rmSync(data, { recursive: true, force: true });
