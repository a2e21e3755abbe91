import type { NewVersion } from './new-version.ts';

/** Set if the server updates the stack by itself, after a push or a call of a deploy hook. */
export interface Automatic {
  /** Why, as a sentence without its full stop. */
  cause?: string | undefined;
  /** Layers whose agents redeploy even if their containers do not change. */
  redeploy?: readonly string[] | undefined;
}

/** The version with its cause, which the events of the stack say too. */
export const withCause = (version: NewVersion, { cause, redeploy = [] }: Automatic): NewVersion => ({
  ...version,
  redeploy,
  ...(cause === undefined
    ? {}
    : {
        row: { ...version.row, cause },
        message: `${cause}. The stack is updated in the name of ${version.row.created_by}.`,
      }),
});
