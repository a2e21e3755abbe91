export type Wildcard = (text: string) => boolean;

/**
 * Compiles a pattern in which `*` matches any text, including none. Matches part by part from the left instead of with a
 * regular expression, so that no pattern of a user can be slow.
 */
export const wildcard = (pattern: string): Wildcard => {
  const [head = '', ...rest] = pattern.split('*');
  const tail = rest.pop();
  if (tail === undefined) return (text) => text === pattern;
  const middle = rest.filter((part) => part !== '');
  return (text) => {
    const end = text.length - tail.length;
    if (end < head.length || !text.startsWith(head) || !text.endsWith(tail)) return false;
    let from = head.length;
    for (const part of middle) {
      const found = text.indexOf(part, from);
      if (found === -1 || found + part.length > end) return false;
      from = found + part.length;
    }
    return true;
  };
};

export const hasWildcard = (pattern: string): boolean => pattern.includes('*');

/** Whether a pattern matches every text. */
export const matchesEverything = (pattern: string): boolean => /^\*+$/.test(pattern);
