import { expect, test } from 'vitest';
import { bounded } from './bounded.ts';
import { listPatterns } from './list-patterns.ts';
import { markOf, readProven, writeProven } from './prove.ts';

const patterns = listPatterns('src');
if (process.env.ALM_PROVE_PATTERNS) await writeProven(patterns);
const proven = readProven();

test('every regular expression was found safe by recheck, or has a bound of its input', () => {
  const open = patterns.filter(
    (pattern) => !proven.has(markOf(pattern)) && !Object.hasOwn(bounded, pattern.text),
  );
  const advice =
    'Run: ALM_PROVE_PATTERNS=1 npx vitest run test/patterns. What is left then: make it linear, or add its bound to bounded.ts';
  expect(
    open.map(({ text }) => text),
    advice,
  ).toEqual([]);
});

test('the lists of proofs and bounds have no entry that nothing uses', () => {
  const marks = new Set(patterns.map(markOf));
  const texts = new Set(patterns.map(({ text }) => text));
  expect([...proven].filter((mark) => !marks.has(mark))).toEqual([]);
  expect(Object.keys(bounded).filter((text) => !texts.has(text))).toEqual([]);
});

test('a pattern that is quadratic in white space would be found', () => {
  const text = '/^[A-Za-z0-9+/\\s]+={0,2}\\s*$/';
  expect(proven.has(markOf({ text, source: null }))).toBe(false);
});
