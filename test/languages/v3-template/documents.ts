import type { Compiled } from '../../../src/languages/language.ts';
import { compileTemplate } from '../../../src/languages/v3-template/compile.ts';

/** Base documents of the tests. */

export type Members = Record<string, unknown>;

export const webLayer = (provision: Members = {}, more: Members = {}): Members => ({
  role: 'web',
  flag: 'Web',
  provision: { availability_zone: 'ap-northeast-1a', ...provision },
  ...more,
});

export const templateOf = (...layers: unknown[]): Members => ({
  version: '2017-03-03',
  configurations: layers,
});

export const compiled = (template: unknown): Compiled => {
  const outcome = compileTemplate(template, 'ap-northeast-1');
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems, null, 2));
  return outcome.value;
};

/** Compiles a template with one layer that has only this provision. */
export const compiledLayer = (provision: Members, more: Members = {}) => {
  const [layer] = compiled(templateOf(webLayer(provision, more))).model.layers;
  if (!layer) throw new Error('The model has no layer.');
  return layer;
};

/** Problems in the form `path: message`. */
export const problemsOf = (template: unknown): readonly string[] => {
  const outcome = compileTemplate(template, 'ap-northeast-1');
  return outcome.ok ? [] : outcome.problems.map(({ path, message }) => `${path}: ${message}`);
};
