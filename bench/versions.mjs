// A stack with many versions, and a template near the size limit, compared with a small stack. See README.md.
// Usage after a build: node bench/versions.mjs
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAlmanac } from '../dist/almanac/start.js';
import { readConfig } from '../dist/basics/config.js';
import { createLog } from '../dist/basics/log.js';

const directory = mkdtempSync(join(tmpdir(), 'almanac-bench-'));
const client = { client_id: 'bench', client_secret: 'bench-secret' };
const config = readConfig({
  ALM_DATA: directory,
  ALM_PORT: '0',
  ALM_SANDBOX_SPEED: '0',
  ALM_RATE_LIMIT: '0',
  ALM_LOG: 'silent',
  ALM_CLIENT_ID: client.client_id,
  ALM_CLIENT_SECRET: client.client_secret,
  ALM_ROOT_PASSWORD: 'bench-password',
});
const almanac = await startAlmanac(config, createLog({ level: 'silent' }));

let token;
const call = async (method, path, json) => {
  const response = await fetch(almanac.url + path, {
    method,
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  const body = await response.json();
  if (!response.ok)
    throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(body).slice(0, 300)}`);
  return body;
};

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
const timed = async (rounds, work) => {
  const times = [];
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    await work(round);
    times.push(performance.now() - start);
  }
  return median(times);
};

const template = JSON.parse(readFileSync(new URL('../examples/first-stack.json', import.meta.url), 'utf8'));
const withEnvironment = (bytes, label) => {
  const variables = Math.ceil(bytes / 1000);
  const environment = Object.fromEntries(
    Array.from({ length: variables }, (_, index) => [`VARIABLE_${index}`, 'x'.repeat(975)]),
  );
  const [layer] = template.configurations;
  const container = { container_image: 'library/nginx', container_env_vars: environment };
  return { ...template, label, configurations: [{ ...layer, container }] };
};

/** Times the common requests about a stack. */
const measure = async (stack, document, rounds) => {
  const { version_id: latest } = await call('PUT', `/v3/alm/template/${stack}`, document('first'));
  return {
    update: await timed(rounds, (round) =>
      call('PUT', `/v3/alm/template/${stack}`, document(`round ${round}`)),
    ),
    'describe stack': await timed(rounds, () => call('GET', `/v3/alm/stack/${stack}`)),
    'describe template': await timed(rounds, () => call('GET', `/v3/alm/template/${stack}`)),
    'list versions': await timed(rounds, () => call('GET', `/v3/alm/template?stack_id=${stack}`)),
    compare: await timed(rounds, () =>
      call('POST', '/v3/alm/template/compare', {
        id: [{ [stack]: { version: latest } }, { [stack]: { version: '' } }],
      }),
    ),
    preview: await timed(rounds, (round) =>
      call('POST', `/v3/alm/template/preview?stack_id=${stack}`, document(`look ${round}`)),
    ),
  };
};

const print = (title, baseline, measured) => {
  console.log(`\n${title}`);
  for (const [what, ms] of Object.entries(measured))
    console.log(
      `  ${what.padEnd(20)}${ms.toFixed(1).padStart(9)} ms   × ${(ms / baseline[what]).toFixed(2)} of the small stack`,
    );
};

try {
  token = (
    await call('POST', '/v3/access_token', {
      ...client,
      grant_type: 'password',
      username: 'root',
      password: 'bench-password',
    })
  ).access_token;
  const create = async (document) => (await call('POST', '/v3/alm/template', document)).stack_id;
  const small = (label) => ({ ...template, label });
  const rounds = 15;

  const baseline = await measure(await create(small('baseline')), small, rounds);
  print('one small template, few versions (the baseline)', baseline, baseline);

  const many = await create(small('many'));
  for (let index = 0; index < 1000; index += 1)
    await call('PUT', `/v3/alm/template/${many}`, small(`version ${index}`));
  print('the same template, 1,000 versions', baseline, await measure(many, small, rounds));

  const large = (label) => withEnvironment(1_000_000, label);
  const bytes = JSON.stringify(large('x')).length;
  print(
    `a template of ${bytes} bytes, few versions`,
    baseline,
    await measure(await create(large('large')), large, 5),
  );
} finally {
  await almanac.stop();
  rmSync(directory, { recursive: true, force: true });
}
