import { Failure } from '../../../basics/failure.ts';

/** SQLSTATE of two transactions that wait for each other: PostgreSQL gives up one of them. */
export const deadlock = '40P01';

export const codeOf = (error: unknown): unknown => (error as { code?: unknown } | undefined)?.code;

/** The same transaction may succeed at once. Apart from the pool: servers on SQLite do not load the driver of PostgreSQL. */
export const isDeadlock = (error: unknown): boolean =>
  error instanceof Failure && codeOf(error.cause) === deadlock;
