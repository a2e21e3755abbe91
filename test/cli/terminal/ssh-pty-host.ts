import { spawn as spawnProcess } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type IPty, spawn } from '@lydell/node-pty';
import ssh2, { type AuthContext, type Connection, type Server, type ServerChannel, type Session } from 'ssh2';
import { publicBlobOf } from '../../api/ssh/host.ts';

/** OURS, in place of an instance: it speaks ssh on the loopback, runs real processes, and its terminals are real ones. */
export class PtyHost {
  port = 0;
  /** Everything its terminals have shown so far. */
  bytesShown = 0;
  readonly users: string[] = [];
  readonly #allowed: Buffer[] = [];
  readonly #open = new Set<Connection>();
  #server: Server | undefined;

  static async start(): Promise<PtyHost> {
    const host = new PtyHost();
    // Node's own: of the Ed25519 keys that ssh2 makes, one in some hundred is none.
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const hostKeys = [privateKey.export({ type: 'sec1', format: 'pem' })];
    const server = new ssh2.Server({ hostKeys }, (connection) => host.#serve(connection));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    host.port = (server.address() as AddressInfo).port;
    host.#server = server;
    return host;
  }

  /** Lets whoever has this key in. */
  allow(privatePem: string): void {
    this.#allowed.push(publicBlobOf(privatePem));
  }

  dial = (): Socket => connect({ port: this.port, host: '127.0.0.1' });

  async close(): Promise<void> {
    for (const connection of this.#open) connection.end();
    await new Promise<void>((resolve) => this.#server?.close(() => resolve()) ?? resolve());
  }

  #serve(connection: Connection): void {
    this.#open.add(connection);
    connection.on('error', () => {});
    connection.on('close', () => this.#open.delete(connection));
    connection.on('authentication', (context) => this.#authenticate(context));
    connection.on('session', (accept) => this.#talk(accept()));
  }

  #authenticate(context: AuthContext): void {
    const fits = context.method === 'publickey' && this.#allowed.some((key) => key.equals(context.key.data));
    if (!fits) return context.reject(['publickey']);
    this.users.push(context.username);
    context.accept();
  }

  #talk(session: Session): void {
    let size = { cols: 80, rows: 24 };
    let pty: IPty | undefined;
    session.on('pty', (accept, _reject, { cols, rows }) => {
      size = { cols, rows };
      accept?.();
    });
    session.on('window-change', (accept, _reject, { cols, rows }) => {
      pty?.resize(cols, rows);
      accept?.();
    });
    session.on('shell', (accept) => (pty = this.#shell(accept(), size)));
    session.on('exec', (accept, _reject, { command }) => runCommand(accept(), command));
  }

  #shell(channel: ServerChannel, size: { cols: number; rows: number }): IPty {
    const env = { PATH: process.env.PATH ?? '', PS1: 'remote> ', TERM: 'xterm-256color', LANG: 'C.UTF-8' };
    const pty = spawn('bash', ['--norc', '--noprofile'], { ...size, env, encoding: null });
    pty.onData((data) => {
      const bytes = Buffer.from(data);
      this.bytesShown += bytes.length;
      if (channel.write(bytes)) return;
      pty.pause();
      channel.once('drain', () => pty.resume());
    });
    channel.on('data', (bytes: Buffer) => pty.write(bytes as unknown as string)); // bytes are taken as well
    channel.on('error', () => {});
    channel.on('close', () => pty.kill('SIGKILL'));
    pty.onExit(({ exitCode }) => {
      channel.exit(exitCode);
      channel.end();
    });
    return pty;
  }
}

function runCommand(channel: ServerChannel, command: string): void {
  const child = spawnProcess('sh', ['-c', command], {
    detached: true,
    env: { PATH: process.env.PATH, SHELL: '/bin/sh' },
  });
  channel.pipe(child.stdin).on('error', () => {});
  channel.on('close', () => child.stdin.end());
  child.stdout.pipe(channel, { end: false });
  child.stderr.pipe(channel.stderr, { end: false });
  child.on('close', (code) => {
    channel.exit(code ?? 1);
    channel.end();
    channel.close();
  });
}
