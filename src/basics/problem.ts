/** One thing wrong with a user's document: where (slash-separated members), and a sentence about it. */
export interface Problem {
  path: string;
  message: string;
}

/** A value, or everything that is wrong with the document it should have come from. */
export type Outcome<T> = { ok: true; value: T } | { ok: false; problems: readonly Problem[] };

export const succeed = <T>(value: T): Outcome<T> => ({ ok: true, value });
export const reject = (problems: readonly Problem[]): Outcome<never> => ({ ok: false, problems });

/** Joins the parts of a path, leaving out the empty ones. */
export const at = (...parts: (string | number)[]): string => parts.filter((part) => part !== '').join('/');
