// Many idle event streams: the processor time, memory and delay they cost a server. See README.md.
// Usage after a build: [BASE_DIST=<dist of another build>] node bench/event-streams.mjs [streams] [seconds]
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const [streamCount = 5000, seconds = 30] = process.argv.slice(2).map(Number);
const [userCount, stackCount] = [20, 100];
const client = { client_id: 'bench', client_secret: 'bench-secret' };
const ticksPerSecond = 100;

/** Processor seconds of a process, user and system. */
const cpuOf = (pid) => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
};
const memoryOf = (pid) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
const percentile = (numbers, part) =>
  numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) * part)];

class Server {
  static async start(dist) {
    const server = new Server();
    server.directory = mkdtempSync(join(tmpdir(), 'almanac-bench-'));
    server.process = spawn(process.execPath, [join(dist, 'almanac', 'main.js'), 'serve'], {
      env: {
        PATH: process.env.PATH,
        ALM_DATA: server.directory,
        ALM_PORT: '0',
        ALM_SANDBOX_SPEED: '0',
        ALM_RATE_LIMIT: '0',
        ALM_TOKEN_RATE_LIMIT: '0',
        ALM_STREAMS_PER_USER: '0',
        ALM_MAX_STREAMS: '0',
        ALM_LOG: 'error',
        ALM_CLIENT_ID: client.client_id,
        ALM_CLIENT_SECRET: client.client_secret,
        ALM_ROOT_PASSWORD: 'bench-password',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    for await (const chunk of server.process.stdout) {
      output += chunk;
      server.url = /serving at (http:\S+)/.exec(output)?.[1];
      if (server.url) break;
    }
    return server;
  }

  async call(method, path, json) {
    const { token } = this;
    const response = await fetch(this.url + path, {
      method,
      headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
    return text === '' ? null : JSON.parse(text);
  }

  async signIn(username, password) {
    const login = { ...client, grant_type: 'password', username, password };
    return (await this.call('POST', '/v3/access_token', login)).access_token;
  }

  /** Users with a role, and stacks that they may see. */
  async fill() {
    this.token = await this.signIn('root', 'bench-password');
    const Statement = [{ Effect: 'Allow', Action: ['*:*'], Resource: ['*'] }];
    const scope = JSON.stringify({ Version: '2017-05-05', Statement });
    const { role_id } = await this.call('POST', '/v3/role', { name: 'bench', scope });
    const tokens = [];
    for (let number = 0; number < userCount; number += 1) {
      const [username, password] = [`user-${number}`, `correct horse battery ${number}`];
      await this.call('POST', '/v3/user', { username, password });
      await this.call('POST', '/v3/user/role', { username, role_id });
      tokens.push(await this.signIn(username, password));
    }
    const template = JSON.parse(
      readFileSync(new URL('../examples/first-stack.json', import.meta.url), 'utf8'),
    );
    const stacks = [];
    for (let number = 0; number < stackCount; number += 1)
      stacks.push((await this.call('POST', '/v3/alm/template', template)).stack_id);
    // The cloud has limits: not all become complete, but all come to rest.
    for (const id of stacks)
      while ((await this.call('GET', `/v3/alm/stack/${id}`)).stack_status === 'CREATE_IN_PROGRESS')
        await wait(50);
    return { tokens, stacks };
  }

  async stop() {
    this.process.kill('SIGKILL');
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** A bare socket: the client must not be the bottleneck. */
const openStream = ({ url, stackId, token, onData }) =>
  new Promise((opened, failed) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname, () => {
      socket.write(
        `GET /v3/alm/stack/${stackId}/events/stream HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
      );
    });
    socket.once('data', (chunk) => {
      if (String(chunk).startsWith('HTTP/1.1 200')) opened(socket);
      else failed(new Error(String(chunk)));
    });
    socket.on('data', onData);
    socket.on('error', failed);
  });

const openedAtOnce = 20;

async function openAll(server, { tokens, stacks }, onData) {
  const open = (number) => {
    const stackId = stacks[number % stackCount];
    const token = tokens[Math.floor(number / stackCount) % userCount];
    return openStream({ url: server.url, stackId, token, onData: (chunk) => onData(stackId, chunk) });
  };
  const sockets = [];
  while (sockets.length < streamCount)
    sockets.push(
      ...(await Promise.all(
        Array.from({ length: openedAtOnce }, (_, index) => open(sockets.length + index)),
      )),
    );
  return sockets;
}

/** CPU and memory of idle streams, and the delay of other requests at the same time. */
async function measureIdle(server) {
  const { pid } = server.process;
  const [cpu, start] = [cpuOf(pid), performance.now()];
  const delays = [];
  while (performance.now() - start < seconds * 1000) {
    const asked = performance.now();
    await fetch(`${server.url}/healthz`).then((response) => response.text());
    delays.push(performance.now() - asked);
    await wait(100);
  }
  const passed = (performance.now() - start) / 1000;
  return { cpu: ((cpuOf(pid) - cpu) / passed) * 100, p99: percentile(delays, 0.99), passed };
}

async function measureEvent(server, { stacks }, seen) {
  const { pid } = server.process;
  const [stackId] = stacks;
  const perStack = streamCount / stackCount;
  const [cpu, start, events] = [cpuOf(pid), performance.now(), 10];
  for (let number = 0; number < events; number += 1) {
    seen.set(stackId, 0);
    const report = { stack_id: stackId, agent_id: 'bench', status: `status ${number}` };
    await server.call('POST', '/v3/alm/agent/agent_status', report);
    while (seen.get(stackId) < perStack) await wait(1);
  }
  return { ms: (performance.now() - start) / events, cpuMs: ((cpuOf(pid) - cpu) * 1000) / events };
}

async function measure(dist) {
  const server = await Server.start(dist);
  try {
    const filled = await server.fill();
    await wait(5000);
    const { pid } = server.process;
    const before = memoryOf(pid);
    const without = await measureIdle(server);
    const seen = new Map();
    const sockets = await openAll(server, filled, (stackId, chunk) => {
      if (String(chunk).includes('Agent bench reports')) seen.set(stackId, (seen.get(stackId) ?? 0) + 1);
    });
    await wait(10_000);
    const idle = await measureIdle(server);
    const memory = memoryOf(pid) - before;
    const event = await measureEvent(server, filled, seen);
    for (const socket of sockets) socket.destroy();
    return { ...idle, without, memory, before, event };
  } finally {
    await server.stop();
  }
}

const builds = { 'this build': resolve('dist') };
if (process.env.BASE_DIST) builds['the base'] = resolve(process.env.BASE_DIST);
console.log(`${streamCount} streams of ${userCount} users on ${stackCount} stacks`);
for (const [name, dist] of Object.entries(builds)) {
  const { cpu, without, p99, passed, memory, before, event } = await measure(dist);
  console.log(`\n${name}`);
  console.log(
    `  idle, CPU             ${cpu.toFixed(1).padStart(8)} % of a core, over ${passed.toFixed(0)} s`,
  );
  console.log(
    `  without streams       ${without.cpu.toFixed(1).padStart(8)} % of a core; the streams cost ${(cpu - without.cpu).toFixed(1)} %`,
  );
  console.log(
    `  memory                ${memory.toFixed(0).padStart(8)} MB more than ${before.toFixed(0)} MB before`,
  );
  console.log(`  /healthz              ${p99.toFixed(1).padStart(8)} ms p99`);
  console.log(
    `  one event to ${String(streamCount / stackCount).padEnd(9)}${event.ms.toFixed(1).padStart(8)} ms, ${event.cpuMs.toFixed(1)} ms CPU`,
  );
}
