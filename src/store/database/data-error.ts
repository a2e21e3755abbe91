/** SQLSTATE class 22 of PostgreSQL, such as a number out of range, and what is like it in SQLite. */
const dataErrors = /^(?:22\w{3}|SQLITE_TOOBIG|SQLITE_MISMATCH)$/;

/** Whether the database refuses a value: the same statement never succeeds. */
export const isDataError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && dataErrors.test(error.code);
