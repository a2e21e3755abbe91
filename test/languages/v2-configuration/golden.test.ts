import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Check } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import type { Compiled } from '../../../src/languages/language.ts';
import { stackModel } from '../../../src/model/stack-model.ts';
import { compiled } from '../v3-template/documents.ts';
import { compiledFrom } from './documents.ts';
import { pairs } from './pairs.ts';

/** `UPDATE_GOLDEN=1 npx vitest run test/languages && npm run format` rewrites the models; review the diff. */
const isUpdating = process.env['UPDATE_GOLDEN'] === '1';

const secretsOf = ({ secrets }: Compiled) =>
  Object.fromEntries([...secrets].map(([name, secret]) => [name, secret.reveal()]));

describe.each(pairs)('$name', ({ name, configurations, server, template }) => {
  test('is the same stack in both languages', () => {
    const older = compiledFrom(configurations, server);
    const newer = compiled(template);
    expect(Check(stackModel, older.model)).toBe(true);
    expect(older.model).toEqual(newer.model);
    expect(secretsOf(older)).toEqual(secretsOf(newer));
    expect(Object.isFrozen(older.model.layers[0]?.securityGroup.ingress[0])).toBe(true);
  });

  test('compiles to its golden model and is stored in its golden form', () => {
    const { model, document } = compiledFrom(configurations, server);
    const expected = join(import.meta.dirname, 'golden', `${name}.json`);
    const text = `${JSON.stringify({ document, model }, null, 2)}\n`;
    if (isUpdating) writeFileSync(expected, text);
    expect(JSON.parse(text)).toEqual(JSON.parse(readFileSync(expected, 'utf8')));
  });
});
