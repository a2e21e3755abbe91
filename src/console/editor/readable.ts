import { type Format, type Node, parserOf, type Range, type Written, writtenIn } from './written.ts';

interface Readable {
  members: Written[];
  comments: Range[];
}

/** An alias repeats a value from a place whose name says nothing about it. */
const unclear = new Set(['⚠', 'Alias']);

/** YAML reads JSON with a missing quote as one long name. */
const isMistyped = (text: string, { name, from, to, parent }: Node): boolean =>
  name === 'Literal' &&
  text.slice(from, to).includes('"') &&
  (parent?.name === 'Key' || /^\s*[{[]/.test(text));

function readIn(text: string, format: Format): Readable | null {
  let documents = 0;
  let isClear = true;
  const comments: Range[] = [];
  parserOf(format)
    .parse(text)
    .iterate({
      enter: (found) => {
        const { name, from, to } = found;
        if (unclear.has(name) || isMistyped(text, found.node)) isClear = false;
        if (name === 'Document') documents += 1;
        if (name === 'Comment') comments.push({ from, to });
      },
    });
  const members = writtenIn(text, format);
  return isClear && documents <= 1 && members.length > 0 ? { members, comments } : null;
}

const other: Record<Format, Format> = { json: 'yaml', yaml: 'json' };

/** Everything that is written in a text without mistakes, in this format or else in the other one. Null: it has mistakes. */
export const readable = (text: string, format: Format): Readable | null =>
  readIn(text, format) ?? readIn(text, other[format]);
