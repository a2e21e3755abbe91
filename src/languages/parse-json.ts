import { findJsonError } from '../basics/json/error.ts';
import { exceededLimit } from '../basics/json/text.ts';
import { type Outcome, reject, succeed } from '../basics/problem.ts';
import { syntaxProblem } from '../basics/text-position.ts';
import { maxBrackets, maxValues, nestedTooDeeply, tooManyValues } from './plain-values.ts';

/** Parses strict JSON. `path` is where the text is in the request. */
export const parseJson = (text: string, path = ''): Outcome<unknown> => {
  const exceeded = exceededLimit(text, { depth: maxBrackets, values: maxValues });
  if (exceeded) return reject([{ path, message: exceeded === 'depth' ? nestedTooDeeply : tooManyValues }]);
  const error = findJsonError(text);
  if (!error) return succeed(JSON.parse(text));
  return reject([syntaxProblem(text, { language: 'JSON', ...error }, path)]);
};
