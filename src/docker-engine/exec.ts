import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Clock } from '../basics/clock.ts';
import { type Connection, inPath } from './connection.ts';
import type { Containers, ExecOptions, ExecResult, RunningExec } from './container-types.ts';
import { environmentLines } from './environment.ts';
import { EngineError, EngineUnreachable } from './errors.ts';
import { splitter } from './frames.ts';

interface Prepared extends ExecOptions {
  container: string;
  argv: readonly string[];
  withInput: boolean;
}

const pollMs = 50;
/** A process may close its outputs and go on. So long we wait for its end then. */
const polls = 1200;
/** For whoever waits for the end and names no limit: a process that hangs must not hold him for ever. */
const defaultSeconds = 30;

async function prepare(connection: Connection, exec: Prepared): Promise<string> {
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
  const path = `/containers/${inPath(exec.container)}/exec`;
  return (await connection.json<{ Id: string }>({ method: 'POST', path, json, signal: exec.signal })).Id;
}

async function exitCodeOf(
  connection: Connection,
  clock: Clock,
  id: string,
  signal: AbortSignal | undefined,
): Promise<number> {
  const call = { method: 'GET', path: `/exec/${id}/json`, signal } as const;
  for (let poll = 0; poll < polls; poll++) {
    const { Running, ExitCode } = await connection.json<{ Running: boolean; ExitCode: number | null }>(call);
    if (!Running && ExitCode !== null) return ExitCode;
    await new Promise<void>((resolve) => void clock.after(pollMs, resolve));
  }
  throw new EngineError(408, 'The process closed its outputs but does not end.', `GET /exec/${id}/json`);
}

async function start(connection: Connection, clock: Clock, exec: Prepared): Promise<RunningExec> {
  const id = await prepare(connection, exec);
  const { body, connection: duplex } = await connection.reply({
    method: 'POST',
    path: `/exec/${id}/start`,
    json: { Detach: false, Tty: false },
    headers: { connection: 'Upgrade', upgrade: 'tcp' },
    silenceMs: 0,
    signal: exec.signal,
  });
  const { sink, stdout, stderr } = splitter();
  const exitCode = pipeline(body, sink, exec.signal ? { signal: exec.signal } : {}).then(
    () => exitCodeOf(connection, clock, id, exec.signal),
    (error: Error) => {
      for (const output of [stdout, stderr]) output.destroy(error);
      throw exec.signal?.aborted ? exec.signal.reason : new EngineUnreachable(error.message, error);
    },
  );
  // Whoever only reads the streams learns of trouble there.
  exitCode.catch(() => undefined);
  return { input: duplex ?? new PassThrough().resume(), stdout, stderr, exitCode };
}

async function textOf(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

async function run(connection: Connection, clock: Clock, exec: Prepared): Promise<ExecResult> {
  const running = await start(connection, clock, exec);
  if (exec.withInput) running.input.end(exec.input);
  const texts = Promise.all([textOf(running.stdout), textOf(running.stderr)]);
  texts.catch(() => undefined);
  const exitCode = await running.exitCode;
  const [stdout, stderr] = await texts;
  return { exitCode, stdout, stderr };
}

/** What is broken off here may go on in the container: engines have no way to end it. */
async function runInTime(
  connection: Connection,
  clock: Clock,
  exec: Prepared,
  seconds: number,
): Promise<ExecResult> {
  if (exec.signal) return run(connection, clock, exec);
  const limit = AbortSignal.timeout(seconds * 1000);
  try {
    return await run(connection, clock, { ...exec, signal: limit });
  } catch (error) {
    if (error !== limit.reason) throw error;
    throw new EngineUnreachable(
      `${exec.argv[0]} in container ${exec.container} did not end within ${seconds} s.`,
      error,
    );
  }
}

export const execCalls = (
  connection: Connection,
  clock: Clock,
  seconds = defaultSeconds,
): Pick<Containers, 'exec' | 'execStream'> => ({
  exec: (container, argv, options = {}) => {
    const prepared = { ...options, container, argv, withInput: options.input !== undefined };
    return runInTime(connection, clock, prepared, seconds);
  },
  execStream: (container, argv, options = {}) =>
    start(connection, clock, { ...options, container, argv, withInput: true }),
});
