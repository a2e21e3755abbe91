/** What a script can tell from how `alm` ended. The page docs/cli.md is made from this table. */
export const exitCodes = {
  done: [0, 'it was done'],
  refused: [1, 'the service refused it, or something else went wrong'],
  usage: [2, 'the command line is wrong; nothing was sent'],
  endedBadly: [3, 'it was done and ended badly: a stack that failed, a script with an exit code'],
  signIn: [4, 'not signed in, or the sign-in has expired: alm login'],
  forbidden: [5, 'your roles do not allow it'],
  notFound: [6, 'there is no such thing'],
  conflict: [7, 'it does not go together with what is there (409, 412)'],
  noAnswer: [8, 'the service was not reached, or did not answer or finish in time'],
  interrupted: [130, 'Ctrl-C'],
} as const satisfies Record<string, readonly [code: number, meaning: string]>;

export type Ending = keyof typeof exitCodes;

export const codeOf = (ending: Ending): number => exitCodes[ending][0];

/** Any answer that is no success has a code of its own, and none is zero. */
export const endingOfStatus = (status: number): Ending => {
  if (status === 401) return 'signIn';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'notFound';
  if (status === 409 || status === 412) return 'conflict';
  return 'refused';
};
