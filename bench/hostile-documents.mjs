// Latency of /readyz while eight documents of 1 MiB are processed, compared with an idle server. See README.md.
// Usage after a build: node bench/hostile-documents.mjs [part of a name]; DIST=/path/to/dist measures another build.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const program = join(resolve(process.env.DIST ?? 'dist'), 'almanac', 'main.js');
const mebibyte = 1024 * 1024;
const atOnce = 8;
const idleMs = 3000;

const login = {
  client_id: 'bench',
  client_secret: 'bench-secret',
  username: 'root',
  password: 'bench-password',
};

const raise = (message) => {
  throw new Error(message);
};

const launch = (directory) =>
  spawn(process.execPath, [program, 'serve'], {
    env: {
      PATH: process.env.PATH,
      ALM_DATA: directory,
      ALM_PORT: '0',
      ALM_SANDBOX_SPEED: '0',
      ALM_RATE_LIMIT: '0',
      ALM_TOKEN_RATE_LIMIT: '0',
      // A refusal would count as a fast answer.
      ALM_MAX_LAG: '0',
      ALM_LOG: 'silent',
      ALM_CLIENT_ID: login.client_id,
      ALM_CLIENT_SECRET: login.client_secret,
      ALM_ROOT_PASSWORD: login.password,
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });

const urlOf = (server) =>
  new Promise((found) => {
    let output = '';
    server.stdout.on('data', (chunk) => {
      output += chunk;
      const match = /serving at (http:\S+)/.exec(output);
      if (match) found(match[1]);
    });
  });

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

const cpuIn = (path) => {
  const fields = readFileSync(path, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
};

/** CPU milliseconds of all threads and of the main thread of the server, and the most memory it ever had. */
const usage = ({ pid }) => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return {
    cpu: cpuIn(`/proc/${pid}/stat`),
    main: cpuIn(`/proc/${pid}/task/${pid}/stat`),
    peak: Number(/VmHWM:\s+(\d+)/.exec(status)[1]) / 1024,
  };
};

const sortedNumbers = (numbers) => numbers.toSorted((a, b) => a - b);
const quantile = (sorted, share) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;

/** Calls `work` with a new server, which is removed afterwards. */
async function withServer(work) {
  const directory = mkdtempSync(join(tmpdir(), 'almanac-bench-'));
  const process = launch(directory);
  const ended = new Promise((done) => process.once('exit', done));
  try {
    const server = { url: await urlOf(process), pid: process.pid, token: '' };
    const signIn = JSON.stringify({ ...login, grant_type: 'password' });
    const { text } = await send(server, { path: '/v3/access_token', type: 'application/json', body: signIn });
    server.token = JSON.parse(text).access_token ?? raise(`No token: ${text}`);
    for (let each = 0; each < 50; each += 1) await (await fetch(`${server.url}/readyz`)).text();
    return await work(server);
  } finally {
    process.kill('SIGTERM');
    await ended;
    rmSync(directory, { recursive: true, force: true });
  }
}

const send = async ({ url, token }, { path, type, body }) => {
  const start = performance.now();
  const headers = { 'content-type': type, ...(token ? { authorization: `Bearer ${token}` } : {}) };
  const response = await fetch(url + path, { method: 'POST', headers, body });
  return { status: response.status, text: await response.text(), ms: performance.now() - start };
};

/** CPU milliseconds of the main thread of the server, more exactly than in `usage`. */
const mainCpu = ({ pid }) =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;

/** Asks for /readyz all the time until the work is done, and notes how long the main thread computed before each answer. */
async function probeDuring(server, work) {
  const [times, waits] = [[], []];
  let running = true;
  const probe = async () => {
    while (running) {
      const [start, cpu] = [performance.now(), mainCpu(server)];
      await (await fetch(`${server.url}/readyz`)).text();
      times.push(performance.now() - start);
      waits.push(mainCpu(server) - cpu);
      await sleep(5);
    }
  };
  const before = usage(server);
  const start = performance.now();
  const [answers] = await Promise.all([work(() => times.length).finally(() => (running = false)), probe()]);
  const wall = performance.now() - start;
  const after = usage(server);
  return {
    times: sortedNumbers(times),
    waits: sortedNumbers(waits),
    answers,
    wall,
    cpu: after.cpu - before.cpu,
    main: after.main - before.main,
    peak: after.peak,
  };
}

const filled = (before, unit, after) =>
  before + unit.repeat(Math.floor((mebibyte - before.length - after.length) / unit.length)) + after;
const example = JSON.parse(readFileSync(new URL('../examples/first-stack.json', import.meta.url), 'utf8'));
const withVariables = (count, length) => {
  const variables = Array.from({ length: count }, (_, index) => [`V${index}`, 'x'.repeat(length)]);
  const container = { container_image: 'library/nginx', container_env_vars: Object.fromEntries(variables) };
  return JSON.stringify({ ...example, configurations: [{ ...example.configurations[0], container }] });
};

const template = (format, body) => ({ path: '/v3/alm/template', type: `application/${format}`, body });
const configuration = (configurations) => ({
  path: '/v2/alm/stack',
  type: 'application/json',
  body: JSON.stringify({ cred: 'SANDBOX', region: 'ap-northeast-1', configurations }),
});
const manyMembers = Object.fromEntries(Array.from({ length: 75_000 }, (_, index) => [`k${index}`, 1]));
const documents = {
  'YAML [a,a,…]': template('yaml', filled('[', 'a,', 'a]')),
  'YAML, a list of lines': template('yaml', filled('', '- a\n', '')),
  'YAML, a map of many names': template(
    'yaml',
    Array.from({ length: 75_000 }, (_, index) => `key${index}: 1`).join('\n'),
  ),
  'YAML, deep lists': template('yaml', filled('', '[', '')),
  'YAML, deep maps': template('yaml', filled('', '{a: ', '')),
  'JSON [{},{},…]': template('json', filled('[', '{},', '0]')),
  'JSON, 9,000 variables': template('json', withVariables(9_000, 90)),
  'JSON, 1,000 long variables': template('json', withVariables(1000, 1000)),
  'v2, a list as text': configuration(filled('[', '0,', '0]').slice(0, mebibyte - 1000)),
  'v2, many names': configuration(manyMembers),
};

const line = (name, { times, waits, answers, wall, cpu, main, peak }, baseline) => {
  const p99 = quantile(times, 0.99);
  const statuses = [...new Set(answers.map(({ status }) => status))].join(',');
  const figures = [
    `p50 ${quantile(times, 0.5).toFixed(1)}`,
    `p99 ${p99.toFixed(1)} ms`,
    `max ${quantile(times, 1).toFixed(0)}`,
    `× ${(p99 / baseline).toFixed(1)}`,
    `behind ${quantile(waits, 0.99).toFixed(0)} ms`,
    `${times.length} probes`,
    `wall ${(wall / 1000).toFixed(1)} s`,
    `CPU ${(cpu / 1000).toFixed(1)} s`,
    `main ${(main / answers.length || main).toFixed(0)} ms each`,
    `peak ${peak.toFixed(0)} MiB`,
    statuses,
  ];
  console.log(`${name.padEnd(28)}${figures.map((figure) => figure.padStart(14)).join('')}`);
};

async function measureOrdinary(server) {
  const idle = await probeDuring(server, async () => {
    await sleep(idleMs);
    return [];
  });
  const preview = {
    path: '/v3/alm/template/preview',
    type: 'application/json',
    body: JSON.stringify(example),
  };
  const times = [];
  for (let each = 0; each < 120; each += 1) times.push((await send(server, preview)).ms);
  const sorted = sortedNumbers(times.slice(20));
  return { idle, preview: { p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) } };
}

const ordinary = await withServer(measureOrdinary);
const baseline = quantile(ordinary.idle.times, 0.99);
line('idle (the baseline)', ordinary.idle, baseline);
const { p50, p99 } = ordinary.preview;
console.log(`preview of a small template: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`);
console.log(`/readyz while ${atOnce} documents of up to 1 MiB are processed:`);
/** Fewer have no 99th percentile: documents that are done sooner are sent again. */
const minProbes = 200;
const sendUntil = async (server, request, count) => {
  const answers = [];
  while (count() < minProbes)
    answers.push(...(await Promise.all(Array.from({ length: atOnce }, () => send(server, request)))));
  return answers;
};

const all = [];
const [, , only = ''] = process.argv;
for (const [name, request] of Object.entries(documents).filter(([each]) => each.includes(only)))
  try {
    // A server of its own, so that one document does not affect the memory of the next.
    const measured = await withServer((server) =>
      probeDuring(server, (count) => sendUntil(server, request, count)),
    );
    all.push(...measured.times);
    line(name, measured, baseline);
  } catch (error) {
    console.log(
      `${name.padEnd(28)}the server ended or did not answer: ${error.cause?.code ?? error.message}`,
    );
  }
const together = sortedNumbers(all);
console.log(
  `all of them: p99 ${quantile(together, 0.99).toFixed(1)} ms, max ${quantile(together, 1).toFixed(0)} ms`,
);
