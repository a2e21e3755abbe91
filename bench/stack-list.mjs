// The list of 1,001 stacks: the full view and the summary, in the same run. See README.md.
// Usage after a build: node bench/stack-list.mjs [stacks] [rounds]
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
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
  for (let number = 1; number < stackCount; number += 1) {
    const copy = `${id}-${number}`;
    const desired = `${version.id}-${number}`;
    await query
      .insertInto('stacks')
      .values({ ...stack, id: copy, desired_version: desired, next_at: null })
      .execute();
    await query
      .insertInto('versions')
      .values({ ...version, id: desired, stack_id: copy })
      .execute();
  }
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
  const paths = { full: '/v3/alm/stack', summary: '/v3/alm/stack?view=summary' };
  const times = { full: [], summary: [] };
  const texts = {};
  for (let round = 0; round < rounds; round += 1)
    for (const [view, path] of Object.entries(paths)) {
      const start = performance.now();
      texts[view] = await call('GET', path);
      times[view].push(performance.now() - start);
    }
  console.log(`${stackCount} stacks, median of ${rounds} rounds`);
  for (const view of Object.keys(paths)) {
    const bytes = Buffer.byteLength(texts[view]);
    const zipped = gzipSync(texts[view]).length;
    console.log(
      `  ${view.padEnd(10)}${median(times[view]).toFixed(1).padStart(8)} ms${(bytes / 1024).toFixed(0).padStart(7)} KB${(zipped / 1024).toFixed(0).padStart(7)} KB compressed   × ${(median(times[view]) / median(times.full)).toFixed(2)} of the full list`,
    );
  }
} finally {
  await almanac.stop();
  rmSync(directory, { recursive: true, force: true });
}
