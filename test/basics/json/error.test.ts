import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findDuplicateMember } from '../../../src/basics/json/duplicate-member.ts';
import { findJsonError } from '../../../src/basics/json/error.ts';

/** Null when JSON.parse accepts the text; otherwise the position it reports, or the end of the text. */
const parserStopsAt = (text: string): number | null => {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return Number(/at position (\d+)/.exec(String(error))?.[1] ?? text.length);
  }
};

/** Text close to JSON: valid text with one piece replaced, or pieces in any order. */
const almostJson = fc.oneof(
  fc
    .tuple(fc.json(), fc.nat(), fc.nat({ max: 3 }), fc.constantFrom('', ',', '"', '}', ']', '\\', '0', ' x'))
    .map(([text, place, length, piece]) => {
      const at = place % (text.length + 1);
      return text.slice(0, at) + piece + text.slice(at + length);
    }),
  fc
    .array(
      fc.constantFrom('{', '}', '[', ']', ',', ':', '"a"', '"b"', '1', '-', '.5', 'e1', 'true', 'nul', ' '),
    )
    .map((pieces) => pieces.join('')),
  fc.string({ maxLength: 8 }),
);

const isDuplicate = (error: ReturnType<typeof findJsonError>): boolean =>
  error?.message === 'duplicate member name';

describe('findJsonError', () => {
  it('accepts what JSON.parse accepts and rejects what it rejects', () => {
    fc.assert(
      fc.property(almostJson, (text) => {
        const error = findJsonError(text);
        const stop = parserStopsAt(text);
        if (!isDuplicate(error)) expect(error === null).toBe(stop === null);
      }),
      { numRuns: 2000 },
    );
  });

  it('reports a position no later than the one where JSON.parse stops', () => {
    fc.assert(
      fc.property(almostJson, (text) => {
        const error = findJsonError(text);
        if (error) expect(error.offset).toBeLessThanOrEqual(parserStopsAt(text) ?? text.length);
      }),
      { numRuns: 2000 },
    );
  });

  it('accepts every text that JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat({ max: 4 }), (value, indent) => {
        expect(findJsonError(JSON.stringify(value, null, indent))).toBeNull();
      }),
    );
  });

  it('does not overflow the stack on deep nesting', () => {
    const depth = 1_000_000;
    expect(findJsonError('['.repeat(depth) + ']'.repeat(depth))).toBeNull();
    expect(findJsonError('['.repeat(depth))).toEqual({ offset: depth, message: 'unexpected end of text' });
  });
});

interface Members {
  names: readonly string[];
  inner: readonly Members[];
}

const members = fc.letrec<{ members: Members }>((tie) => ({
  members: fc.record({
    names: fc.array(fc.constantFrom('a', 'A', 'b', '\u00e9'), { maxLength: 3 }),
    inner: fc.oneof({ maxDepth: 3 }, fc.constant([]), fc.array(tie('members'), { maxLength: 2 })),
  }),
})).members;

const written = ({ names, inner }: Members): string => {
  const pairs = names.map((name, index) => {
    const child = inner[index];
    return `${JSON.stringify(name)}:${child ? `[${written(child)}]` : '1'}`;
  });
  return `{${pairs.join(', ')}}`;
};

const repeatsName = ({ names, inner }: Members, ignoreCase: boolean): boolean =>
  new Set(names.map((name) => (ignoreCase ? name.toLowerCase() : name))).size < names.length ||
  inner.slice(0, names.length).some((child) => repeatsName(child, ignoreCase));

describe('a duplicate member', () => {
  it('is found exactly where an object has one', () => {
    fc.assert(
      fc.property(members, (tree) => {
        expect(isDuplicate(findJsonError(written(tree)))).toBe(repeatsName(tree, false));
        expect(findDuplicateMember(written(tree)) !== null).toBe(repeatsName(tree, true));
      }),
      { numRuns: 1000 },
    );
  });

  it('is named by its path', () => {
    expect(findDuplicateMember('{"a":1}')).toBeNull();
    expect(findDuplicateMember('{"a\\"":{"b":"{,:"},"c":[1,{"d":1,"D":2}]}')).toBe('c/1/D');
  });
});
