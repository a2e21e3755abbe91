/** Exit codes of `alm` with their meaning. docs/cli.md is generated from this table. */
export const exitCodes = {
  done: [0, 'success'],
  refused: [1, 'the service rejected the request, or another error occurred'],
  usage: [2, 'invalid command line; no request was sent'],
  operationFailed: [3, 'the operation ran and failed: a failed stack, a script with a non-zero exit code'],
  signIn: [4, 'not signed in, or the login has expired: alm login'],
  forbidden: [5, 'permission denied by your roles'],
  notFound: [6, 'not found'],
  conflict: [7, 'conflict with the current state (409, 412)'],
  noAnswer: [8, 'connection failed, or no response or result before the timeout'],
  interrupted: [130, 'interrupted with Ctrl-C'],
} as const satisfies Record<string, readonly [code: number, meaning: string]>;

export type ExitReason = keyof typeof exitCodes;

export const exitCodeOf = (reason: ExitReason): number => exitCodes[reason][0];

/** Maps the status of an error response to an exit reason; never to success. */
export const exitReasonOf = (status: number): ExitReason => {
  if (status === 401) return 'signIn';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'notFound';
  if (status === 409 || status === 412) return 'conflict';
  return 'refused';
};
