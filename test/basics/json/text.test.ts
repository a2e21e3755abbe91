import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exceededLimit, JsonTokens, reindentJson } from '../../../src/basics/json/text.ts';

const tokensOf = (text: string): string[] => {
  const tokens = new JsonTokens(text);
  const found: string[] = [];
  while (tokens.next()) found.push(`${tokens.kind} ${tokens.written}`);
  return [...found, tokens.kind];
};

describe('tokenizing', () => {
  it('names the kind of each token and skips white space', () => {
    expect(tokensOf(' {"a\\u0041" :\t[-1.5e+3,true]\r\n}')).toEqual([
      '{ {',
      'string "a\\u0041"',
      ': :',
      '[ [',
      'number -1.5e+3',
      ', ,',
      'literal true',
      '] ]',
      '} }',
      'end',
    ]);
  });

  it.each(['-', '.5', '+1', 'tru', '"open', '"\t"', '"\\x"', '"\\u12g4"', "'a'", '\u00a0', '//'])(
    'stops where no token begins: %j',
    (text) => expect(tokensOf(text)).toEqual(['invalid']),
  );

  it('finds the tokens of any valid text, and nothing else', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const found = tokensOf(text);
        expect(found.pop()).toBe('end');
        const joined = found.map((token) => token.slice(token.indexOf(' ') + 1)).join('');
        expect(JSON.parse(joined)).toEqual(JSON.parse(text));
      }),
    );
  });
});

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

const valuesOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce<number>((sum, member) => sum + 1 + valuesOf(member), 0)
    : 0;

const isNestedDeeperThan = (text: string, depth: number): boolean =>
  exceededLimit(text, { depth, values: Number.POSITIVE_INFINITY }) === 'depth';
const hasMoreValuesThan = (text: string, values: number): boolean =>
  exceededLimit(text, { depth: Number.POSITIVE_INFINITY, values }) === 'values';

describe('the nesting limit', () => {
  it('counts objects and lists, not the brackets inside strings', () => {
    expect(isNestedDeeperThan('[{"a":[]}]', 3)).toBe(false);
    expect(isNestedDeeperThan('[{"a":[]}]', 2)).toBe(true);
    expect(isNestedDeeperThan('[[],[],[]]', 2)).toBe(false);
    expect(isNestedDeeperThan(`"${'['.repeat(100)}"`, 0)).toBe(false);
  });

  it('applies to text that is cut off', () => {
    expect(isNestedDeeperThan('['.repeat(65), 64)).toBe(true);
  });

  it('agrees with the depth of the parsed value', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        const depth = depthOf(JSON.parse(text));
        expect(isNestedDeeperThan(text, depth)).toBe(false);
        expect(isNestedDeeperThan(text, depth - 1)).toBe(true);
      }),
    );
  });
});

describe('reindenting', () => {
  it('keeps the order of members and the digits of numbers', () => {
    const text = '{"b":1.0,"2":1e400,"1":12345678901234567890.10,"a":-0,"b":[]}';
    expect(reindentJson(text, 2)).toBe(
      '{\n  "b": 1.0,\n  "2": 1e400,\n  "1": 12345678901234567890.10,\n  "a": -0,\n  "b": []\n}',
    );
  });

  it('keeps escape sequences and everything else inside strings', () => {
    const text = String.raw`{ "a\u00e9\"\\" : "{[,:]} \\", "ü": "\ud83d\ude00" }`;
    expect(reindentJson(text, 0)).toBe(String.raw`{"a\u00e9\"\\":"{[,:]} \\","ü":"\ud83d\ude00"}`);
  });

  it('uses the requested width and keeps empty brackets together', () => {
    expect(reindentJson('[{},[],{"a":[1,{"b":null}]}]', 4)).toBe(
      JSON.stringify([{}, [], { a: [1, { b: null }] }], null, 4),
    );
    expect(reindentJson(' true ', 2)).toBe('true');
    expect(reindentJson('""', 2)).toBe('""');
  });

  it('works on strings of many megabytes', () => {
    const long = JSON.stringify({ a: '\n'.repeat(1_100_000), b: ['y'.repeat(20_000_000)] });
    expect(reindentJson(long, 0) === long).toBe(true);
  });

  it('returns text that is not JSON unchanged', () => {
    for (const text of ['', 'not found', '{"a":', '{"a":1}}', '<html>'])
      expect(reindentJson(text, 2)).toBe(text);
  });

  it('keeps the meaning, and writes what JSON.stringify writes', () => {
    fc.assert(
      fc.property(
        fc.json(),
        fc.integer({ min: 0, max: 10 }),
        fc.integer({ min: 0, max: 10 }),
        (text, from, to) => {
          const spaced = JSON.stringify(JSON.parse(text), null, from);
          const again = reindentJson(spaced, to);
          expect(JSON.parse(again)).toEqual(JSON.parse(text));
          expect(again).toBe(JSON.stringify(JSON.parse(text), null, to));
          expect(reindentJson(again, from)).toBe(spaced);
        },
      ),
    );
  });
});

describe('the limit of values', () => {
  it('counts members and entries, not the commas inside strings', () => {
    expect(hasMoreValuesThan('[1,[2,3],{"a":",,,,,,"}]', 6)).toBe(false);
    expect(hasMoreValuesThan('[1,[2,3],{"a":",,,,,,"}]', 5)).toBe(true);
  });

  it('applies to text that is cut off', () => {
    expect(hasMoreValuesThan(`[${'0,'.repeat(1000)}`, 999)).toBe(true);
  });

  it('never accepts a text whose parsed value has more', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        const values = valuesOf(JSON.parse(text));
        expect(values === 0 || hasMoreValuesThan(text, values - 1)).toBe(true);
      }),
    );
  });
});
