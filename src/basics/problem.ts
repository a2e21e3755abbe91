import type { TextPosition } from './text-position.ts';

/**
 * One problem of a user's document: its path (members separated by slashes) and a message. In a text that cannot be parsed,
 * also the place in it.
 */
export interface Problem extends Partial<TextPosition> {
  path: string;
  message: string;
}

/** A value, or all problems of the document it should come from. */
export type Outcome<T> = { ok: true; value: T } | { ok: false; problems: readonly Problem[] };

export const succeed = <T>(value: T): Outcome<T> => ({ ok: true, value });
export const reject = (problems: readonly Problem[]): Outcome<never> => ({ ok: false, problems });

/** Joins the parts of a path, omitting empty ones. */
export const at = (...parts: (string | number)[]): string => parts.filter((part) => part !== '').join('/');
