import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, realClock } from '../../basics/clock.ts';
import { pause } from '../../basics/pause.ts';
import type { RunningRegistry, StartRegistry } from './running-registry.ts';

/** Debian's package, and the name that the project itself uses. */
const names = ['docker-registry', 'registry'];

/** Other programs may have the same name. */
const isRegistry = (program: string): Promise<boolean> =>
  new Promise((resolve) => {
    execFile(program, ['--version'], { timeout: 10_000 }, (error, stdout) =>
      resolve(!error && /\bdistribution\b/.test(stdout)),
    );
  });

/** Null: none is installed. */
export async function findRegistryProgram(): Promise<string | null> {
  for (const name of names) if (await isRegistry(name)) return name;
  return null;
}

const pidFile = (folder: string): string => join(folder, 'registry.pid');

/** Empty if there is no such process, or on a system that does not show it. */
const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
};

/** The process that an earlier run left behind because it was killed; null: none. */
function findLeftover({ folder, configFile }: StartRegistry): number | null {
  try {
    const pid = Number(readFileSync(pidFile(folder), 'utf8'));
    // The number may belong to another program by now.
    return pid > 1 && commandOf(pid).includes(` serve ${configFile}`) ? pid : null;
  } catch {
    return null;
  }
}

const stopSeconds = 10;

/** Whether there was one. Call it only while no other `registry up` runs on the directory. */
export async function stopLeftover(registry: StartRegistry, clock: Clock = realClock): Promise<boolean> {
  const pid = findLeftover(registry);
  if (pid === null) return false;
  process.kill(pid, 'SIGTERM');
  const deadline = clock.now() + stopSeconds * 1000;
  while (findLeftover(registry) !== null && clock.now() < deadline) await pause(clock, 50);
  if (findLeftover(registry) !== null) process.kill(pid, 'SIGKILL');
  return true;
}

const logLines = 8;

function lastLines(file: string): string {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.slice(-logLines).join('\n');
}

function watch(child: ChildProcess, log: string): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', () => resolve(lastLines(log)));
  });
}

async function stopProcess(child: ChildProcess, clock: Clock): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  const cancel = clock.after(stopSeconds * 1000, () => void child.kill('SIGKILL'));
  await exit;
  cancel();
}

/** Starts the program. Its own process group: Ctrl-C must reach only `almanac`, which then ends it. */
export function startProcess(
  program: string,
  { folder, configFile }: StartRegistry,
  clock: Clock = realClock,
): RunningRegistry {
  const log = join(folder, 'registry.log');
  const output = openSync(log, 'w', 0o600);
  const stdio = ['ignore', output, output] as const;
  const child = spawn(program, ['serve', configFile], { cwd: folder, stdio: [...stdio], detached: true });
  closeSync(output);
  if (child.pid !== undefined) writeFileSync(pidFile(folder), String(child.pid), { mode: 0o600 });
  return {
    description: `${program}, log in ${log}`,
    ended: watch(child, log),
    stop: async () => {
      await stopProcess(child, clock);
      rmSync(pidFile(folder), { force: true });
    },
  };
}
