import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { fixFor, locateIn } from '../../../src/console/editor/locate.ts';
import { type Format, writtenIn } from '../../../src/console/editor/written.ts';

const folder = join(import.meta.dirname, '../../../examples');
const documents = readdirSync(folder).map((name): [string, unknown] => [
  name,
  parse(readFileSync(join(folder, name), 'utf8')),
]);

const pathsOf = (value: unknown, path = ''): string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, member]) => {
        const below = path === '' ? name : `${path}/${name}`;
        return [below].concat(pathsOf(member, below));
      })
    : [];

const valueAt = (value: unknown, path: string): unknown =>
  path.split('/').reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], value);

const writings: [string, Format, (value: unknown) => string][] = [
  ['JSON', 'json', (value) => JSON.stringify(value, null, 2)],
  ['JSON on one line', 'json', (value) => JSON.stringify(value)],
  ['YAML', 'yaml', (value) => stringify(value)],
  ['YAML in braces', 'yaml', (value) => stringify(value, { collectionStyle: 'flow' })],
  [
    'YAML with quotes',
    'yaml',
    (value) => stringify(value, { defaultStringType: 'QUOTE_SINGLE', defaultKeyType: 'QUOTE_DOUBLE' }),
  ],
];

describe.each(documents)('%s', (name, document) => {
  it.each(writings)(
    'every path is located at its name and its value when it is written as %s',
    (_, format, write) => {
      const text = write(document);
      const written = writtenIn(text, format);
      expect(written.map(({ path }) => path)).toEqual(pathsOf(document));
      for (const { path, key, value } of written) {
        const expected = valueAt(document, path);
        if (typeof expected !== 'object')
          expect(parse(text.slice(value.from, value.to)), path).toBe(expected);
        if (key) expect(parse(text.slice(key.from, key.to))).toBe(path.split('/').at(-1));
      }
    },
  );

  it('every path of the file is located', () => {
    const text = readFileSync(join(folder, name), 'utf8');
    expect(writtenIn(text, name.endsWith('json') ? 'json' : 'yaml').map(({ path }) => path)).toEqual(
      pathsOf(document),
    );
  });
});

const yaml = 'version: 2017-03-03\nconfigurations:\n  - role: web\n    volume_tpye: gp3\n    count: x\n';
const shown = (text: string, path: string, message: string): string => {
  const { from, to } = locateIn(text, 'yaml')({ path, message });
  return text.slice(from, to);
};

describe('a problem', () => {
  it.each([
    ['with a name is at the name', 'configurations/0/volume_tpye', 'unknown member', 'volume_tpye'],
    ['with a value is at the value', 'configurations/0/count', 'must be an integer', 'x'],
    [
      'with a missing member is at what should contain it',
      'configurations/0/flag',
      'is required',
      'role: web',
    ],
    ['with nothing near it is on the first line', 'vendor', 'is required', 'version: 2017-03-03'],
    [
      'of a text that cannot be read is at its line and column',
      '',
      'not valid YAML: line 4, column 5: no',
      'volume_tpye',
    ],
    ['beyond the end of the text is at the end', '', 'not valid YAML: line 99, column 9: no', ''],
  ])('%s', (_, path, message, expected) => {
    expect(shown(yaml, path, message)).toBe(expected);
  });

  it('has a fix if the service asks whether another name was meant', () => {
    const message = 'unknown member; did you mean "volume_type"?';
    const fix = fixFor(yaml, locateIn(yaml, 'yaml')({ path: 'configurations/0/volume_tpye', message }));
    expect(fix && yaml.slice(0, fix.from) + fix.insert + yaml.slice(fix.to)).toBe(
      yaml.replace('volume_tpye', 'volume_type'),
    );
  });

  it('has no fix without such a question', () => {
    expect(
      fixFor(yaml, locateIn(yaml, 'yaml')({ path: 'configurations/0/count', message: 'must be an integer' })),
    ).toBeNull();
  });
});
