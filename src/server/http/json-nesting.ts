import { Failure } from '../../basics/failure.ts';

/** Deeper than anything we understand, shallow enough for whoever walks the value by plain recursion. */
const deepest = 64;

/** Where the string that begins here ends; the end of the text when it does not. */
const endOfString = (text: string, start: number): number => {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
};

/** Reads the text, not the value: what is nested too deeply is never built. */
export function refuseDeepNesting(text: string): void {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at);
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    if (depth > deepest)
      throw new Failure('invalid_request', `The body is nested more than ${deepest} levels deep`);
  }
}
