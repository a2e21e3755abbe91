import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { eventually } from '../../http.ts';
import { freePort } from '../own-postgres.ts';

/** So few that servers must share them. */
const connections = 4;

const configuration = (database: URL, port: number): string => `[databases]
* = host=${database.hostname} port=${database.port} user=almanac
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${connections}
max_client_conn = 200
`;

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.on('error', () => resolve(false));
    socket.unref();
    socket.once('connect', () => socket.destroy());
  });

/** A real pgbouncer in transaction mode, in front of a PostgreSQL server. */
export class Pgbouncer {
  readonly #process: ChildProcess;
  readonly #directory: string;
  readonly url: string;

  private constructor(process: ChildProcess, directory: string, url: string) {
    this.#process = process;
    this.#directory = directory;
    this.url = url;
  }

  static async start(databaseUrl: string): Promise<Pgbouncer> {
    const database = new URL(databaseUrl);
    const port = await freePort();
    const directory = mkdtempSync('/tmp/almanac-pgbouncer-');
    const file = join(directory, 'pgbouncer.ini');
    writeFileSync(file, configuration(database, port));
    const isRoot = process.getuid?.() === 0;
    if (isRoot) execFileSync('chown', ['-R', 'postgres', directory]);
    // It refuses to run as root.
    const [program, ...argv] = [
      ...(isRoot ? ['runuser', '-u', 'postgres', '--'] : []),
      'pgbouncer',
      '-q',
      file,
    ];
    const child = spawn(program, argv, { cwd: '/', stdio: 'ignore' });
    await eventually(() => isListening(port), Boolean);
    database.port = String(port);
    return new Pgbouncer(child, directory, database.href);
  }

  async close(): Promise<void> {
    const ended = once(this.#process, 'close');
    this.#process.kill('SIGTERM');
    await ended;
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
