import type pg from 'pg';

/** Each connection keeps the plans of its named statements, a few kilobytes each. */
const maxNames = 250;
/** Texts that are counted: those with lists of parameters have many forms. */
const maxTexts = 2000;
const usesBeforeName = 3;

/** Names for texts that come again and again: PostgreSQL parses and plans such a statement once for each connection. */
export class StatementNames {
  readonly #uses = new Map<string, number>();
  readonly #names = new Map<string, string>();

  /** Undefined: the text has not come often enough, or there are too many. */
  nameOf(text: string): string | undefined {
    return this.#names.get(text) ?? this.#count(text);
  }

  #count(text: string): string | undefined {
    if (this.#names.size >= maxNames) return undefined;
    const uses = (this.#uses.get(text) ?? 0) + 1;
    if (uses < usesBeforeName) {
      if (this.#uses.size >= maxTexts) this.#uses.clear();
      this.#uses.set(text, uses);
      return undefined;
    }
    this.#uses.delete(text);
    const name = `almanac_${this.#names.size}`;
    this.#names.set(text, name);
    return name;
  }
}

/** Another server may have changed the tables, or a pooler the connection, since the statement was planned. */
const isOutdated = (error: unknown): boolean => {
  // Not the message: PostgreSQL translates it.
  const { code, routine } = error as { code?: unknown; routine?: unknown };
  return code === '26000' || (code === '0A000' && routine === 'RevalidateCachedQuery');
};

const begins = /^\s*(begin|start transaction)\b/i;
const ends = /^\s*(commit|rollback)\b(?! to)/i;

/** Sends statements over one connection, by name if there are names: PostgreSQL knows those of this connection only. */
export class NamingClient {
  readonly #client: pg.PoolClient;
  #names: StatementNames | null;
  /** Another connection can name its statements again. */
  isOutdated = false;
  #isInTransaction = false;

  constructor(client: pg.PoolClient, names: StatementNames | null) {
    this.#client = client;
    this.#names = names;
  }

  /** Whether the statement begins or ends a transaction: such a one has no plan. */
  #noteTransaction(text: string): boolean {
    if (begins.test(text)) this.#isInTransaction = true;
    else if (ends.test(text)) this.#isInTransaction = false;
    else return false;
    return true;
  }

  async query(text: string, values: unknown[]): Promise<unknown> {
    const name = this.#noteTransaction(text) ? undefined : this.#names?.nameOf(text);
    if (name === undefined) return this.#client.query(text, values);
    try {
      return await this.#client.query({ name, text, values });
    } catch (error) {
      if (!isOutdated(error)) throw error;
      this.#names = null;
      this.isOutdated = true;
      // PostgreSQL has given up the transaction.
      if (this.#isInTransaction)
        throw new Error('Connection terminated: its statements are outdated', { cause: error });
      return this.#client.query(text, values);
    }
  }
}
