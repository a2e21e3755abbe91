import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Clock } from '../basics/clock.ts';
import { type Connection, encodePath } from './connection.ts';
import type { Containers, ExecOptions, ExecResult, RunningExec } from './container-types.ts';
import { environmentLines } from './environment.ts';
import { EngineError, EngineUnreachable } from './errors.ts';
import { splitter } from './frames.ts';

interface ExecTools {
  connection: Connection;
  clock: Clock;
  /** Timeout of an `exec` without a signal. */
  timeoutSeconds: number;
}

interface Exec extends ExecOptions {
  container: string;
  argv: readonly string[];
  withInput: boolean;
}

const pollMs = 50;
/** One minute: a process may close its outputs before it exits. */
const maxPolls = 1200;
const defaultTimeoutSeconds = 30;

async function createExec({ connection }: ExecTools, exec: Exec): Promise<string> {
  const json = {
    Cmd: exec.argv,
    AttachStdin: exec.withInput,
    AttachStdout: true,
    AttachStderr: true,
    Tty: false,
    Env: environmentLines(exec.environment),
    User: exec.user,
    WorkingDir: exec.workingDirectory,
  };
  const path = `/containers/${encodePath(exec.container)}/exec`;
  return (await connection.json<{ Id: string }>({ method: 'POST', path, json, signal: exec.signal })).Id;
}

async function exitCodeOf(
  { connection, clock }: ExecTools,
  id: string,
  signal: AbortSignal | undefined,
): Promise<number> {
  const call = { method: 'GET', path: `/exec/${id}/json`, signal } as const;
  for (let poll = 0; poll < maxPolls; poll++) {
    const { Running, ExitCode } = await connection.json<{ Running: boolean; ExitCode: number | null }>(call);
    if (!Running && ExitCode !== null) return ExitCode;
    await new Promise<void>((resolve) => void clock.after(pollMs, resolve));
  }
  throw new EngineError(408, 'The process closed its outputs but did not exit.', `GET /exec/${id}/json`);
}

async function start(tools: ExecTools, exec: Exec): Promise<RunningExec> {
  const id = await createExec(tools, exec);
  const { body, connection: duplex } = await tools.connection.reply({
    method: 'POST',
    path: `/exec/${id}/start`,
    json: { Detach: false, Tty: false },
    headers: { connection: 'Upgrade', upgrade: 'tcp' },
    idleTimeoutMs: 0,
    signal: exec.signal,
  });
  const { sink, stdout, stderr } = splitter();
  const exitCode = pipeline(body, sink, exec.signal ? { signal: exec.signal } : {}).then(
    () => exitCodeOf(tools, id, exec.signal),
    (error: Error) => {
      for (const output of [stdout, stderr]) output.destroy(error);
      throw exec.signal?.aborted ? exec.signal.reason : new EngineUnreachable(error.message, error);
    },
  );
  // Callers that only read the streams get the error there.
  exitCode.catch(() => undefined);
  return { input: duplex ?? new PassThrough().resume(), stdout, stderr, exitCode };
}

async function run(tools: ExecTools, exec: Exec): Promise<ExecResult> {
  const running = await start(tools, exec);
  if (exec.withInput) running.input.end(exec.input);
  const outputs = Promise.all([text(running.stdout), text(running.stderr)]);
  outputs.catch(() => undefined);
  const exitCode = await running.exitCode;
  const [stdout, stderr] = await outputs;
  return { exitCode, stdout, stderr };
}

/** After a timeout the process may still run in the container: engines have no request to stop it. */
async function runWithTimeout(tools: ExecTools, exec: Exec): Promise<ExecResult> {
  if (exec.signal) return run(tools, exec);
  const timeout = AbortSignal.timeout(tools.timeoutSeconds * 1000);
  try {
    return await run(tools, { ...exec, signal: timeout });
  } catch (error) {
    if (error !== timeout.reason) throw error;
    throw new EngineUnreachable(
      `${exec.argv[0]} in container ${exec.container} timed out after ${tools.timeoutSeconds} s.`,
      error,
    );
  }
}

export function execCalls(
  connection: Connection,
  clock: Clock,
  timeoutSeconds = defaultTimeoutSeconds,
): Pick<Containers, 'exec' | 'execStream'> {
  const tools = { connection, clock, timeoutSeconds };
  return {
    exec: (container, argv, options = {}) =>
      runWithTimeout(tools, { ...options, container, argv, withInput: options.input !== undefined }),
    execStream: (container, argv, options = {}) =>
      start(tools, { ...options, container, argv, withInput: true }),
  };
}
