/** A place in a text as people and editors count: from 1. */
export interface TextPosition {
  line: number;
  column: number;
}

export const positionAt = (text: string, offset: number): TextPosition => {
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
};

export const describePosition = (text: string, offset: number): string => {
  const { line, column } = positionAt(text, offset);
  return `line ${line}, column ${column}`;
};
