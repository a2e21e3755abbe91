import { isObject } from '../is-object.ts';
import { at, type Problem } from '../problem.ts';

// oxlint-disable-next-line no-control-regex -- NUL is what it looks for
const unreadable = /\u0000|\p{Cs}/u;
// oxlint-disable-next-line no-control-regex -- NUL is what it replaces
const everyUnreadable = /\u0000|\p{Cs}/gu;

/**
 * What no text may contain: PostgreSQL cannot store NUL, and half of a surrogate pair has no UTF-8 form, so it would be
 * stored as another character.
 */
export const textProblem = (text: string): string | null => {
  if (!unreadable.test(text)) return null;
  return text.includes('\0')
    ? 'must not contain the character NUL (U+0000).'
    : 'must not contain half of a surrogate pair (U+D800 to U+DFFF).';
};

/** More problems help nobody. */
const maxProblems = 20;

/** The name can be the problem, and an error must be readable. */
export const readableName = (name: string): string => name.replaceAll(everyUnreadable, '\uFFFD');

const nameProblem = (name: string, path: string): Problem[] => {
  const problem = textProblem(name);
  return problem === null ? [] : [{ path, message: `has a name that ${problem}` }];
};

const valueProblem = (value: unknown, path: string): Problem[] => {
  const problem = typeof value === 'string' ? textProblem(value) : null;
  return problem === null ? [] : [{ path, message: problem }];
};

/** Finds unreadable texts in a parsed value, in member names too. Uses no recursion: the value may be nested deeply. */
export const findUnreadableText = (root: unknown, rootPath = ''): Problem[] => {
  const problems = valueProblem(root, rootPath);
  const waiting = [{ value: root, path: rootPath }];
  for (let next = waiting.pop(); next && problems.length < maxProblems; next = waiting.pop()) {
    const { value, path } = next;
    if (!Array.isArray(value) && !isObject(value)) continue;
    for (const [name, member] of Object.entries(value)) {
      const inside = at(path, readableName(name));
      problems.push(...nameProblem(name, inside), ...valueProblem(member, inside));
      if (typeof member === 'object') waiting.push({ value: member, path: inside });
    }
  }
  return problems.slice(0, maxProblems);
};
