import { formats } from './formats.ts';
import { computed, mentionsSealed } from './placeholders.ts';
import type { Location } from './report.ts';
import { urlSecretProblem, withoutSealedParts } from './url-members.ts';

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

const textProblem = (scalar: Scalar, text: string): string | null => {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, format = '' } = scalar;
  const plain = withoutSealedParts(text, format);
  if (text.includes(computed)) return `does not support "${computed}"; write the value.`;
  if (mentionsSealed(plain) && format !== 'password')
    return 'cannot contain a secret; a secret can only be the value of a member for secrets.';
  if (text.length < minLength) return 'must not be empty.';
  if (plain.length > maxLength) return `must be at most ${maxLength} characters; it has ${plain.length}.`;
  return urlSecretProblem(plain, format) ?? formats[format]?.(plain) ?? null;
};

export const readText = (scalar: Scalar, value: unknown, { path, report }: Location): string | undefined => {
  const isNumber = typeof value === 'number' && Number.isFinite(value);
  if (typeof value !== 'string' && !isNumber) return report(path, 'must be a string.');
  const text = String(value);
  const word = scalar.enum?.find((candidate) => candidate.toLowerCase() === text.trim().toLowerCase());
  if (word !== undefined) return word;
  const problem = scalar.enum ? `must be one of ${scalar.enum.join(', ')}.` : textProblem(scalar, text);
  return problem === null ? text : report(path, problem);
};

export const readInteger = (
  scalar: Scalar,
  value: unknown,
  { path, report }: Location,
): number | undefined => {
  const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = scalar;
  const isNumeral = typeof value === 'string' && /^\s*-?\d{1,16}\s*$/.test(value);
  const number = typeof value === 'number' || isNumeral ? Number(value) : Number.NaN;
  // Adding 0 turns "-0" into 0.
  if (Number.isSafeInteger(number) && number >= minimum && number <= maximum) return number + 0;
  const range =
    maximum === Number.MAX_SAFE_INTEGER ? `, at least ${minimum}` : ` from ${minimum} to ${maximum}`;
  return report(path, `must be an integer${range}.`);
};
