import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { Writable } from 'node:stream';
import ssh2, { type AuthContext, type Connection, type Server, type ServerChannel, type Session } from 'ssh2';

/** What ssh calls the public half of an Ed25519 key. */
export function publicBlobOf(privatePem: string): Buffer {
  const { x = '' } = createPublicKey(privatePem).export({ format: 'jwk' });
  const part = (bytes: Buffer) => Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), bytes]);
  return Buffer.concat([part(Buffer.from('ssh-ed25519')), part(Buffer.from(x, 'base64url'))]);
}

/** An instance that speaks ssh on this machine's loopback: it runs what it is told in real processes. */
export class SshHost {
  port = 0;
  /** Everything any shell or command has written to a caller so far. */
  bytesSent = 0;
  connections = 0;
  readonly users: string[] = [];
  #server: Server | undefined;
  readonly #open = new Set<Connection>();
  readonly #running = new Set<ChildProcessWithoutNullStreams>();
  #allowed: Buffer | undefined;

  /** Without a key nobody is let in. */
  static async start(allowedPrivatePem?: string): Promise<SshHost> {
    const host = new SshHost();
    if (allowedPrivatePem !== undefined) host.#allowed = publicBlobOf(allowedPrivatePem);
    await host.listen();
    return host;
  }

  /** With a host key of its own: the same address, another host. */
  async listen(): Promise<void> {
    // Node's own: of the Ed25519 keys that ssh2 makes, one in some hundred is none.
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const hostKeys = [privateKey.export({ type: 'sec1', format: 'pem' })];
    const server = new ssh2.Server({ hostKeys }, (connection) => this.#serve(connection));
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
    this.port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  async close(): Promise<void> {
    for (const child of this.#running) child.kill('SIGKILL');
    for (const connection of this.#open) connection.end();
    await new Promise<void>((resolve) => this.#server?.close(() => resolve()) ?? resolve());
  }

  #serve(connection: Connection): void {
    this.#open.add(connection);
    this.connections += 1;
    connection.on('error', () => {});
    connection.on('close', () => {
      this.#open.delete(connection);
      this.connections -= 1;
    });
    connection.on('authentication', (context) => this.#authenticate(context));
    connection.on('session', (accept) => this.#talk(accept()));
  }

  #authenticate(context: AuthContext): void {
    if (context.method !== 'publickey' || !this.#allowed?.equals(context.key.data)) {
      context.reject(['publickey']);
      return;
    }
    this.users.push(context.username);
    context.accept();
  }

  #talk(session: Session): void {
    let channel: ServerChannel | undefined;
    let size = '';
    session.on('pty', (accept, _reject, { cols, rows }) => {
      size = `${cols}x${rows}`;
      accept?.();
    });
    session.on('window-change', (accept, _reject, { cols, rows }) => {
      channel?.write(`size ${cols}x${rows}\r\n`);
      accept?.();
    });
    session.on('exec', (accept, _reject, { command }) => this.#run(accept(), ['-c', command]));
    session.on('shell', (accept) => {
      channel = accept();
      channel.write(`welcome ${size}\r\n`);
      this.#run(channel, ['-i']);
    });
  }

  #run(channel: ServerChannel, args: string[]): void {
    const child = spawn('sh', args, {
      detached: true,
      env: { PATH: process.env.PATH, PS1: '$ ', SHELL: '/bin/sh' },
    });
    this.#running.add(child);
    channel.on('close', () => child.stdin.end());
    channel.pipe(child.stdin).on('error', () => {});
    for (const [from, to] of [
      [child.stdout, channel],
      [child.stderr, channel.stderr],
    ] as const) {
      from.on('data', (bytes: Buffer) => (this.bytesSent += bytes.length));
      to.on('error', () => {}); // the caller hung up
      from.pipe(to, { end: false });
    }
    const end = (code: number | null, signal: string | null) => {
      if (signal) channel.exit(signal.slice(3), false, '');
      else channel.exit(code ?? 0);
      channel.end();
      channel.close();
    };
    child.on('close', (code, signal) => {
      this.#running.delete(child);
      // Not before all it said is sent: a caller who reads slowly would miss the end of it.
      void Promise.all([isSent(channel), isSent(channel.stderr)]).then(() => end(code, signal));
    });
  }
}

/** Looks again and again: a stream tells that it is empty only to those it told before that it is full. */
async function isSent(stream: Writable): Promise<void> {
  while (stream.writableLength > 0 && !stream.destroyed) await new Promise((look) => setImmediate(look));
}
