#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { realClock } from '../basics/clock.ts';
import { openAppEngine } from './app-engine.ts';
import { lockInstance } from './lock.ts';
import { createAgentLog, reasonOf } from './log.ts';
import { openAgent } from './open-agent.ts';
import { parseSettings, type Settings } from './settings.ts';
import { describeStatus } from './status.ts';

/** Set by scripts/bundle-agent.mjs. */
declare const ALM_AGENT_VERSION: string | undefined;

const version = typeof ALM_AGENT_VERSION === 'undefined' ? 'development' : ALM_AGENT_VERSION;

const help = `Runs the application of one layer of a stack on this instance.

Usage:
  alm-agent [run]     keep running, and deploy every change of the stack
  alm-agent once      deploy the latest configuration once and exit; ports are open only until then
  alm-agent status    show what runs on this instance
  alm-agent version   show the version of the agent
  alm-agent --settings <file>   settings file; default: /opt/almanac/agent.json
`;

const write = (text: string): void => void process.stdout.write(text);

function readSettings(path: string): Settings {
  try {
    return parseSettings(readFileSync(path, 'utf8'), process.env);
  } catch (error) {
    throw new Error(`${path}: ${reasonOf(error)}`, { cause: error });
  }
}

/** Aborts on SIGTERM or SIGINT. The second signal exits immediately. */
function stopSignal(): AbortSignal {
  const controller = new AbortController();
  const stop = () => {
    if (controller.signal.aborted) process.exit(1);
    controller.abort();
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  return controller.signal;
}

async function runAgent(settings: Settings, mode: 'run' | 'once'): Promise<number> {
  const log = createAgentLog(realClock, write);
  log.hide([settings.token]);
  const unlock = await lockInstance(settings.stateDirectory);
  const stop = stopSignal();
  const engine = openAppEngine(settings.engine, realClock);
  const agent = await openAgent({ clock: realClock, log, settings, engine, stop });
  const isDone = mode === 'once' ? await agent.once() : await agent.run(stop).then(() => true);
  unlock();
  return isDone ? 0 : 1;
}

async function main(argv: string[]): Promise<number> {
  const options = {
    help: { type: 'boolean', short: 'h' },
    version: { type: 'boolean' },
    settings: { type: 'string', default: '/opt/almanac/agent.json' },
  } as const;
  const { values, positionals } = parseArgs({ args: argv, options, allowPositionals: true });
  const [command = 'run', ...more] = positionals;
  if (values.help || command === 'help') write(help);
  else if (values.version || command === 'version') write(`${version}\n`);
  else if (more.length > 0) throw new Error(`Unexpected argument "${more.join(' ')}". Run: alm-agent --help`);
  else if (command === 'status') write(`${await describeStatus(readSettings(values.settings))}\n`);
  else if (command === 'run' || command === 'once') return runAgent(readSettings(values.settings), command);
  else throw new Error(`Unknown command "${command}". Run: alm-agent --help`);
  return 0;
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`alm-agent: ${reasonOf(error)}\n`);
    process.exit(1);
  },
);
