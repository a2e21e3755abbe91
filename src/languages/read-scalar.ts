import { formats } from './formats.ts';
import { computed, mentionsSealed } from './placeholders.ts';
import type { Report } from './report.ts';

/** The part of JSON schema that is about single values. */
export interface Scalar {
  type?: string;
  description?: string;
  enum?: readonly string[];
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
}

const troubleWithText = (scalar: Scalar, text: string): string | null => {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, format = '' } = scalar;
  if (text.includes(computed)) return `cannot be "${computed}"; write the value itself.`;
  if (mentionsSealed(text) && format !== 'password')
    return 'cannot use a secret; secrets can only be used as themselves.';
  if (text.length < minLength) return 'must not be empty.';
  if (text.length > maxLength)
    return `must be at most ${maxLength} characters long; this has ${text.length}.`;
  return formats[format]?.(text) ?? null;
};

export const readText = (
  scalar: Scalar,
  value: unknown,
  path: string,
  report: Report,
): string | undefined => {
  const isNumber = typeof value === 'number' && Number.isFinite(value);
  if (typeof value !== 'string' && !isNumber) return report(path, 'must be text.');
  const text = String(value);
  const word = scalar.enum?.find((candidate) => candidate.toLowerCase() === text.trim().toLowerCase());
  if (word !== undefined) return word;
  const trouble = scalar.enum ? `must be one of ${scalar.enum.join(', ')}.` : troubleWithText(scalar, text);
  return trouble === null ? text : report(path, trouble);
};

export const readInteger = (
  scalar: Scalar,
  value: unknown,
  path: string,
  report: Report,
): number | undefined => {
  const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = scalar;
  const isNumeral = typeof value === 'string' && /^\s*-?\d{1,16}\s*$/.test(value);
  const number = typeof value === 'number' || isNumeral ? Number(value) : Number.NaN;
  // Adding 0 makes "-0" a plain 0.
  if (Number.isSafeInteger(number) && number >= minimum && number <= maximum) return number + 0;
  const range = maximum === Number.MAX_SAFE_INTEGER ? `${minimum} or more` : `from ${minimum} to ${maximum}`;
  return report(path, `must be a whole number, ${range}.`);
};
