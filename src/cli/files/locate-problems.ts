import { isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import type { ErrorBody } from '../../contract/error-body.ts';
import type { InputFile } from './input-file.ts';

type Problem = NonNullable<ErrorBody['problems']>[number];

/** Position of a member: its name in an object, its value in a list. */
interface Member {
  offset: number;
  node: unknown;
}

interface Position {
  line: number;
  col: number;
}

const startOf = (node: unknown): number | undefined => (isNode(node) ? node.range?.[0] : undefined);

function step(node: unknown, name: string): Member | undefined {
  if (isMap(node)) {
    const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === name);
    const offset = startOf(pair?.key);
    return offset === undefined ? undefined : { offset, node: pair?.value };
  }
  const entry = isSeq(node) ? node.items[Number(name)] : undefined;
  const offset = startOf(entry);
  return offset === undefined ? undefined : { offset, node: entry };
}

/** Offset of the deepest member of the path that exists: a missing member is shown where it belongs. */
function findMember(root: unknown, path: string): number | undefined {
  let member: Member | undefined;
  for (const name of path.split('/')) {
    const next: Member | undefined = step(member ? member.node : root, name);
    if (!next) break;
    member = next;
  }
  return member?.offset;
}

/** The position in the message of a syntax error is in front of it already. */
const positionPattern = / ?\bline \d+, column \d+:?/;

const maxExcerpt = 100;

/** The line, or the part of it around the column. */
function excerpt(line: string, col: number): string {
  if (line.length <= maxExcerpt) return line;
  const begin = Math.max(0, Math.min(col - 1 - maxExcerpt / 2, line.length - maxExcerpt));
  return `${begin > 0 ? '…' : ''}${line.slice(begin, begin + maxExcerpt)}${begin + maxExcerpt < line.length ? '…' : ''}`;
}

/** Finds the positions of members in a file. Reads JSON as YAML, which includes it. */
export function positionsIn({ text }: InputFile): (path: string) => Position | undefined {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false, logLevel: 'error' });
  return (path) => {
    const offset = document.errors.length > 0 ? undefined : findMember(document.contents, path);
    return offset === undefined ? undefined : lineCounter.linePos(offset);
  };
}

/** Formats problems with file, line and column, followed by the line. */
export function locateProblems(file: InputFile, problems: readonly Problem[]): string[] {
  const { name, text } = file;
  const memberPosition = positionsIn(file);
  const lines = text.split('\n');
  const positionOf = ({ path, line, column }: Problem): Position | undefined =>
    line !== undefined && column !== undefined ? { line, col: column } : memberPosition(path);
  return problems
    .map((problem) => ({ ...problem, position: positionOf(problem) }))
    .toSorted((one, other) => (one.position?.line ?? 0) - (other.position?.line ?? 0))
    .flatMap(({ path, message, position }) => {
      if (!position) return [path === '' ? message : `${path}: ${message}`];
      const sentence = path === '' ? message.replace(positionPattern, '') : `${path}: ${message}`;
      const { line, col } = position;
      const shown = excerpt((lines[line - 1] ?? '').trimEnd(), col);
      return [`${name}:${line}:${col}: ${sentence}`, `${String(line).padStart(6)} | ${shown}`];
    });
}
