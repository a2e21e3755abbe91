// A stack from nothing to running to gone, in a pretend cloud, on a server that lives as long as this script.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAlmanac } from '../dist/almanac/start.js';
import { readConfig } from '../dist/basics/config.js';
import { createClient } from '../dist/contract/client.js';
import { issueToken } from '../dist/contract/v3/access.js';
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

/** Prints what happens to the stack as it happens, until its operation has ended. */
async function follow(client, story, began) {
  const params = { stack_id: story.stackId };
  for (;;) {
    const stack = await client.call(describeStack, { params });
    for (const event of await client.call(listEvents, { params, query: { after: story.seen } })) {
      story.seen = event.event_id;
      story.events += 1;
      printEvent(event, Date.now() - began);
    }
    if (!stack.stack_status.endsWith('_IN_PROGRESS')) return stack;
    await pause(100);
  }
}

async function tell(client) {
  const yaml = await readFile(template, 'utf8');
  const began = Date.now();

  printHeading('Create', 'examples/balanced-with-database.yaml: balanced servers, a database, a cache');
  const created = await client.call(applyTemplate, { body: { text: yaml, format: 'yaml' } });
  const story = { stackId: created.stack_id, seen: 0, events: 0 };
  printStack(await follow(client, story, began));

  printHeading('Update', 'the same template with 3 to 6 servers instead of 2 to 4');
  const scaled = yaml.replace('min: 2', 'min: 3').replace('max: 4', 'max: 6');
  const params = { stack_id: story.stackId };
  await client.call(updateTemplate, { params, body: { text: scaled, format: 'yaml' } });
  printStack(await follow(client, story, began));

  printHeading('Delete', 'everything, in the order that dependencies allow');
  await client.call(deleteStack, { params });
  const { stack_status: status } = await follow(client, story, began);
  return `${story.stackId} was created, updated and deleted in ${seconds(Date.now() - began)} s: ${story.events} events, ends ${status}.`;
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
  console.log(`\n  ${bold('Almanac')} is serving at ${almanac.url} ${dim('for as long as this demo runs')}`);
  const summary = await tell(await signIn(almanac));
  console.log(`\n  ${bold(summary)}\n`);
} catch (error) {
  // Interrupted: the server went away under our hands.
  if (!cleaned) throw error;
} finally {
  await cleanUp();
}
