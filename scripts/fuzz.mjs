// Fuzzes a server that runs only during this script: every route of /openapi.json, signed in as the master user. Fails on any
// 5xx, and on any status, content type or body that the document does not have. Settings: FUZZ_SECONDS (60), FUZZ_SEED, and
// TEST_POSTGRES_URL to run on PostgreSQL (scripts/with-postgres.sh sets it).
import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const {
  SCHEMATHESIS = 'schemathesis',
  FUZZ_SECONDS = '60',
  FUZZ_SEED = '',
  TEST_POSTGRES_URL = '',
} = process.env;

const login = {
  ALM_CLIENT_ID: 'lg-fuzz-client',
  ALM_CLIENT_SECRET: 'fuzz-client-secret',
  ALM_ROOT_USERNAME: 'root',
  ALM_ROOT_PASSWORD: 'fuzz-root-password-4711',
};

/** Each with the reason why it cannot run. */
const excludedRoutes = [
  'v2FollowStackEvents', // never ends
  'v3FollowStackEvents', // never ends
];

/** Each with the reason why it says nothing about this API. */
const excludedChecks = [
  'positive_data_acceptance', // a schema cannot say which stacks, users and credentials exist
  'ensure_resource_availability', // a new stack has no lifecycle hook and no drift yet
  'negative_data_rejection', // existing clients send numbers as text and members that are ignored
];

const startServer = async (directory) => {
  const log = createWriteStream(join(directory, 'log'));
  const server = spawn('node', ['dist/almanac/main.js', 'serve'], {
    env: {
      ...process.env,
      ...login,
      ALM_PORT: '0',
      ALM_DATA: directory,
      ALM_SANDBOX_SPEED: '0',
      ALM_RATE_LIMIT: '0',
      ALM_TOKEN_RATE_LIMIT: '0',
      ALM_LOG: 'info',
      ...(TEST_POSTGRES_URL ? { DATABASE_URL: TEST_POSTGRES_URL } : {}),
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
};

const runFuzzer = (url, directory) =>
  new Promise((resolve) => {
    const argv = [
      'run',
      `${url}/openapi.json`,
      '--checks=all',
      `--exclude-checks=${excludedChecks.join(',')}`,
      ...excludedRoutes.flatMap((name) => ['--exclude-operation-id', name]),
      `--max-time=${FUZZ_SECONDS}`,
      '--continue-on-failure',
      '--request-timeout=30',
      '--suppress-health-check=all',
      '--warnings=off',
      '--workers=2',
      ...(FUZZ_SEED ? [`--seed=${FUZZ_SEED}`] : []),
    ];
    const hooks = new URL('fuzz-hooks.py', import.meta.url).pathname;
    const fuzzer = spawn(SCHEMATHESIS, argv, {
      cwd: directory,
      env: { ...process.env, ...login, FUZZ_URL: url, SCHEMATHESIS_HOOKS: hooks },
      stdio: 'inherit',
    });
    fuzzer.once('exit', resolve);
  });

/** The server's own count, which also includes what the fuzzer does not report. */
const countStatuses = async (directory) => {
  const lines = (await readFile(join(directory, 'log'), 'utf8'))
    .split('\n')
    .filter((line) => line[0] === '{');
  const requests = lines.map((line) => JSON.parse(line)).filter(({ status }) => status !== undefined);
  const counts = {};
  for (const { status } of requests) counts[status] = (counts[status] ?? 0) + 1;
  for (const failed of requests.filter(({ status }) => status >= 500)) console.log(JSON.stringify(failed));
  return counts;
};

const directory = await mkdtemp(join(tmpdir(), 'almanac-fuzz-'));
const { server, url } = await startServer(directory);
const fuzzerCode = await runFuzzer(url, directory);
const isAlive = server.exitCode === null;
server.removeAllListeners('exit');
const ended = new Promise((resolve) => server.once('exit', resolve));
server.kill('SIGTERM');
if (isAlive) await ended;
const counts = await countStatuses(directory);
const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
const serverErrors = Object.entries(counts).filter(([status]) => Number(status) >= 500);
console.log(
  `${TEST_POSTGRES_URL ? 'PostgreSQL' : 'SQLite'}: ${total} requests; by status: ${JSON.stringify(counts)}`,
);
await rm(directory, { recursive: true, force: true });
if (!isAlive) console.error('The server ended during the run.');
process.exitCode = fuzzerCode === 0 && serverErrors.length === 0 && isAlive ? 0 : 1;
