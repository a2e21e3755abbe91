// Takes the pictures of the console for README.md and docs/console.md, in both themes, from a server with a sandbox cloud.
// Usage after a build: bash scripts/with-chromium.sh node scripts/write-console-pictures.mjs [folder]
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { startAlmanac } from '../dist/almanac/start.js';
import { readConfig } from '../dist/basics/config.js';
import { createLog } from '../dist/basics/log.js';

const folder = process.argv[2] ?? 'docs/pictures';
const master = { username: 'ann', password: 'correct horse battery 7' };
const client = { client_id: 'pictures', client_secret: 'secret-of-the-pictures' };
/** Fast enough to wait for, slow enough to be seen at work. */
const speed = 4;

const shop = readFileSync(new URL('../examples/balanced-with-database.yaml', import.meta.url), 'utf8');
const layers = JSON.parse(readFileSync(new URL('../examples/two-layers-and-bastion.json', import.meta.url)));
const first = JSON.parse(readFileSync(new URL('../examples/first-stack.json', import.meta.url)));

const start = (directory) =>
  startAlmanac(
    readConfig({
      ALM_DATA: directory,
      ALM_PORT: '0',
      ALM_LOG: 'silent',
      ALM_SANDBOX_SPEED: String(speed),
      ALM_RATE_LIMIT: '0',
      ALM_CLIENT_ID: client.client_id,
      ALM_CLIENT_SECRET: client.client_secret,
      ALM_ROOT_USERNAME: master.username,
      ALM_ROOT_PASSWORD: master.password,
    }),
    createLog({ level: 'silent' }),
  );

let url = '';
let token = '';
/** Text is YAML, everything else is sent as JSON. */
const call = async (method, path, body) => {
  const isYaml = typeof body === 'string';
  const response = await fetch(url + path, {
    method,
    headers: {
      'content-type': isYaml ? 'application/yaml' : 'application/json',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    ...(body === undefined ? {} : { body: isYaml ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
  return text === '' ? null : JSON.parse(text);
};

const apply = async (template) => (await call('POST', '/v3/alm/template', template)).stack_id;
const rest = async (id) => {
  for (;;) {
    const { stack_status: status } = await call('GET', `/v3/alm/stack/${id}`);
    if (!status.endsWith('_IN_PROGRESS')) return status;
    await wait(200);
  }
};

/** Stacks of every kind: complete with several versions, failed, being updated, being created. */
async function fill() {
  token = (await call('POST', '/v3/access_token', { ...client, ...master, grant_type: 'password' }))
    .access_token;
  const stack = await apply(shop);
  const quiet = [
    { ...first, label: 'staging' },
    { ...layers, label: 'intranet' },
    { ...first, label: 'wiki' },
  ];
  const others = [];
  for (const template of quiet) others.push(await apply(template));
  await Promise.all([stack, ...others].map(rest));
  const scaled = shop.replace('min: 2', 'min: 3').replace('max: 4', 'max: 6');
  await call('PUT', `/v3/alm/template/${stack}`, scaled);
  await rest(stack);
  await call('POST', '/v3/sandbox/fault', {
    kind: 'fail_resource',
    position: 3,
    reason: 'Resource vpc-0c41f2 is already associated with an internet gateway.',
  });
  const failed = await apply({ ...first, label: 'reports' });
  await rest(failed);
  const Statement = [
    { Effect: 'Allow', Action: ['stack:*', 'template:*'], Resource: ['*'] },
    { Effect: 'Deny', Action: ['stack:deleteStack'], Resource: ['*'] },
  ];
  const scope = JSON.stringify({ Version: '2017-05-05', Statement });
  const { role_id: role } = await call('POST', '/v3/role', { name: 'operators', scope });
  return { stack, role };
}

/** The instances of the web layer become larger. */
async function changeTemplate(page) {
  await page
    .getByText('t2.small')
    .first()
    .dblclick({ position: { x: 40, y: 8 } });
  await page.keyboard.type('medium');
  await page.keyboard.press('Escape');
}

const screensOf = ({ stack, role }) => [
  { name: 'stacks', path: '/' },
  { name: 'stack', path: `/stack/${stack}` },
  { name: 'editor', path: `/stack/${stack}/edit`, act: changeTemplate },
  { name: 'versions', path: `/stack/${stack}/versions` },
  { name: 'role', path: `/roles/${role}` },
  { name: 'narrow', path: `/stack/${stack}`, width: 390, height: 844 },
];

async function takePicture(browser, theme, { name, path, act, width = 1440, height = 900 }) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: 'reduce',
  });
  await context.request.post(`${url}/v3/session`, { data: master, headers: { origin: url } });
  const page = await context.newPage();
  await page.goto(`${url}/console${path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  // Until nothing more is loaded; the streams never end.
  await wait(2000);
  if (act) await act(page).then(() => wait(3000));
  await page.screenshot({ path: join(folder, `${name}-${theme}.png`) });
  await context.close();
}

const directory = mkdtempSync(join(tmpdir(), 'almanac-pictures-'));
mkdirSync(folder, { recursive: true });
const almanac = await start(directory);
const browser = await chromium.launch({
  executablePath: process.env.TEST_CHROMIUM,
  args: process.env.TEST_CHROMIUM_ARGUMENTS.split(' '),
});
try {
  ({ url } = almanac);
  const screens = screensOf(await fill());
  for (const screen of screens)
    for (const theme of ['dark', 'light']) {
      // The first picture shows stacks at work.
      if (screen.name === 'stacks') await apply({ ...layers, label: `search ${theme}` });
      await takePicture(browser, theme, screen);
    }
} finally {
  await browser.close();
  await almanac.stop();
  rmSync(directory, { recursive: true, force: true });
}
