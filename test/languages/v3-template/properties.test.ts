import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import * as fc from 'fast-check';
import { Check } from 'typebox/value';
import { expect, test } from 'vitest';
import { compileTemplate, readName, readPlacement } from '../../../src/languages/v3-template/compile.ts';
import { parseTemplate } from '../../../src/languages/v3-template/parse.ts';
import { stackModel } from '../../../src/model/stack-model.ts';
import { templateOf, webLayer } from './documents.ts';
import { type Mutation, mutate } from './mutations.ts';

const examples = join(import.meta.dirname, '../../../examples');
const valid: unknown[] = readdirSync(examples)
  .filter((name) => /\.(?:json|yaml)$/.test(name))
  .map((name) => {
    const format = extname(name) === '.json' ? 'json' : 'yaml';
    const parsed = parseTemplate(readFileSync(join(examples, name), 'utf8'), format);
    return parsed.ok ? parsed.value : null;
  });

const container = {
  dockerHubUsername: 'u',
  dockerHubPassword: 'hidden-secret',
  container_git_private_key: 'hidden-secret',
  addon: [{ name: 'a', apiKey: 'hidden-secret' }],
};
valid.push(templateOf(webLayer({}, { container })));

/** Expects a valid model, or problems with sentences; never an exception. */
const expectModelOrProblems = (template: unknown): void => {
  readPlacement(template);
  readName(template);
  const outcome = compileTemplate(template, 'ap-northeast-1');
  if (outcome.ok) {
    expect(Check(stackModel, outcome.value.model)).toBe(true);
    expect(JSON.stringify([outcome.value.model, outcome.value.document])).not.toContain('hidden-secret');
  } else {
    expect(outcome.problems.length).toBeGreaterThan(0);
    expect(outcome.problems.filter(({ message }) => !/\S.*[.?]$/s.test(message))).toEqual([]);
  }
};

const words = [
  '',
  '${computed}',
  '${sealed}',
  '${use(Front.provision.image)}',
  '${copy(Front.container)}',
  '${use(',
  '#share(Front.provision.subnet)',
  '#share(Front.provision.auto_scaling)',
  '#ref(Shop.provision.security_group)',
  '10.0.0.0/24',
  '80',
  '-1',
  'toString',
  '__proto__',
  'container',
  'constructor',
  '?',
];
const anyWord = fc.constantFrom(...words);
const replacement = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom<unknown[]>(null, true, 0, -1, 3, 70000, 1.5, [], {}, ...words) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

const mutation: fc.Arbitrary<Mutation> = fc.record({
  position: fc.nat(),
  value: replacement,
  name: fc.option(fc.oneof(anyWord, fc.string({ maxLength: 8 })), { freq: 4 }),
});

test('any JSON value gives a model or problems in v3', () => {
  fc.assert(fc.property(fc.jsonValue({ maxDepth: 6 }), expectModelOrProblems), { numRuns: 1000 });
});

test('any value under known member names gives a model or problems', () => {
  const inLayer = fc.record({
    role: fc.constantFrom('web', 'bastion'),
    flag: fc.string(),
    provision: fc.jsonValue(),
    container: fc.jsonValue(),
  });
  fc.assert(
    fc.property(fc.array(inLayer, { maxLength: 3 }), (layers) =>
      expectModelOrProblems(templateOf(...layers)),
    ),
    { numRuns: 1000 },
  );
});

test('a valid template with a random change gives a model or problems', () => {
  const changes = fc.tuple(fc.constantFrom(...valid), fc.array(mutation, { minLength: 1, maxLength: 4 }));
  fc.assert(
    fc.property(changes, ([document, mutations]) => {
      let changed: unknown = document;
      for (const one of mutations) changed = mutate(changed, one);
      expectModelOrProblems(changed);
    }),
    { numRuns: 2000 },
  );
});

test('a stored document compiles to the same model again', () => {
  const changes = fc.tuple(fc.constantFrom(...valid), mutation);
  fc.assert(
    fc.property(changes, ([document, one]) => {
      const first = compileTemplate(mutate(document, one), 'r');
      if (!first.ok) return;
      const again = compileTemplate(first.value.document, 'r');
      expect(again).toMatchObject({
        ok: true,
        value: { model: first.value.model, document: first.value.document },
      });
    }),
    { numRuns: 1000 },
  );
});

test('any text is parsed or rejected', () => {
  const format = fc.constantFrom('json' as const, 'yaml' as const);
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), format, (text, as) => void parseTemplate(text, as)),
    { numRuns: 1000 },
  );
});

test('JSON templates accept exactly what JSON.parse accepts, except duplicate names', () => {
  fc.assert(
    fc.property(
      fc.json(),
      fc.nat(),
      fc.constantFrom('', ',', '}', '"', '0', ' ', '\\'),
      (text, at, extra) => {
        const position = at % (text.length + 1);
        const changed = text.slice(0, position) + extra + text.slice(position);
        const isReadable = (() => {
          try {
            JSON.parse(changed);
            return true;
          } catch {
            return false;
          }
        })();
        const parsed = parseTemplate(changed, 'json');
        const isSame =
          parsed.ok === isReadable ||
          (isReadable && !parsed.ok && !/line/.test(parsed.problems[0]?.message ?? ''));
        expect(isSame || /duplicate member name/.test(JSON.stringify(parsed))).toBe(true);
      },
    ),
    { numRuns: 1000 },
  );
});
