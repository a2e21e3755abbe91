// Duration of commands, compared with an empty Node program. See README.md.
// Usage after a build: node bench/cli.mjs [rounds]. ALM sets another program than dist/cli/alm.cjs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startAlmanac } from '../dist/almanac/start.js';
import { readConfig } from '../dist/basics/config.js';
import { createClient } from '../dist/contract/client.js';
import { issueToken } from '../dist/contract/v3/sign-in/access.js';

const alm = resolve(process.env.ALM ?? 'dist/cli/alm.cjs');
const rounds = Number(process.argv[2] ?? 25);
const warmUp = 2;

async function signIn({ url, firstCredentials: first }) {
  const { access_token } = await createClient({ url }).call(issueToken, {
    body: {
      grant_type: 'password',
      client_id: first.clientId,
      client_secret: first.clientSecret.reveal(),
      username: first.username,
      password: first.password.reveal(),
    },
  });
  return access_token;
}

/** The request of `stack list` alone, to subtract it from the command. */
const bareRequest = `require('node:http').get(process.env.ALM_URL + '/v3/alm/stack',
  { agent: false, headers: { authorization: 'Bearer ' + process.env.ALM_TOKEN } }, (response) => response.resume())`;

async function timeOf(args, env) {
  const start = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.resume();
  let errors = '';
  child.stderr.on('data', (chunk) => (errors += chunk));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${args.join(' ')} exited with ${code}: ${errors}`);
  return performance.now() - start;
}

const median = (values) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];

/** Interleaved, so that load on the machine affects all commands alike. */
async function medians(commands, env) {
  const times = new Map(Object.keys(commands).map((name) => [name, []]));
  for (let round = -warmUp; round < rounds; round += 1)
    for (const [name, args] of Object.entries(commands)) {
      const time = await timeOf(args, env);
      if (round >= 0) times.get(name).push(time);
    }
  return Object.fromEntries([...times].map(([name, found]) => [name, median(found)]));
}

const print = (name, { ms, baseline, target }) => {
  const ratio = `× ${(ms / baseline).toFixed(2)}`;
  console.log(
    `  ${name.padEnd(34)} ${ms.toFixed(1).padStart(7)} ms   ${ratio}${target ? `   target ${target}` : ''}`,
  );
};

const directory = await mkdtemp(join(tmpdir(), 'almanac-bench-'));
const almanac = await startAlmanac(
  readConfig({ ALM_DATA: directory, ALM_PORT: '0', ALM_LOG: 'silent', ALM_RATE_LIMIT: '0' }),
);
try {
  const env = {
    PATH: process.env.PATH,
    HOME: directory,
    ALM_URL: almanac.url,
    ALM_TOKEN: await signIn(almanac),
    ALM_CREDENTIAL_STORE: 'none',
  };
  const found = await medians(
    {
      node: ['-e', '0'],
      version: [alm, 'version'],
      help: [alm, 'help'],
      list: [alm, 'stack', 'list'],
      request: ['-e', bareRequest],
    },
    env,
  );
  console.log(`${alm}, Node ${process.version}, medians of ${rounds} rounds`);
  print('node -e 0', { ms: found.node, baseline: found.node });
  print('alm version', { ms: found.version, baseline: found.node, target: '1.5' });
  print('alm help', { ms: found.help, baseline: found.node, target: '1.5' });
  print('alm stack list', { ms: found.list, baseline: found.node });
  print('the same request from node -e', { ms: found.request, baseline: found.node });
  const network = found.request - found.node;
  print('alm stack list without the request', {
    ms: found.list - network,
    baseline: found.node,
    target: '2.0',
  });
} finally {
  await almanac.stop();
  await rm(directory, { recursive: true, force: true });
}
