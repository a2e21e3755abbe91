/** A place in a text as people and editors count: from 1. */
export interface TextPosition {
  line: number;
  column: number;
}

export const positionAt = (text: string, offset: number): TextPosition => {
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
};

interface SyntaxError {
  language: 'JSON' | 'YAML';
  offset: number;
  /** Without a full stop. */
  message: string;
}

/** The problem of a text that cannot be parsed. */
export const syntaxProblem = (text: string, { language, offset, message }: SyntaxError, path = '') => {
  const { line, column } = positionAt(text, offset);
  const sentence = `is not valid ${language}: line ${line}, column ${column}: ${message}.`;
  return { path, message: sentence, line, column };
};
