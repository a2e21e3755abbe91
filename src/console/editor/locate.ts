import { type Format, type Range, type Written, writtenIn } from './written.ts';

export interface Problem {
  path: string;
  message: string;
  /** Of a text that cannot be read; both begin with 1. */
  line?: number | undefined;
  column?: number | undefined;
}

export interface Located extends Problem, Range {}

const lastPart = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const above = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** Services before `line` and `column` have the place in the sentence. */
const placeIn = ({ message, line, column }: Problem): { line: number; column: number } | null => {
  if (line !== undefined) return { line, column: column ?? 1 };
  const [, row, at] = /line (\d+), column (\d+)/.exec(message) ?? [];
  return row && at ? { line: Number(row), column: Number(at) } : null;
};

function rangeAt(text: string, { line, column }: { line: number; column: number }): Range {
  const lines = text.split('\n');
  const row = Math.min(line, lines.length) - 1;
  const start = lines.slice(0, row).reduce((sum, each) => sum + each.length + 1, 0);
  const end = start + (lines[row]?.length ?? 0);
  const from = Math.min(start + column - 1, end);
  const word = /^[\w$-]+/.exec(text.slice(from, end))?.[0].length ?? 1;
  return from < end ? { from, to: Math.min(from + word, end) } : { from: Math.max(start, end - 1), to: end };
}

const firstLine = (text: string, { from, to }: Range): Range => {
  const end = text.indexOf('\n', from);
  return { from, to: Math.max(from, Math.min(to, end === -1 ? to : end)) };
};

/** A problem with a name is shown at the name, one with a value at the value, if that is on one line. */
const namesProblem = /unknown member|is required|older spelling|twice|duplicate/i;

function rangeOf(text: string, { key, value }: Written, { message }: Problem): Range {
  if (key === null) return firstLine(text, value);
  const isLong = text.slice(value.from, value.to).includes('\n');
  return namesProblem.test(message) || isLong || value.from === value.to ? key : value;
}

function find(written: ReadonlyMap<string, Written>, path: string): Written | null {
  const exact = written.get(path);
  if (exact || path === '') return exact ?? null;
  return find(written, above(path));
}

/**
 * Where the text should be underlined for a problem of the service: the member itself, or the closest one that
 * contains it if the member is missing.
 */
export function locateIn(text: string, format: Format): (problem: Problem) => Located {
  const written = new Map(writtenIn(text, format).map((each) => [each.path, each]));
  return (problem) => {
    const place = problem.path === '' ? placeIn(problem) : null;
    if (place) return { ...problem, ...rangeAt(text, place) };
    const found = find(written, problem.path);
    const range = found ? rangeOf(text, found, problem) : firstLine(text, { from: 0, to: text.length });
    return { ...problem, ...range };
  };
}

export interface Fix extends Range {
  insert: string;
  label: string;
}

/** The change that the service suggests in its sentence; null if it suggests none. */
export function fixFor(text: string, problem: Located): Fix | null {
  const [, word] = /did you mean "([^"]+)"/.exec(problem.message) ?? [];
  if (!word) return null;
  const wrong = lastPart(problem.path);
  const at = text.slice(problem.from, problem.to).indexOf(wrong);
  if (wrong === '' || at === -1) return null;
  const from = problem.from + at;
  return { from, to: from + wrong.length, insert: word, label: `Write ${word}` };
}
