#!/usr/bin/env node

import { parseArgs } from 'node:util';
import { type Config, readConfig, settingsHelp } from '../basics/config.ts';
import { entryOf } from '../basics/entry-of.ts';
import { Failure } from '../basics/failure.ts';
import { findPasswordWeakness } from '../operations/access/password-rules.ts';
import { accountHelp, runAccount } from './account-command.ts';
import { audit } from './audit-command.ts';
import { backup, restore } from './backup-commands.ts';
import { alicloudPolicy, alicloudPolicyHelp } from './policies/alicloud-policy.ts';
import { awsPolicy, awsPolicyHelp } from './policies/aws-policy.ts';
import { pricesHelp, runPrices } from './prices-command.ts';
import { registryHelp, runRegistry } from './registry-command.ts';
import { secrets } from './secrets-command.ts';
import { type Almanac, startAlmanac } from './start.ts';
import { version } from './version.ts';
import { runVolumes, volumesHelp } from './volumes-command.ts';
import { startWatchdog } from './watchdog/watchdog.ts';
import { welcome } from './welcome.ts';

interface Command {
  usage: string;
  about: string;
  /** The help of a command that has options of its own, which it parses itself. */
  help?: string;
  run(config: Config, args: readonly string[]): Promise<void>;
}

const commands: Readonly<Record<string, Command>> = {
  serve: { usage: 'serve', about: 'run the server', run: serve },
  backup: { usage: 'backup <file>', about: 'save all data to a file, also while serving', run: backup },
  restore: {
    usage: 'restore <file>',
    about: 'replace all data with a backup, also while serving',
    run: restore,
  },
  secrets: {
    usage: 'secrets rotate',
    about: 'seal all secrets with a new key, also while serving',
    run: secrets,
  },
  audit: {
    usage: 'audit verify [file …]',
    about: 'check that the audit log was not changed, also against checkpoints in files',
    run: audit,
  },
  account: {
    usage: 'account <verb>',
    about: 'create, list, limit, suspend and delete accounts, also while serving',
    help: accountHelp,
    run: runAccount,
  },
  prices: {
    usage: 'prices <verb>',
    about: 'read and show the prices for the cost in previews, also while serving',
    help: pricesHelp,
    run: runPrices,
  },
  volumes: {
    usage: 'volumes <verb>',
    about: 'list, keep and remove the volumes that the docker vendor keeps, also while serving',
    help: volumesHelp,
    run: runVolumes,
  },
  registry: {
    usage: 'registry <verb>',
    about: 'run or configure a container registry, and rotate the key of its tokens, also while serving',
    help: registryHelp,
    run: runRegistry,
  },
  'aws-policy': {
    usage: 'aws-policy <document>',
    about: 'print the IAM policies that AWS keys and roles need',
    help: awsPolicyHelp,
    run: awsPolicy,
  },
  'alicloud-policy': {
    usage: 'alicloud-policy <doc>',
    about: 'print the RAM policies that keys and roles of Alibaba Cloud need',
    help: alicloudPolicyHelp,
    run: alicloudPolicy,
  },
};

const help = (): string => {
  const lines = Object.values(commands).map(({ usage, about }) => `  almanac ${usage.padEnd(23)}${about}`);
  return [
    'Usage:',
    ...lines,
    '  almanac --version',
    '',
    'Settings, from the environment:',
    settingsHelp(),
  ].join('\n');
};

/** The operator may choose any password for the master user, as existing installations do, but learns that it is weak. */
async function warnAboutPassword({ firstCredentials: first }: Almanac): Promise<void> {
  if (!first || first.generated.password) return;
  const weakness = await findPasswordWeakness(first.password, { username: first.username });
  if (weakness !== null)
    process.stderr.write(
      `almanac: ALM_ROOT_PASSWORD is too easy to guess: ${weakness}. Change it: alm user password ${first.username}\n`,
    );
}

/** Not while it starts and stops, when work on the whole database may take long. */
const watchLoop = ({ watchdogSeconds: maxSeconds }: Config, { running, log }: Almanac): (() => void) => {
  if (maxSeconds === 0) return () => {};
  const onError = (error: unknown) => log.error({ err: error }, 'the watchdog of the event loop ended');
  return startWatchdog({ maxSeconds, runningRequests: () => running.list(), onError });
};

async function serve(config: Config): Promise<void> {
  // Standard output may be full or closed. That must not stop the server.
  process.stdout.on('error', () => {});
  const almanac = await startAlmanac(config);
  const unwatch = watchLoop(config, almanac);
  let stopping = false;
  const stop = () => {
    if (stopping) process.exit(1); // second signal: do not wait
    stopping = true;
    unwatch();
    almanac.stop().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // Only now: a caller that reads it may stop the server at once.
  process.stdout.write(`${welcome(almanac)}\n`);
  await warnAboutPassword(almanac);
}

/** Prints the messages of the error and its causes, without stack traces. */
function fail(error: unknown): never {
  for (let each = error; each instanceof Error; each = each.cause) {
    const description = each instanceof Failure ? each.description : '';
    process.stderr.write(`almanac: ${each.message}${description && `. ${description}`}\n`);
  }
  process.exit(1);
}

async function main(argv: string[]): Promise<void> {
  const [first = '', ...own] = argv;
  const named = entryOf(commands, first);
  if (named?.help !== undefined) {
    if (own.includes('--help') || own.includes('-h')) return void process.stdout.write(`${named.help}\n`);
    return named.run(readConfig(process.env), own);
  }
  const options = { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean' } } as const;
  const { values, positionals } = parseArgs({ args: argv, options, allowPositionals: true });
  const [name = 'serve', ...args] = positionals;
  if (values.version) return void process.stdout.write(`${version}\n`);
  if (values.help || name === 'help') return void process.stdout.write(`${help()}\n`);
  const command = entryOf(commands, name);
  if (!command) throw new Error(`Unknown command "${name}". Run: almanac --help`);
  await command.run(readConfig(process.env), args);
}

main(process.argv.slice(2)).catch(fail);
