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
import { version } from './version.ts';

const help = `Runs the application of one layer of a stack on this instance.

Usage:
  alm-agent [run]     stay, and keep what runs here as the stack wants it
  alm-agent once      look once, deploy what is new, and end; the ports are held only meanwhile
  alm-agent status    what runs here
  alm-agent version
  alm-agent --settings <file>   where the settings are; default: /opt/almanac/agent.json
`;

const write = (text: string): void => void process.stdout.write(text);

function readSettings(path: string): Settings {
  try {
    return parseSettings(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(`${path}: ${reasonOf(error)}`, { cause: error });
  }
}

/** The signal of the process, for those who are to end with it. Asked twice, it ends at once. */
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

async function work(settings: Settings, mode: 'run' | 'once'): Promise<number> {
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
  else if (more.length > 0) throw new Error(`"${more.join(' ')}" is too much. Try: alm-agent --help`);
  else if (command === 'status') write(`${await describeStatus(readSettings(values.settings))}\n`);
  else if (command === 'run' || command === 'once') return work(readSettings(values.settings), command);
  else throw new Error(`There is no command "${command}". Try: alm-agent --help`);
  return 0;
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`alm-agent: ${reasonOf(error)}\n`);
    process.exit(1);
  },
);
