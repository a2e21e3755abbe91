export type Wildcard = (text: string) => boolean;

/**
 * A pattern in which `*` stands for any text, also for none. It is matched part by part from the left instead of
 * by a regular expression: what users write can then never make a match slow.
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

/** Whether a pattern fits every text. */
export const fitsEverything = (pattern: string): boolean => /^\*+$/.test(pattern);
