import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';

const bin = process.env.TEST_POSTGRES_BIN ?? '';

/** PostgreSQL refuses to run as root. */
const asPostgres = (...argv: string[]): void => {
  const isRoot = process.getuid?.() === 0;
  const [program = '', ...args] = isRoot ? ['runuser', '-u', 'postgres', '--', ...argv] : argv;
  execFileSync(program, args, { cwd: '/', stdio: 'ignore' });
};

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A PostgreSQL server for one suite, which it may stop, kill and restart. */
export class OwnPostgres {
  readonly #directory: string;
  readonly #port: number;

  private constructor(directory: string, port: number) {
    this.#directory = directory;
    this.#port = port;
  }

  static async start(): Promise<OwnPostgres> {
    const directory = mkdtempSync('/tmp/almanac-own-postgres-');
    if (process.getuid?.() === 0) execFileSync('chown', ['postgres', directory]);
    const server = new OwnPostgres(directory, await freePort());
    asPostgres(join(bin, 'initdb'), '-D', server.#data, '-U', 'almanac', '-A', 'trust');
    server.startAgain();
    return server;
  }

  get #data(): string {
    return join(this.#directory, 'data');
  }

  get url(): string {
    return `postgres://almanac@127.0.0.1:${this.#port}/postgres`;
  }

  startAgain(): void {
    const options = `-p ${this.#port} -k ${this.#directory} -c listen_addresses=127.0.0.1 -c max_connections=100`;
    const log = join(this.#directory, 'log');
    asPostgres(join(bin, 'pg_ctl'), '-D', this.#data, '-l', log, '-w', '-o', options, 'start');
  }

  /** `immediate` is a crash: no connection is closed in order. */
  stop(mode: 'fast' | 'immediate'): void {
    asPostgres(join(bin, 'pg_ctl'), '-D', this.#data, '-m', mode, '-w', 'stop');
  }

  /** Closes every connection of Almanac's servers from the side of PostgreSQL. */
  async terminateBackends(): Promise<void> {
    const client = new pg.Client({ connectionString: this.url });
    await client.connect();
    await client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'almanac%'",
    );
    await client.end();
  }

  close(): void {
    this.stop('immediate');
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
