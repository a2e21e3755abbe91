import { type Document, isScalar, Lexer, parseAllDocuments, visit } from 'yaml';
import { type Outcome, type Problem, reject, succeed } from '../../basics/problem.ts';
import { syntaxProblem } from '../../basics/text-position.ts';
import { parseJson } from '../parse-json.ts';
import { findNonJsonValue, maxBrackets, maxValues, nestedTooDeeply, tooManyValues } from '../plain-values.ts';

/** More aliases than any person writes; a document that expands to gigabytes needs many more. */
const maxAliases = 100;

const maxErrors = 20;
const tooComplex = 'cannot be parsed: it is nested too deeply or uses aliases too often.';

const rejectText = (message: string): Outcome<never> => reject([{ path: '', message }]);

/** A set instead of the parser's own check, which compares each key with all others and is slow on thousands of keys. */
const findDuplicateKey = (document: Document): number | null => {
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

const yamlProblems = (document: Document, text: string): readonly Problem[] => {
  // Some messages of the parser end with a part of the document, perhaps a secret.
  const errors = [...document.errors, ...document.warnings].map(({ pos, message }) => ({
    offset: pos[0],
    text: message.replace(/:.*$/s, ''),
  }));
  const duplicate = findDuplicateKey(document);
  if (duplicate !== null) errors.push({ offset: duplicate, text: 'duplicate member name' });
  return errors
    .slice(0, maxErrors)
    .map(({ offset, text: message }) => syntaxProblem(text, { language: 'YAML', offset, message }));
};

/** Tokens before a member or an entry. A member in braces may have two of them. */
const separators = new Set([',', ':', '-', '?', '[', '{']);
/** Comments, tags and anchors are tokens as well. */
const maxTokens = 12 * maxValues;

const tooManyTokens = `has more than ${maxTokens} words, signs and comments; split it into several stacks.`;

/** Reads tokens only and stops at the first limit: parsing takes hundreds of times the memory of the text. */
const findExcess = (text: string): string | null => {
  let [tokens, values, depth] = [0, 0, 0];
  for (const token of new Lexer().lex(text)) {
    tokens += 1;
    if (separators.has(token)) values += 1;
    if (token === '[' || token === '{') depth += 1;
    else if (token === ']' || token === '}') depth -= 1;
    if (values > 2 * maxValues) return tooManyValues;
    if (tokens > maxTokens) return tooManyTokens;
    if (depth > maxBrackets) return nestedTooDeeply;
  }
  return null;
};

const parseYaml = (text: string): Outcome<unknown> => {
  const excess = findExcess(text);
  if (excess !== null) return rejectText(excess);
  const options = { schema: 'core', stringKeys: true, uniqueKeys: false, prettyErrors: false } as const;
  const documents = parseAllDocuments(text, options);
  const [document, another] = Array.isArray(documents) ? documents : [];
  if (!document) return rejectText('is empty; send a template.');
  if (another) return rejectText('must be a single YAML document; remove the "---" separators.');
  if (document.errors.some(({ code }) => code === 'RESOURCE_EXHAUSTION')) return rejectText(tooComplex);
  const problems = yamlProblems(document, text);
  return problems.length > 0 ? reject(problems) : succeed(document.toJS({ maxAliasCount: maxAliases }));
};

const parseText = (text: string, format: 'json' | 'yaml'): Outcome<unknown> => {
  try {
    return format === 'json' ? parseJson(text) : parseYaml(text);
  } catch {
    // Only the limits throw: too many aliases, or nesting that exhausts the parser.
    return rejectText(tooComplex);
  }
};

/** Parses a template. The result contains only JSON values. */
export const parseTemplate = (text: string, format: 'json' | 'yaml'): Outcome<unknown> => {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text;
  if (body.trim() === '') return rejectText('is empty; send a template.');
  const parsed = parseText(body, format);
  if (!parsed.ok) return parsed;
  const problem = findNonJsonValue(parsed.value);
  return problem ? reject([problem]) : parsed;
};
