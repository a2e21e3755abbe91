import { type Document, isScalar, parseAllDocuments, visit } from 'yaml';
import { type Outcome, type Problem, reject, succeed } from '../../basics/problem.ts';
import { describePosition } from '../../basics/text-position.ts';
import { parseJson } from '../parse-json.ts';
import { findForeignValue } from '../plain-values.ts';

/** More aliases than any person writes; a document that unfolds into gigabytes needs many more. */
const maxAliases = 100;

const maxTroubles = 20;
const unreadable = 'is not readable: it is nested too deeply or repeats an alias too often.';

const rejectText = (message: string): Outcome<never> => reject([{ path: '', message }]);

/** The parser compares every key with every other; with a set, thousands of keys take no time. */
const findRepeatedKey = (document: Document): number | null => {
  let offset: number | null = null;
  visit(document, {
    Map: (_key, map) => {
      const names = new Set<unknown>();
      for (const { key } of map.items) {
        const name: unknown = isScalar(key) ? key.value : null;
        if (names.has(name)) offset ??= isScalar(key) ? (key.range?.[0] ?? 0) : 0;
        names.add(name);
      }
    },
  });
  return offset;
};

const yamlTroubles = (document: Document, text: string): readonly Problem[] => {
  // Some of the parser's messages end with a piece of the document, perhaps a secret.
  const troubles = [...document.errors, ...document.warnings].map(({ pos, message }) => ({
    offset: pos[0],
    sentence: message.replace(/:.*$/s, ''),
  }));
  const repeated = findRepeatedKey(document);
  if (repeated !== null) troubles.push({ offset: repeated, sentence: 'duplicate member name' });
  return troubles.slice(0, maxTroubles).map(({ offset, sentence }) => ({
    path: '',
    message: `is not valid YAML: ${describePosition(text, offset)}: ${sentence}.`,
  }));
};

const parseYaml = (text: string): Outcome<unknown> => {
  const options = { schema: 'core', stringKeys: true, uniqueKeys: false, prettyErrors: false } as const;
  const documents = parseAllDocuments(text, options);
  const [document, another] = Array.isArray(documents) ? documents : [];
  if (!document) return rejectText('is empty: send a template.');
  if (another) return rejectText('must be one YAML document, not several separated by "---".');
  if (document.errors.some(({ code }) => code === 'RESOURCE_EXHAUSTION')) return rejectText(unreadable);
  const problems = yamlTroubles(document, text);
  return problems.length > 0 ? reject(problems) : succeed(document.toJS({ maxAliasCount: maxAliases }));
};

const parseText = (text: string, format: 'json' | 'yaml'): Outcome<unknown> => {
  try {
    return format === 'json' ? parseJson(text) : parseYaml(text);
  } catch {
    // Only the limits throw: too many aliases, or nesting that exhausts the parser.
    return rejectText(unreadable);
  }
};

/** A template's text as a value. What comes out holds only what JSON can say. */
export const parseTemplate = (text: string, format: 'json' | 'yaml'): Outcome<unknown> => {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text;
  if (body.trim() === '') return rejectText('is empty: send a template.');
  const parsed = parseText(body, format);
  if (!parsed.ok) return parsed;
  const foreign = findForeignValue(parsed.value);
  return foreign ? reject([foreign]) : parsed;
};
