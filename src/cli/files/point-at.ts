import { isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import type { InputFile } from './input-file.ts';

interface Problem {
  path: string;
  message: string;
}

/** Where a member stands: at its name in an object, at the entry in a list. */
interface Member {
  offset: number;
  node: unknown;
}

interface Place {
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

/** The deepest member of the path that is there: what is missing is shown where it should be. */
function findMember(root: unknown, path: string): number | undefined {
  let member: Member | undefined;
  for (const name of path.split('/')) {
    const next: Member | undefined = step(member ? member.node : root, name);
    if (!next) break;
    member = next;
  }
  return member?.offset;
}

/** Of a text that cannot be read at all, the service says where. */
const linePlace = / ?\bline (\d+), column (\d+):?/;

const saidPlace = (message: string): Place | undefined => {
  const [, line, col] = linePlace.exec(message) ?? [];
  return line && col ? { line: Number(line), col: Number(col) } : undefined;
};

const widest = 100;

/** The line, or what of it is around the place. */
function excerpt(line: string, col: number): string {
  if (line.length <= widest) return line;
  const begin = Math.max(0, Math.min(col - 1 - widest / 2, line.length - widest));
  return `${begin > 0 ? '…' : ''}${line.slice(begin, begin + widest)}${begin + widest < line.length ? '…' : ''}`;
}

/** Each problem with file, line and column, and the line itself below it. A JSON text is a YAML text too. */
export function pointAt({ name, text }: InputFile, problems: readonly Problem[]): string[] {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false, logLevel: 'error' });
  const lines = text.split('\n');
  const placeOf = ({ path, message }: Problem): Place | undefined => {
    if (path === '') return saidPlace(message);
    const offset = document.errors.length > 0 ? undefined : findMember(document.contents, path);
    return offset === undefined ? undefined : lineCounter.linePos(offset);
  };
  return problems
    .map((problem) => ({ ...problem, place: placeOf(problem) }))
    .toSorted((one, other) => (one.place?.line ?? 0) - (other.place?.line ?? 0))
    .flatMap(({ path, message, place }) => {
      if (!place) return [path === '' ? message : `${path}: ${message}`];
      const sentence = path === '' ? message.replace(linePlace, '') : `${path}: ${message}`;
      const shown = excerpt((lines[place.line - 1] ?? '').trimEnd(), place.col);
      return [
        `${name}:${place.line}:${place.col}: ${sentence}`,
        `${String(place.line).padStart(6)} | ${shown}`,
      ];
    });
}
