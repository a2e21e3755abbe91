import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import type { Client, ClientChannel } from 'ssh2';
import { noChannel } from './connect.ts';

export interface ScriptRun {
  /** 128 plus the signal number if a signal ended it, as in shells; null if unknown. */
  exitCode: number | null;
  stdout: Buffer;
  stderr: Buffer;
  /** Part of the output exceeded the limit and was dropped. */
  truncated: boolean;
}

export interface RunOptions {
  script: string;
  /** Limit of each of the two outputs. */
  maxBytes: number;
  /** Ends the script early; output received until then is kept. */
  signal: AbortSignal;
}

/**
 * Reads the script from standard input, delimited by its length, and runs it from a file. So the script may be long, name its
 * own interpreter and read its own standard input, which is empty. `sh -c` without single quotes inside is parsed the same by
 * every login shell.
 */
const wrapper = (script: Buffer): string => {
  const run = script.subarray(0, 2).toString('latin1') === '#!' ? '"$f"' : '"${SHELL:-/bin/sh}" "$f"';
  const steps = [
    'umask 077',
    'f=$(mktemp) || exit 126',
    'trap "rm -f \\"$f\\"" EXIT',
    'trap "exit 143" HUP INT TERM',
    `head -c ${script.length} >"$f" && chmod 700 "$f" || exit 126`,
    'exec 3<&0',
    // End of input means that the connection was lost: kill the script and everything it started. A signal sent by ssh is not
    // enough, because OpenSSH delivers none to root.
    '{ trap "" HUP TERM; cat <&3; kill -TERM 0; sleep 5; kill -KILL 0; } >/dev/null 2>&1 & w=$!',
    `${run} </dev/null 3<&-`,
    'c=$?',
    'kill -PIPE $w',
    'exit $c',
  ];
  return `exec sh -c '${steps.join('; ')}'`;
};

const open = (client: Client, command: string): Promise<ClientChannel> =>
  new Promise((resolve, reject) => {
    client.exec(command, (error, channel) => (error ? reject(noChannel(error)) : resolve(channel)));
  });

/** Reads to the end, so that the script never blocks, and keeps the beginning. */
function collect(stream: Readable, maxBytes: number) {
  const kept: Buffer[] = [];
  let [size, total] = [0, 0];
  stream.on('data', (chunk: Buffer) => {
    total += chunk.length;
    const part = chunk.subarray(0, maxBytes - size);
    size += part.length;
    if (part.length > 0) kept.push(part);
  });
  return { bytes: () => Buffer.concat(kept), isTruncated: () => total > size };
}

const signalNumbers = new Map<string, number>(Object.entries(constants.signals));

export const exitCodeOf = (code: number | null, signal?: string): number | null => {
  if (code !== null || signal === undefined) return code;
  return 128 + (signalNumbers.get(`SIG${signal}`) ?? 127);
};

/** Waits for the end of the script, or for the signal: closing the channel then ends the script. */
async function untilClosed(channel: ClientChannel, script: Buffer, signal: AbortSignal): Promise<void> {
  let stop = () => {};
  await new Promise<void>((resolve) => {
    stop = () => {
      channel.close();
      resolve();
    };
    channel.once('close', () => resolve());
    channel.on('error', () => resolve());
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    else channel.write(script);
  });
  signal.removeEventListener('abort', stop);
}

/** Runs a script to its end, or until the signal. */
export async function runScript(client: Client, options: RunOptions): Promise<ScriptRun> {
  const script = Buffer.from(options.script);
  const channel = await open(client, wrapper(script));
  const stdout = collect(channel, options.maxBytes);
  const stderr = collect(channel.stderr, options.maxBytes);
  let exitCode: number | null = null;
  channel.on('exit', (code: number | null, signal?: string) => {
    exitCode = exitCodeOf(code, signal);
  });
  await untilClosed(channel, script, options.signal);
  return {
    exitCode,
    stdout: stdout.bytes(),
    stderr: stderr.bytes(),
    truncated: stdout.isTruncated() || stderr.isTruncated(),
  };
}
