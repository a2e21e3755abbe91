// Creates, updates and deletes a stack in the sandbox cloud, on a server that runs only during this script.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAlmanac } from '../dist/almanac/start.js';
import { readConfig } from '../dist/basics/config.js';
import { createClient } from '../dist/contract/client.js';
import { issueToken } from '../dist/contract/v3/sign-in/access.js';
import { deleteStack, describeStack, listEvents } from '../dist/contract/v3/stacks.js';
import { applyTemplate, updateTemplate } from '../dist/contract/v3/templates.js';
import { bold, dim, printEvent, printHeading, printStack, seconds } from './demo-output.mjs';

const template = new URL('../examples/balanced-with-database.yaml', import.meta.url);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function startServer(directory) {
  const config = readConfig({ ALM_DATA: directory, ALM_PORT: '0', ALM_LOG: 'silent' });
  return startAlmanac(config);
}

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
  return createClient({ url, token: access_token });
}

/** Prints the events of the stack as they happen, until its operation ends. */
async function follow(client, progress, start) {
  const params = { stack_id: progress.stackId };
  for (;;) {
    const stack = await client.call(describeStack, { params });
    for (const event of await client.call(listEvents, { params, query: { after: progress.seen } })) {
      progress.seen = event.event_id;
      progress.events += 1;
      printEvent(event, Date.now() - start);
    }
    if (!stack.stack_status.endsWith('_IN_PROGRESS')) return stack;
    await pause(100);
  }
}

async function runDemo(client) {
  const yaml = await readFile(template, 'utf8');
  const start = Date.now();

  printHeading('Create', 'examples/balanced-with-database.yaml: balanced servers, a database, a cache');
  const created = await client.call(applyTemplate, { body: { text: yaml, format: 'yaml' } });
  const progress = { stackId: created.stack_id, seen: 0, events: 0 };
  printStack(await follow(client, progress, start));

  printHeading('Update', 'the same template with 3 to 6 servers instead of 2 to 4');
  const scaled = yaml.replace('min: 2', 'min: 3').replace('max: 4', 'max: 6');
  const params = { stack_id: progress.stackId };
  await client.call(updateTemplate, { params, body: { text: scaled, format: 'yaml' } });
  printStack(await follow(client, progress, start));

  printHeading('Delete', 'all resources, in dependency order');
  await client.call(deleteStack, { params });
  const { stack_status: status } = await follow(client, progress, start);
  return `${progress.stackId} was created, updated and deleted in ${seconds(Date.now() - start)} s: ${progress.events} events, final status ${status}.`;
}

const directory = await mkdtemp(join(tmpdir(), 'almanac-demo-'));
let almanac;
let cleaned;
const cleanUp = () =>
  (cleaned ??= (async () => {
    await almanac?.stop();
    await rm(directory, { recursive: true, force: true });
  })());
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    console.log(dim('\n  Interrupted; cleaning up.'));
    void cleanUp().finally(() => process.exit(130));
  });

try {
  almanac = await startServer(directory);
  console.log(`\n  ${bold('Almanac')} is serving at ${almanac.url} ${dim('during this demo')}`);
  const summary = await runDemo(await signIn(almanac));
  console.log(`\n  ${bold(summary)}\n`);
} catch (error) {
  // After an interrupt the server is gone, so requests fail.
  if (!cleaned) throw error;
} finally {
  await cleanUp();
}
