// The list of 1,001 stacks: the full view, the summary, and the summary compressed, in the same run. See README.md.
// Usage after a build: node bench/stack-list.mjs [stacks] [rounds]
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAlmanac } from '../dist/almanac/start.js';
import { readConfig } from '../dist/basics/config.js';
import { createLog } from '../dist/basics/log.js';

const [stackCount = 1001, rounds = 15] = process.argv.slice(2).map(Number);
const directory = mkdtempSync(join(tmpdir(), 'almanac-bench-'));
const client = { client_id: 'bench', client_secret: 'bench-secret' };
const almanac = await startAlmanac(
  readConfig({
    ALM_DATA: directory,
    ALM_PORT: '0',
    ALM_SANDBOX_SPEED: '0',
    ALM_RATE_LIMIT: '0',
    ALM_LOG: 'silent',
    ALM_CLIENT_ID: client.client_id,
    ALM_CLIENT_SECRET: client.client_secret,
    ALM_ROOT_PASSWORD: 'bench-password',
  }),
  createLog({ level: 'silent' }),
);

let token = '';
const call = async (method, path, json) => {
  const response = await fetch(almanac.url + path, {
    method,
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
  return text;
};
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** The stack itself is copied in the database: creating a thousand would take longer than the measurement. */
const fill = async () => {
  const template = readFileSync(new URL('../examples/first-stack.json', import.meta.url), 'utf8');
  const { stack_id: id } = JSON.parse(await call('POST', '/v3/alm/template', JSON.parse(template)));
  while (JSON.parse(await call('GET', `/v3/alm/stack/${id}`)).stack_status === 'CREATE_IN_PROGRESS');
  const { query } = almanac.service.database;
  const stack = await query.selectFrom('stacks').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const version = await query
    .selectFrom('versions')
    .selectAll()
    .where('stack_id', '=', id)
    .executeTakeFirstOrThrow();
  // Sealed for the one stack: a copy under another id could not be opened, so the full list shows none.
  await query.transaction().execute(async (transaction) => {
    for (let number = 1; number < stackCount; number += 1)
      await insertCopy(transaction, { stack, version, number });
  });
};

const random = (length) => randomBytes(length).toString('base64url').slice(0, length);

/** Ids, names and times differ as those of real stacks do: equal ones would compress too well. */
const insertCopy = async (query, { stack, version, number }) => {
  const [id, desired] = [`${stack.id.slice(0, -12)}${random(9)}-tk`, random(32)];
  const moved = {
    created_at: stack.created_at - number * 86_400_123,
    updated_at: stack.updated_at - number * 4_321,
  };
  await query
    .insertInto('stacks')
    .values({
      ...stack,
      ...moved,
      id,
      nickname: `team ${number % 17} service ${random(4)}`,
      desired_version: desired,
      next_at: null,
    })
    .execute();
  await query
    .insertInto('versions')
    .values({ ...version, id: desired, stack_id: id })
    .execute();
};

/** Reads without decompressing, as a network sees it. CPU is that of server and client, in all threads. */
const measure = async ({ path, encoding }) => {
  const cpu = process.cpuUsage();
  const start = performance.now();
  const headers = { authorization: `Bearer ${token}`, ...(encoding && { 'accept-encoding': encoding }) };
  const outgoing = request(almanac.url + path, { headers }).end();
  const [reply] = await once(outgoing, 'response');
  let bytes = 0;
  for await (const chunk of reply) bytes += chunk.length;
  if (reply.statusCode !== 200 || (reply.headers['content-encoding'] ?? '') !== (encoding ?? ''))
    throw new Error(`${path}: ${reply.statusCode}, encoding ${reply.headers['content-encoding']}`);
  const { user, system } = process.cpuUsage(cpu);
  return { ms: performance.now() - start, cpu: (user + system) / 1000, kb: bytes / 1024 };
};

try {
  const login = { ...client, grant_type: 'password', username: 'root', password: 'bench-password' };
  token = JSON.parse(await call('POST', '/v3/access_token', login)).access_token;
  await fill();
  // A personal access token sees no tokens of stacks, so nothing is unsealed.
  const Statement = [{ Effect: 'Allow', Action: ['*:*'], Resource: ['*'] }];
  const scope = JSON.stringify({ Version: '2017-05-05', Statement });
  const wanted = { name: 'bench', scope, current_password: 'bench-password' };
  token = JSON.parse(await call('POST', '/v3/personal_token', wanted)).token;
  const summary = '/v3/alm/stack?view=summary';
  const kinds = {
    full: { path: '/v3/alm/stack' },
    summary: { path: summary },
    'summary gzip': { path: summary, encoding: 'gzip' },
    'summary br': { path: summary, encoding: 'br' },
  };
  const samples = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const [kind, asked] of Object.entries(kinds)) samples[kind].push(await measure(asked));
  console.log(`${stackCount} stacks, median of ${rounds} rounds`);
  for (const [kind, found] of Object.entries(samples)) {
    const of = (name) => median(found.map((sample) => sample[name]));
    const columns = [
      [of('ms'), 'ms'],
      [of('cpu'), 'ms CPU'],
      [of('kb'), 'KB'],
    ];
    console.log(
      `  ${kind.padEnd(14)}${columns.map(([value, unit]) => `${value.toFixed(1).padStart(9)} ${unit}`).join('')}`,
    );
  }
} finally {
  await almanac.stop();
  rmSync(directory, { recursive: true, force: true });
}
