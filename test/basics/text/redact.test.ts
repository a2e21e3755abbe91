import { expect, test } from 'vitest';
import { withoutSecrets } from '../../../src/basics/text/redact.ts';
import { readableTexts, secretTexts } from './secret-texts.ts';

test.each(secretTexts)('the secret in %s is redacted', (text, secret) => {
  expect(withoutSecrets(text)).toContain('[redacted]');
  expect(withoutSecrets(text)).not.toContain(secret);
});

test.each(readableTexts)('%s stays as it is', (text) => {
  expect(withoutSecrets(text)).toBe(text);
});

test('a redacted text does not change when it is redacted again', () => {
  for (const [text] of secretTexts) expect(withoutSecrets(withoutSecrets(text))).toBe(withoutSecrets(text));
});

test('a megabyte made to slow a pattern down is redacted in time linear in its length', () => {
  const pieces = [
    'password',
    'password ',
    'token\\\\\\',
    '://',
    '-----BEGIN ',
    '--a-',
    'alm_',
    'secret="\\',
    'Basic ',
    ' ',
    '_pass',
  ];
  const cpuOf = (text: string): number => {
    const before = process.cpuUsage();
    withoutSecrets(text);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
  };
  for (const piece of pieces) expect(cpuOf(piece.repeat(1_000_000 / piece.length)), piece).toBeLessThan(2);
});
