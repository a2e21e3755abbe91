import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';

const bin = process.env.TEST_POSTGRES_BIN ?? '';

/** PostgreSQL refuses to run as root. */
const asPostgres = (network: Network, ...argv: string[]): void => {
  const isRoot = process.getuid?.() === 0;
  const own = isRoot ? ['runuser', '-u', 'postgres', '--', ...argv] : argv;
  const [program = '', ...args] = [...network.prefix, ...own];
  execFileSync(program, args, { cwd: '/', stdio: 'ignore' });
};

/** Where PostgreSQL listens, and the command that starts programs there. */
export interface Network {
  address: string;
  prefix: readonly string[];
}

const thisMachine: Network = { address: '127.0.0.1', prefix: [] };

export async function freePort(): Promise<number> {
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
  readonly #network: Network;

  private constructor(directory: string, port: number, network: Network) {
    this.#directory = directory;
    this.#port = port;
    this.#network = network;
  }

  static async start(network = thisMachine): Promise<OwnPostgres> {
    const directory = mkdtempSync('/tmp/almanac-own-postgres-');
    if (process.getuid?.() === 0) execFileSync('chown', ['postgres', directory]);
    const server = new OwnPostgres(directory, await freePort(), network);
    asPostgres(network, join(bin, 'initdb'), '-D', server.#data, '-U', 'almanac', '-A', 'trust');
    appendFileSync(join(server.#data, 'pg_hba.conf'), 'host all all 0.0.0.0/0 trust\n');
    server.startAgain();
    return server;
  }

  get #data(): string {
    return join(this.#directory, 'data');
  }

  get url(): string {
    return `postgres://almanac@${this.#network.address}:${this.#port}/postgres`;
  }

  startAgain(): void {
    const options = `-p ${this.#port} -k ${this.#directory} -c listen_addresses=${this.#network.address} -c max_connections=100`;
    const log = join(this.#directory, 'log');
    asPostgres(this.#network, join(bin, 'pg_ctl'), '-D', this.#data, '-l', log, '-w', '-o', options, 'start');
  }

  /** `immediate` is a crash: no connection is closed in order. */
  stop(mode: 'fast' | 'immediate'): void {
    asPostgres(this.#network, join(bin, 'pg_ctl'), '-D', this.#data, '-m', mode, '-w', 'stop');
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

  /** The connections on which Almanac's servers listen for notifications. */
  async countListeners(): Promise<number> {
    return this.ask("select pid from pg_stat_activity where application_name = 'almanac listener'");
  }

  /** Returns the number of rows. */
  async ask(statement: string): Promise<number> {
    const client = new pg.Client({ connectionString: this.url });
    await client.connect();
    const { rows } = await client.query(statement);
    await client.end();
    return rows.length;
  }

  close(): void {
    this.stop('immediate');
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
