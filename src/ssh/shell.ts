import type { Client, ClientChannel } from 'ssh2';
import { noChannel } from './connect.ts';
import { exitCodeOf } from './run-script.ts';

export interface Size {
  columns: number;
  rows: number;
}

/** Receiver of a shell's output. */
export interface Screen {
  output(bytes: Buffer): void;
  /** Called after `write` returned false, when more can be written. */
  drained(): void;
}

export interface Shell {
  /** Returns false if the caller must wait for `drained`. */
  write(bytes: Buffer): boolean;
  resize(size: Size): void;
  /** No output is delivered between `pause` and `resume`. */
  pause(): void;
  resume(): void;
  /** Settles with the exit code; null if the shell reported none. */
  ended: Promise<number | null>;
}

const open = (client: Client, { columns, rows }: Size): Promise<ClientChannel> =>
  new Promise((resolve, reject) => {
    const window = { term: 'xterm-256color', cols: columns, rows, width: 0, height: 0 };
    client.shell(window, (error, channel) => (error ? reject(noChannel(error)) : resolve(channel)));
  });

const endOf = (channel: ClientChannel): Promise<number | null> =>
  new Promise((resolve) => {
    let exitCode: number | null = null;
    channel.on('exit', (code: number | null, signal?: string) => {
      exitCode = exitCodeOf(code, signal);
    });
    channel.on('error', () => {}); // `close` follows
    channel.once('close', () => resolve(exitCode));
  });

/** Opens the user's login shell on a new terminal. */
export async function openShell(client: Client, size: Size, screen: Screen): Promise<Shell> {
  const channel = await open(client, size);
  const ended = endOf(channel);
  channel.on('data', (bytes: Buffer) => screen.output(bytes));
  channel.stderr.on('data', (bytes: Buffer) => screen.output(bytes));
  channel.on('drain', () => screen.drained());
  return {
    write: (bytes) => channel.write(bytes),
    resize: ({ columns, rows }) => channel.setWindow(rows, columns, 0, 0),
    pause: () => void channel.pause(),
    resume: () => void channel.resume(),
    ended,
  };
}
