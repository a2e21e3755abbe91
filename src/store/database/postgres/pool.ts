import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { DatabaseUnavailable } from '../unavailable.ts';
import { codeOf, deadlock } from './deadlock.ts';
import { StatementNames } from './prepared.ts';
import { NamingSender, plainSender, type Sender } from './sender.ts';

/** SQLSTATE classes and codes: connection errors, shutdown, crash, start-up, too many connections, idle in a transaction. */
const connectionStates = /^(08|57P0[123]|53300|25P03)/;
const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
/** Errors of `pg` itself have no code. */
const driverMessages =
  /^(Connection terminated|Client has encountered a connection error|Query read timeout|timeout e)/;

/** Whether the connection is lost or could not be made: the same request may succeed later, on another connection. */
function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as Error & { code?: unknown };
  if (typeof code === 'string') return connectionStates.test(code) || networkCodes.has(code);
  return driverMessages.test(error.message);
}

/** SQLSTATE of a statement that PostgreSQL gave up, most likely because it waited for a lock. The connection is intact. */
const isGivenUp = (error: unknown): boolean => codeOf(error) === '57014' || codeOf(error) === deadlock;

/** SQLSTATE of a write to a standby that was not promoted yet, or to a server that was made read-only. */
const isReadOnly = (error: unknown): boolean => codeOf(error) === '25006';

const notAvailable =
  'The connection to PostgreSQL was lost or could not be made, or it does not answer, or another transaction is in the way. Try again in a few seconds.';
const readOnly =
  'PostgreSQL accepts no changes: it is a standby that was not promoted yet, or it was made read-only. Try again in a few seconds.';

function asFailure(error: unknown): unknown {
  const isOutage = isConnectionError(error) || isGivenUp(error);
  if (!isOutage && !isReadOnly(error)) return error;
  const description = isOutage ? notAvailable : readOnly;
  return new DatabaseUnavailable('The database is not available', {
    description,
    retryAfter: 5,
    cause: error,
  });
}

/** A client whose connection errors are outages, and which leaves the pool after the first of them. */
function guardClient(client: pg.PoolClient, sender: Sender): PostgresPoolClient {
  let outage: unknown = null;
  return {
    async query<R>(statement: string, parameters: readonly unknown[] = []) {
      // A transaction is rolled back after an error: do not wait for an answer once more.
      if (outage !== null) throw outage;
      try {
        return (await sender.query(statement, parameters as unknown[])) as R;
      } catch (error) {
        const failure = asFailure(error);
        // The next connection may lead to the server that was promoted in between.
        if (isConnectionError(error) || isReadOnly(error)) outage = failure;
        throw failure;
      }
    },
    release: () => client.release(outage !== null || sender.isOutdated),
  } as PostgresPoolClient;
}

/** PostgreSQL gives up first, so that the connection and its locks do not outlive the request. */
const giveUpBeforeMs = 1_000;

/** Not in the connection parameters: proxies of PostgreSQL refuse those that they do not know. */
const limitsOf = (timeoutMs: number): string[] => [
  `set statement_timeout to ${timeoutMs - giveUpBeforeMs}`,
  // A server that PostgreSQL cannot reach any more must not keep its locks.
  `set idle_in_transaction_session_timeout to ${timeoutMs}`,
];

/** Limits the statements of a new connection. True: it is one to PostgreSQL itself. A pooler sends a process id of its own. */
async function settleIn(client: pg.PoolClient, timeoutMs: number | undefined): Promise<boolean> {
  const limits = timeoutMs === undefined ? [] : limitsOf(timeoutMs);
  const { processID } = client as pg.PoolClient & { processID?: number };
  const asked = client.query([...limits, 'select pg_backend_pid() as pid'].join('; '));
  const results = [(await asked) as pg.QueryResult | pg.QueryResult[]].flat();
  return results.at(-1)?.rows[0].pid === processID;
}

/** A pool for Kysely that survives restarts of PostgreSQL and never waits for ever for a connection. */
export function guardedPool(config: pg.PoolConfig): PostgresPool {
  const pool = new pg.Pool({ connectionTimeoutMillis: 5_000, keepAlive: true, ...config });
  const guarded = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  const names = new StatementNames();
  pool.on('error', () => {}); // an idle connection was lost; the pool opens another when it needs one
  // Without a listener, losing a connection in use ends the process. Its query fails too, which reports the error.
  pool.on('connect', (client) => void client.on('error', () => {}));
  const welcome = async (client: pg.PoolClient): Promise<PostgresPoolClient> => {
    try {
      const isDirect = await settleIn(client, config.query_timeout);
      const sending = { names, timeoutMs: config.query_timeout };
      const sender = isDirect ? new NamingSender(client, sending) : plainSender(client);
      const known = guardClient(client, sender);
      guarded.set(client, known);
      return known;
    } catch (error) {
      client.release(true);
      throw error;
    }
  };
  return {
    async connect() {
      try {
        const client = await pool.connect();
        return guarded.get(client) ?? (await welcome(client));
      } catch (error) {
        throw asFailure(error);
      }
    },
    end: () => pool.end(),
  };
}
