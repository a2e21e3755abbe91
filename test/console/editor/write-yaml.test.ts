import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { writeYaml } from '../../../src/console/editor/write-yaml.ts';

const folder = join(import.meta.dirname, '../../../examples');

it.each(readdirSync(folder))('%s written as YAML is read as the same document', (name) => {
  const document: unknown = parse(readFileSync(join(folder, name), 'utf8'));
  expect(parse(writeYaml(document))).toEqual(document);
});

const texts = [
  '',
  ' ',
  '~',
  'yes',
  'No',
  'null',
  '12',
  '1.5',
  '1e3',
  '0x1f',
  '.5',
  '-',
  '- a',
  'a: b',
  'a:b',
  'a:',
  '#a',
  'a #b',
  '&a',
  '*a',
  '!a',
  '%a',
  '@a',
  '`a',
  '"a"',
  "'a'",
  'a\nb',
  'a\tb',
  '{a}',
  '[a]',
  'a, b',
  '${computed}',
  'HTTP:80/health',
  '10.0.0.0/24',
  '2017-03-03',
  '12:30',
  'a ',
  '#ref(Front.provision)',
  'ärger',
  '=',
  '<<',
  '?',
  '? a',
  '|',
  '>',
  '---',
  '...',
];

it.each(texts)('the text %j is read as the same text, as a value, a name and an entry', (text) => {
  const document = { value: text, list: [text, [text]], map: { [text]: text }, empty: [{}, []] };
  expect(parse(writeYaml(document))).toEqual(document);
});

it('ordinary words, functions, addresses and dates have no quotes', () => {
  const plain = {
    a: '${use(Front.provision.zone)}',
    b: '10.0.0.0/24',
    c: '2017-03-03',
    d: 'HTTP:80/',
    e: 'two words',
  };
  expect(writeYaml(plain)).not.toMatch(/["']/);
});
