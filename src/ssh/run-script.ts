import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import type { Client, ClientChannel } from 'ssh2';
import { noChannel } from './connect.ts';

export interface ScriptRun {
  /** 128 and the signal's number for what a signal ended, as shells count; null when nobody said. */
  exitCode: number | null;
  stdout: Buffer;
  stderr: Buffer;
  /** Some of the output was too much to keep. */
  truncated: boolean;
}

export interface RunOptions {
  script: string;
  /** Of each of the two outputs. */
  maxBytes: number;
  /** Ends it before its time; what it said until then is kept. */
  signal: AbortSignal;
}

/**
 * The script comes on standard input, and where it ends is told by its length. It is run from a file, so it may be long, name
 * its own interpreter and read its own input, which is empty. `sh -c` and no single quote inside: whatever the user's login
 * shell is, it reads this alike.
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
    // Input that ends now means that the connection has: then the script has to go, and whatever it started. A signal sent
    // by ssh would not do, because OpenSSH delivers none to root.
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

/** Reads to the end, so that the script is never held up, and keeps the beginning. */
function collect(stream: Readable, maxBytes: number) {
  const kept: Buffer[] = [];
  let [size, all] = [0, 0];
  stream.on('data', (chunk: Buffer) => {
    all += chunk.length;
    const part = chunk.subarray(0, maxBytes - size);
    size += part.length;
    if (part.length > 0) kept.push(part);
  });
  return { bytes: () => Buffer.concat(kept), isCut: () => all > size };
}

const signalNumbers = new Map<string, number>(Object.entries(constants.signals));

export const exitCodeOf = (code: number | null, signal?: string): number | null => {
  if (code !== null || signal === undefined) return code;
  return 128 + (signalNumbers.get(`SIG${signal}`) ?? 127);
};

/** Until its end, or until nobody waits for it any more: closing the channel then ends it. */
async function untilOver(channel: ClientChannel, script: Buffer, signal: AbortSignal): Promise<void> {
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
  await untilOver(channel, script, options.signal);
  return {
    exitCode,
    stdout: stdout.bytes(),
    stderr: stderr.bytes(),
    truncated: stdout.isCut() || stderr.isCut(),
  };
}
