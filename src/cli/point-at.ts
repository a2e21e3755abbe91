import { isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import type { GivenFile } from './given-file.ts';

interface PlacedProblem {
  path: string;
  message: string;
}

/** Where a member stands: at its name in an object, at the entry in a list. */
interface Place {
  offset: number;
  node: unknown;
}

const startOf = (node: unknown): number | undefined => (isNode(node) ? node.range?.[0] : undefined);

function step(node: unknown, name: string): Place | undefined {
  if (isMap(node)) {
    const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === name);
    const offset = startOf(pair?.key);
    return offset === undefined ? undefined : { offset, node: pair?.value };
  }
  const entry = isSeq(node) ? node.items[Number(name)] : undefined;
  const offset = startOf(entry);
  return offset === undefined ? undefined : { offset, node: entry };
}

/** The deepest member of the path that is there: what is missing is shown where it should be. */
function findPlace(root: unknown, path: string): number | undefined {
  let place: Place | undefined;
  for (const name of path.split('/')) {
    const next: Place | undefined = step(place ? place.node : root, name);
    if (!next) break;
    place = next;
  }
  return place?.offset;
}

const shortened = (line: string): string => (line.length > 100 ? `${line.slice(0, 100)}…` : line);

/** Each problem with file, line and column, and the line itself below it. A JSON text is a YAML text too. */
export function pointAt({ name, text }: GivenFile, problems: readonly PlacedProblem[]): string[] {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  const lines = text.split('\n');
  return problems.flatMap(({ path, message }) => {
    const sentence = path === '' ? message : `${path}: ${message}`;
    const offset = document.errors.length > 0 ? undefined : findPlace(document.contents, path);
    if (offset === undefined) return [sentence];
    const { line, col } = lineCounter.linePos(offset);
    return [
      `${name}:${line}:${col}: ${sentence}`,
      `${String(line).padStart(6)} | ${shortened(lines[line - 1] ?? '')}`,
    ];
  });
}
