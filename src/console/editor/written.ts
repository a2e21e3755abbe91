import { jsonLanguage } from '@codemirror/lang-json';
import { yamlLanguage } from '@codemirror/lang-yaml';

export type Format = 'json' | 'yaml';

export interface Range {
  from: number;
  to: number;
}

/** One member or list entry of a text, with the place of its name and of its value. */
export interface Written {
  path: string;
  /** Null for the entry of a list. */
  key: Range | null;
  value: Range;
}

export type Node = ReturnType<typeof jsonLanguage.parser.parse>['topNode'];

const parsers = { json: jsonLanguage.parser, yaml: yamlLanguage.parser };

export const parserOf = (format: Format) => parsers[format];

const join = (path: string, name: string | number): string =>
  path === '' ? String(name) : `${path}/${name}`;

/** Nodes of blocks begin with the space before them. */
const rangeOf = ({ text }: Walk, { from, to }: Node): Range => {
  const written = text.slice(from, to);
  return { from: from + written.length - written.trimStart().length, to };
};

const childrenOf = (node: Node): Node[] => {
  const children: Node[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) children.push(child);
  return children;
};

const unquoted = (text: string): string => {
  if (!/^(".*"|'.*')$/s.test(text)) return text;
  if (text.startsWith("'")) return text.slice(1, -1).replaceAll("''", "'");
  try {
    return String(JSON.parse(text));
  } catch {
    return text.slice(1, -1);
  }
};

const maps = new Set(['Object', 'BlockMapping', 'FlowMapping']);
const lists = new Set(['Array', 'BlockSequence', 'FlowSequence']);
const pairs = new Set(['Property', 'Pair']);
const values = new Set([
  ...maps,
  ...lists,
  'String',
  'Number',
  'True',
  'False',
  'Null',
  'Literal',
  'QuotedLiteral',
  'BlockLiteral',
  'Tagged',
  'Anchored',
  'Alias',
]);

interface Walk {
  text: string;
  found: Written[];
}

/** Tags and anchors stand before the value that they belong to. */
const plainValue = (node: Node): Node => {
  if (node.name !== 'Tagged' && node.name !== 'Anchored') return node;
  const inner = childrenOf(node).find(({ name }) => values.has(name));
  return inner ? plainValue(inner) : node;
};

function walkPair(walk: Walk, pair: Node, path: string): void {
  const [key, ...rest] = childrenOf(pair);
  if (!key) return;
  const name = unquoted(walk.text.slice(key.from, key.to).trim());
  const value = rest.find((node) => values.has(node.name));
  const at = join(path, name);
  walk.found.push({
    path: at,
    key: rangeOf(walk, key),
    value: value ? rangeOf(walk, value) : { from: pair.to, to: pair.to },
  });
  if (value) walkValue(walk, plainValue(value), at);
}

/** Of a list: the values in brackets, or the items after dashes, which may be empty. */
const entriesOf = (list: Node): (Node | null)[] =>
  list.name === 'BlockSequence'
    ? childrenOf(list)
        .filter(({ name }) => name === 'Item')
        .map((item) => childrenOf(item).find(({ name }) => values.has(name)) ?? null)
    : childrenOf(list)
        .map((node) => (node.name === 'Item' ? (node.firstChild ?? node) : node))
        .filter(({ name }) => values.has(name) || pairs.has(name));

function walkValue(walk: Walk, node: Node, path: string): void {
  if (maps.has(node.name))
    for (const pair of childrenOf(node)) {
      if (pairs.has(pair.name)) walkPair(walk, pair, path);
    }
  else if (lists.has(node.name))
    for (const [index, entry] of entriesOf(node).entries()) {
      if (!entry) continue;
      walk.found.push({ path: join(path, index), key: null, value: rangeOf(walk, entry) });
      walkValue(walk, plainValue(entry), join(path, index));
    }
}

/** Every member and list entry that is written in the text, even if the text is not complete yet. */
export function writtenIn(text: string, format: Format): Written[] {
  const walk: Walk = { text, found: [] };
  const { topNode } = parsers[format].parse(text);
  const document = childrenOf(topNode).find(({ name }) => name === 'Document') ?? topNode;
  const root = childrenOf(document).find(({ name }) => values.has(name));
  if (root) walkValue(walk, plainValue(root), '');
  return walk.found;
}
