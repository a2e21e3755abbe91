import { readFileSync } from 'node:fs';
import { compileTemplate } from '../../src/languages/v3-template/compile.ts';
import { parseTemplate } from '../../src/languages/v3-template/parse.ts';
import type { StackModel } from '../../src/model/stack-model.ts';

const text = readFileSync(new URL('../../examples/any-cloud.yaml', import.meta.url), 'utf8');

/** The model of the example for every cloud: the vendor section alone names a cloud, and with it the region. */
export function anyCloudModel(region: string): StackModel {
  const parsed = parseTemplate(text, 'yaml');
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const compiled = compileTemplate(parsed.value, region);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  return compiled.value.model;
}

/** The template itself. */
export const anyCloudTemplate = (): object => {
  const parsed = parseTemplate(text, 'yaml');
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.value as object;
};
