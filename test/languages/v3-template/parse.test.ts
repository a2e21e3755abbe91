import { describe, expect, test } from 'vitest';
import { parseTemplate } from '../../../src/languages/v3-template/parse.ts';

const problem = (text: string, format: 'json' | 'yaml') => {
  const parsed = parseTemplate(text, format);
  return parsed.ok
    ? 'no problem'
    : parsed.problems.map(({ path, message }) => `${path}: ${message}`).join('\n');
};

describe('a JSON template', () => {
  test('is parsed without changes', () => {
    const value = { a: [1, -0.5e3, true, null, 'x\n"\u00e9', {}], b: { c: [] } };
    expect(parseTemplate(`\uFEFF ${JSON.stringify(value, null, 2)}\n`, 'json')).toEqual({ ok: true, value });
  });

  test.each([
    [
      '{\n  "a": 1,\n}',
      'line 3, column 1: expected a member name in double quotes; a comma after the last member is not allowed.',
    ],
    ['[1,]', 'line 1, column 4: expected a value.'],
    ['{"a":}', 'line 1, column 6: expected a value.'],
    ['{a: 1}', 'line 1, column 2: expected a member name in double quotes or "}".'],
    ['{"a" 1}', 'line 1, column 6: expected ":".'],
    ['{"a": 1 "b": 2}', 'line 1, column 9: expected "," or the closing bracket.'],
    ['[1}', 'line 1, column 3: expected "," or the closing bracket.'],
    ['{"a": 01}', 'line 1, column 8: expected "," or the closing bracket.'],
    ['{"a": "\t"}', 'line 1, column 7: expected a value.'],
    ['{} {}', 'line 1, column 4: unexpected text after the end of the JSON value.'],
    ['{"a": 1', 'line 1, column 8: unexpected end of text.'],
    ['{"a": 1,\n "\\u0061": 2}', 'line 2, column 2: duplicate member name.'],
    ["{'a': 1}", 'line 1, column 2: expected a member name in double quotes or "}".'],
  ])('is rejected when invalid: %j', (text, message) =>
    expect(problem(text, 'json')).toBe(`: is not valid JSON: ${message}`),
  );
});

describe('a YAML template', () => {
  test('is parsed to JSON values', () => {
    expect(parseTemplate('version: 2017-03-03\nlist: [1, "80", true]\n80: x\n', 'yaml')).toEqual({
      ok: true,
      value: { version: '2017-03-03', list: [1, '80', true], '80': 'x' },
    });
  });

  test('may use anchors', () => {
    expect(parseTemplate('a: &x {b: 1}\nc: *x\n', 'yaml')).toEqual({
      ok: true,
      value: { a: { b: 1 }, c: { b: 1 } },
    });
  });

  test.each([
    ['a: 1\na: 2\n', ': is not valid YAML: line 2, column 1: duplicate member name.'],
    ['a: !!js/function "x"\n', /line 1, column 4: Unresolved tag/],
    ['a: !secret x\n', /line 1, column 4: Unresolved tag/],
    ['a: 1\n---\nb: 2\n', ': must be a single YAML document; remove the "---" separators.'],
    ['a: [1\n', /is not valid YAML: line/],
    ['a: .inf\n', 'a: must be a string, a number, true, false, a list or an object.'],
    ['%YAML 1.1\n---\na: !!timestamp 2017-03-03\n', /^(?::|a:) /],
    ['a: &a [*a]\n', /^\S*: is/],
    [
      'a: &a [1,1,1,1,1,1,1,1,1]\n' +
        'bcdefgh'
          .split('')
          .map((name, index) => `${name}: &${name} [${`*${'abcdefg'[index]},`.repeat(9)}]\n`)
          .join(''),
      ': cannot be parsed: it is nested too deeply or uses aliases too often.',
    ],
  ])('is rejected when invalid: %j', (text, expected) => expect(problem(text, 'yaml')).toMatch(expected));
});

describe.each(['json', 'yaml'] as const)('a %s template', (format) => {
  test.each(['', ' \n\t', '\uFEFF'])('is rejected as empty: %j', (text) =>
    expect(problem(text, format)).toBe(': is empty; send a template.'),
  );

  test('must not have a member named __proto__', () => {
    expect(problem('{"a": [{"__proto__": {"x": 1}}]}', format)).toBe(
      'a/0/__proto__: is not allowed as a member name.',
    );
  });

  test('must not have a member name of more than 256 characters, and the problem shows its beginning', () => {
    const withName = (length: number) => JSON.stringify({ a: [{ [`x${'/'.repeat(length - 1)}`]: 1 }] });
    expect(problem(withName(256), format)).toBe('no problem');
    expect(problem(withName(257), format)).toBe(
      `a/0/x${'/'.repeat(39)}…: has a name of 257 characters; a member name has at most 256.`,
    );
  });

  test.each([100, 100_000])('is rejected with %i levels of nesting', (levels) => {
    expect(problem('['.repeat(levels) + ']'.repeat(levels), format)).toMatch(/nested/);
  });

  test('is not quoted in problems', () => {
    expect(problem('{"secret": "hidden", "secret2": "hidden" x }', format)).not.toContain('hidden');
  });
});
