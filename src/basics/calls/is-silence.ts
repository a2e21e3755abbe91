/** No connection. That of a connection that was cut off is missing: the next attempt may well succeed. */
const codes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
]);
const names: ReadonlySet<string> = new Set(['TimeoutError', 'RequestTimeoutError']);

/** Whether nobody answered at an address. An answer of any kind, also an error, is none. `fetch` wraps the reason. */
export function isSilence(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, name, cause } = error as Error & { code?: unknown };
  if (typeof code === 'string') return codes.has(code);
  return names.has(name) || isSilence(cause);
}
