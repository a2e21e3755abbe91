/** A JSON text cut into its tokens: texts, brackets, and everything else between. */
const tokens = /"(?:[^"\\]+|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g;

const opens = (token: string): boolean => token === '{' || token === '[';
const closes = (token: string): boolean => token === '}' || token === ']';

/** A new line begins after a comma, after an opening and before a closing; an empty pair stays together. */
const breaksBetween = (before: string, token: string): boolean =>
  before === ',' || (closes(token) ? !opens(before) : opens(before));

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/**
 * The same JSON with other white space. The text itself is worked on, not its values, so that members keep their order
 * and numbers their digits. What is no JSON comes back as it is.
 */
export function reindent(text: string, indent: number): string {
  if (!isJson(text)) return text;
  const newLine = (depth: number): string => (indent === 0 ? '' : `\n${' '.repeat(indent * depth)}`);
  let depth = 0;
  let before = '';
  let result = '';
  for (const [token] of text.matchAll(tokens)) {
    if (closes(token)) depth -= 1;
    if (breaksBetween(before, token)) result += newLine(depth);
    result += token === ':' && indent > 0 ? ': ' : token;
    if (opens(token)) depth += 1;
    before = token;
  }
  return result;
}
