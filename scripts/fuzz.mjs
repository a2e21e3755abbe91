// Fuzzes every route of /openapi.json on each engine: with bodies that are slow, huge, deep or broken, and with the token of every
// persona, each on a server of its own. Fails on any 5xx, and on any status, content type or body that the document does not have.
// Arguments: names of personas, or `bodies` (all). Settings: FUZZ_SECONDS for each persona (20), FUZZ_SEED, FUZZ_ENGINE=SQLite
// for one engine, and TEST_POSTGRES_URL to run on PostgreSQL as well (scripts/with-postgres.sh sets it).
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sendHostileBodies } from './fuzz/bodies.mjs';
import { databaseFor, engines } from './fuzz/engines.mjs';
import { loginOf, personaNames } from './fuzz/personas.mjs';
import { countStatuses, startServer, stopServer } from './fuzz/server.mjs';

const { SCHEMATHESIS = 'schemathesis', FUZZ_SECONDS = '20', FUZZ_SEED = '' } = process.env;

/** Each with the reason why it cannot run. */
const excludedRoutes = [
  'v2FollowStackEvents', // never ends
  'v3FollowStackEvents', // never ends
  'v3ListLogRequests', // waits for requests up to 20 seconds, longer than the fuzzer allows
];

/** Each with the reason why it says nothing about this API. */
const excludedChecks = [
  'positive_data_acceptance', // a schema cannot say which stacks, users and credentials exist
  'ensure_resource_availability', // a new stack has no lifecycle hook and no drift yet
  'negative_data_rejection', // existing clients send numbers as text and members that are ignored
];

const runFuzzer = ({ url, login, directory }) =>
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
    const hooks = new URL('fuzz/hooks.py', import.meta.url).pathname;
    const fuzzer = spawn(SCHEMATHESIS, argv, {
      cwd: directory,
      env: {
        ...process.env,
        FUZZ_URL: url,
        FUZZ_LOGIN: JSON.stringify(login),
        SCHEMATHESIS_HOOKS: hooks,
      },
      stdio: 'inherit',
    });
    fuzzer.once('exit', resolve);
  });

/** Returns whether everything was as documented. */
async function runOn(engine, part) {
  const directory = await mkdtemp(join(tmpdir(), 'almanac-fuzz-'));
  const { server, url } = await startServer(directory, await databaseFor(engine));
  const login = await loginOf(part === 'bodies' ? 'master' : part, url);
  const isFine =
    part === 'bodies'
      ? await sendHostileBodies(url, login)
      : (await runFuzzer({ url, login, directory })) === 0;
  const isAlive = await stopServer(server);
  if (!isAlive) console.error('The server ended during the run.');
  const counts = await countStatuses(directory);
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  console.log(`${engine}, ${part}: ${total} requests; by status: ${JSON.stringify(counts)}`);
  await rm(directory, { recursive: true, force: true });
  return isFine && isAlive && !Object.keys(counts).some((status) => Number(status) >= 500);
}

const parts = ['bodies', ...personaNames];
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !parts.includes(name));
if (unknown.length > 0)
  throw new Error(`Unknown persona: ${unknown.join(', ')}. There are: ${parts.join(', ')}.`);
const failed = [];
for (const engine of engines())
  for (const part of wanted.length > 0 ? wanted : parts)
    if (!(await runOn(engine, part))) failed.push(`${part} on ${engine}`);
console.log(failed.length === 0 ? 'Everything was as documented.' : `Failed: ${failed.join(', ')}.`);
process.exitCode = failed.length === 0 ? 0 : 1;
