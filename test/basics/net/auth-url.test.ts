import { expect, it } from 'vitest';
import { normalAuthUrl } from '../../../src/basics/net/auth-url.ts';

it.each([
  'https://cloud.example',
  'https://cloud.example/v3/',
  'https://Cloud.example:443//v3//',
  'https://cloud.example/v3/v3',
  'https://cloud.example/v3//v3/',
])('%s is the same cloud as its normal form', (text) => {
  const normal = normalAuthUrl(text);
  expect(normal).toBe('https://cloud.example');
  expect(normalAuthUrl(normal ?? '')).toBe(normal);
});

it('the path of Keystone stays', () => {
  expect(normalAuthUrl('https://cloud.example/identity/v3')).toBe('https://cloud.example/identity');
});
