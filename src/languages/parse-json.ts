import { type Outcome, reject, succeed } from '../basics/problem.ts';
import { findJsonTrouble } from './json-trouble.ts';

/** Where in a text, for people. */
export const placeIn = (text: string, offset: number): string => {
  const before = text.slice(0, offset).split('\n');
  return `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
};

/** Strict JSON as a value. `path` is where the text stands in what the user sent. */
export const parseJson = (text: string, path = ''): Outcome<unknown> => {
  const trouble = findJsonTrouble(text);
  if (!trouble) return succeed(JSON.parse(text));
  const message = `is not valid JSON: ${placeIn(text, trouble.offset)}: ${trouble.sentence}.`;
  return reject([{ path, message }]);
};
