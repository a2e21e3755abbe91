import pg from 'pg';

export interface Statement {
  /** PostgreSQL keeps the plan under this name. */
  name?: string | undefined;
  text: string;
  values: unknown[];
}

/** Parts of `pg` that its types do not declare. */
interface Wire {
  stream: { cork(): void; uncork(): void };
  submittedNamedStatements: Record<string, string>;
}
interface WireQuery {
  name?: string | undefined;
  query_timeout?: number | undefined;
  callback: (error: Error | undefined, result: unknown) => void;
  submit(wire: Wire): Error | null;
  prepare(wire: Wire): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, wire: Wire): void;
}
const PgQuery = pg.Query as unknown as new (config: Statement) => WireQuery;

/** The connection for a statement that others follow: PostgreSQL answers all of them at once. */
const withoutAnswer = (wire: Wire): Wire =>
  Object.assign(Object.create(wire) as Wire, { describe: () => {}, sync: () => {} });

/** Statements that travel together: PostgreSQL runs them in order until one fails. Only what the last one gives back is returned. */
class Batch extends PgQuery {
  readonly #earlier: readonly Statement[];
  readonly #name: string | undefined;
  #unanswered: number;

  constructor(earlier: readonly Statement[], last: Statement) {
    super(last);
    this.#earlier = earlier;
    this.#name = last.name;
    this.#unanswered = earlier.length;
  }

  override submit(wire: Wire): null {
    wire.stream.cork();
    try {
      const silent = withoutAnswer(wire);
      for (const statement of this.#earlier) new PgQuery(statement).prepare(silent);
      this.prepare(wire);
      this.#hideName(wire);
    } finally {
      wire.stream.uncork();
    }
    return null;
  }

  /** Until its own turn: `pg` would take the plan of an earlier statement for the one of this name, also if this one is never reached. */
  #hideName(wire: Wire): void {
    if (this.#name !== undefined) delete wire.submittedNamedStatements[this.#name];
    this.name = undefined;
  }

  override handleDataRow(message: unknown): void {
    if (this.#unanswered === 0) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, wire: Wire): void {
    if (this.#unanswered === 0) return super.handleCommandComplete(message, wire);
    this.#unanswered -= 1;
    if (this.#unanswered === 0) this.name = this.#name;
  }
}

interface Sent {
  earlier: readonly Statement[];
  last: Statement;
  /** When no answer is expected any more. Undefined: as for a single statement. */
  timeoutMs: number | undefined;
}

export const sendTogether = (client: pg.PoolClient, { earlier, last, timeoutMs }: Sent): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const batch = new Batch(earlier, last);
    batch.query_timeout = timeoutMs;
    batch.callback = (error, result) => (error ? reject(error) : resolve(result));
    client.query(batch as unknown as pg.Submittable);
  });
