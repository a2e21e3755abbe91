import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readPlacement } from '../../../src/languages/v3-template/compile.ts';
import { parseTemplate } from '../../../src/languages/v3-template/parse.ts';
import { template } from '../../../src/languages/v3-template/schema.ts';
import { compiled } from './documents.ts';

const reference = readFileSync(join(import.meta.dirname, '../../../docs/templates.md'), 'utf8');
const blocks = [...reference.matchAll(/```json\n(.*?)```/gs)].map(([, text]) => text ?? '');

/** All member names of a schema, at any depth. */
const memberNames = (schema: unknown): readonly string[] => {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([keyword, value]: [string, unknown]) => {
    const own = keyword === 'properties' && typeof value === 'object' && value ? Object.keys(value) : [];
    return own.concat(memberNames(value));
  });
};

describe('docs/templates.md', () => {
  test.each(blocks)('contains only valid templates: %#', (text) => {
    const parsed = parseTemplate(text, 'json');
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
    expect(readPlacement(parsed.value).ok).toBe(true);
    expect(compiled(parsed.value).model.layers.length).toBeGreaterThan(0);
  });

  test('documents all members of the schema', () => {
    const names = new Set(memberNames(template));
    expect(names.size).toBeGreaterThan(60);
    expect([...names].filter((name) => !reference.includes(`\`${name}\``))).toEqual([]);
  });
});
