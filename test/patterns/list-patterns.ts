import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';

/** A regular expression of the sources, as written: `/a+/u`, or the expression that makes it. */
export interface Pattern {
  text: string;
  /** Null: it is made when the program runs. */
  source: { pattern: string; flags: string } | null;
}

interface Node {
  type: string;
  start: number;
  end: number;
  [member: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

function* nodesIn(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const entry of value) yield* nodesIn(entry);
  if (!isNode(value)) return;
  yield value;
  for (const member of Object.values(value)) yield* nodesIn(member);
}

const written = (pattern: string, flags: string): Pattern => ({
  text: `/${pattern}/${flags}`,
  source: { pattern, flags },
});

const isNamed = (value: unknown, name: string): boolean => isNode(value) && value['name'] === name;

/** `pattern` of a JSON schema: typebox makes it a regular expression with the flag `u`. */
const ofSchema = (value: unknown, text: string): Pattern[] => {
  if (!isNode(value)) return [];
  if (value.type === 'Literal' && typeof value['value'] === 'string') return [written(value['value'], 'u')];
  return value.type === 'TemplateLiteral' ? [{ text: text.slice(value.start, value.end), source: null }] : [];
};

const patternsOf = (node: Node, text: string): Pattern[] => {
  const regex = node['regex'] as { pattern: string; flags: string } | undefined;
  if (node.type === 'Literal' && regex) return [written(regex.pattern, regex.flags)];
  if (node.type === 'Property' && isNamed(node['key'], 'pattern')) return ofSchema(node['value'], text);
  const isMade = /^(New|Call)Expression$/.test(node.type) && isNamed(node['callee'], 'RegExp');
  return isMade ? [{ text: text.slice(node.start, node.end), source: null }] : [];
};

/** Every regular expression of the server, the agent and the command line. The console works on what its own user sees. */
export const listPatterns = (folder: string): Pattern[] => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.startsWith('console/'),
  );
  const all = files.flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    const { program } = parseSync(file, text, { lang: 'ts' });
    return [...nodesIn(program)].flatMap((node) => patternsOf(node, text));
  });
  return [...new Map(all.map((pattern) => [pattern.text, pattern])).values()];
};
