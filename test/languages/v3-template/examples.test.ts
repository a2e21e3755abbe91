import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { Check } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { compileTemplate, readPlacement } from '../../../src/languages/v3-template/compile.ts';
import { parseTemplate } from '../../../src/languages/v3-template/parse.ts';
import { stackModel } from '../../../src/model/stack-model.ts';

/** `UPDATE_GOLDEN=1 npx vitest run test/languages && npm run format` rewrites the models; review the diff. */
const isUpdating = process.env['UPDATE_GOLDEN'] === '1';

const examples = join(import.meta.dirname, '../../../examples');
const golden = join(import.meta.dirname, 'golden');
const files = readdirSync(examples).filter((name) => /\.(?:json|yaml)$/.test(name));

const compileExample = (file: string) => {
  const format = extname(file) === '.json' ? 'json' : 'yaml';
  const parsed = parseTemplate(readFileSync(join(examples, file), 'utf8'), format);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return { template: parsed.value, compiled: compileTemplate(parsed.value, 'ap-northeast-1') };
};

describe.each(files)('example %s', (file) => {
  test('compiles to its golden model', () => {
    const { compiled } = compileExample(file);
    if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems, null, 2));
    expect(Check(stackModel, compiled.value.model)).toBe(true);
    const expected = join(golden, `${basename(file, extname(file))}.json`);
    const text = `${JSON.stringify(compiled.value.model, null, 2)}\n`;
    if (isUpdating) writeFileSync(expected, text);
    expect(JSON.parse(text)).toEqual(JSON.parse(readFileSync(expected, 'utf8')));
  });

  test('is stored as written and names its vendor and region', () => {
    const { template, compiled } = compileExample(file);
    expect(compiled.ok && compiled.value.document).toEqual(template);
    expect(readPlacement(template)).toEqual({
      ok: true,
      value: {
        vendor: 'aws',
        credentialId: 'SANDBOX',
        region: 'ap-northeast-1',
        secret: null,
        authUrl: null,
      },
    });
  });
});
