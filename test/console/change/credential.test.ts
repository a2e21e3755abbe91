import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { credentialIn, withCredential } from '../../../src/console/change/credential.ts';

const folder = join(import.meta.dirname, '../../../examples');

describe.each(readdirSync(folder))('in %s', (name) => {
  const text = readFileSync(join(folder, name), 'utf8');
  const format = name.endsWith('json') ? 'json' : 'yaml';
  const document = parse(text) as { vendor: object };

  it('another credential of the same vendor changes one word', () => {
    const changed = withCredential(text, format, { vendor: 'aws', credential: 'AKIA1' });
    expect(changed).toBe(text.replace('SANDBOX', 'AKIA1'));
    expect(credentialIn(changed, format)).toEqual({ vendor: 'aws', credential: 'AKIA1' });
  });

  it('another vendor changes the section and nothing else', () => {
    const changed = withCredential(text, format, { vendor: 'docker', credential: '1 2' });
    expect(parse(changed)).toEqual({
      ...document,
      vendor: { docker: { cred: '1 2', region: 'ap-northeast-1' } },
    });
  });
});

it.each([
  ['json', '{"version": "1"}'],
  ['yaml', 'version: "1"\n'],
] as const)('a %s text without a vendor gets one', (format, text) => {
  const changed = withCredential(text, format, { vendor: 'aws', credential: 'SANDBOX' });
  expect(parse(changed)).toEqual({ vendor: { aws: { cred: 'SANDBOX' } }, version: '1' });
  expect(credentialIn(text, format)).toBeNull();
});
