import { describe, expect, test } from 'vitest';
import { replaceUrlSecrets, urlSecrets } from '../../../src/basics/text/url-secrets.ts';

const shown = (text: string) => replaceUrlSecrets(text, () => '${sealed}');

describe('the secrets in a URL', () => {
  test.each([
    ['https://user:hush@host/repo.git', 'https://user:${sealed}@host/repo.git'],
    ['https://hush@host/repo.git', 'https://${sealed}@host/repo.git'],
    ['https://hush:x-oauth-basic@host/repo.git', 'https://${sealed}:x-oauth-basic@host/repo.git'],
    ['https://hush:@host/repo.git', 'https://${sealed}:@host/repo.git'],
    ['https://:hush@host/repo.git', 'https://:${sealed}@host/repo.git'],
    ['https://user:hush:hush@host:8080/x', 'https://user:${sealed}@host:8080/x'],
    ['https://user:hush@hush@host/x', 'https://user:${sealed}@host/x'],
    ['https://user:hu/sh@host/x', 'https://user:${sealed}@host/x'],
    ['https://user:hu?sh#hush@host/x', 'https://user:${sealed}@host/x'],
    ['HTTPS://user:hush@[2001:db8::1]:8443/x', 'HTTPS://user:${sealed}@[2001:db8::1]:8443/x'],
    ['ssh://git:hush@host:22/x', 'ssh://git:${sealed}@host:22/x'],
    ['https://host/x?access_token=hush&ref=1', 'https://host/x?access_token=${sealed}&ref=1'],
    ['https://host/x?a=1&private%5Ftoken=hush', 'https://host/x?a=1&private%5Ftoken=${sealed}'],
    ['https://host/x#token=hush', 'https://host/x#token=${sealed}'],
    ['https://u:hush@host/x?X-Amz-Signature=hush', 'https://u:${sealed}@host/x?X-Amz-Signature=${sealed}'],
    ['user:hush@registry.example.com/shop/site:1', 'user:${sealed}@registry.example.com/shop/site:1'],
    ['user:hush@host:shop.git', 'user:${sealed}@host:shop.git'],
  ])('%s is shown as %s', (text, expected) => {
    expect(shown(text)).toBe(expected);
    expect(shown(expected)).toBe(expected);
    expect(urlSecrets(text).map(({ name }) => name)).toEqual(urlSecrets(expected).map(({ name }) => name));
  });

  test.each([
    'https://git.example.com/shop/site.git',
    'https://git@git.example.com/shop/site.git',
    'https://git.example.com:8443/shop@v1/site.git?ref=main',
    'ssh://git@git.example.com:2222/site.git',
    'git@git.example.com:shop/site.git',
    'registry.example.com:5000/shop/site:1',
    'shop/site:1@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
    'site:1@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
    'bucket/site.zip',
    '',
  ])('%s has none', (text) => expect(urlSecrets(text)).toEqual([]));

  test('the name of a secret names its server, and not its value', () => {
    const name = (text: string) => urlSecrets(text)[0]?.name;
    expect(name('https://user:a@host/x')).toBe(name('https://user:b@host/y?z=1'));
    expect(name('https://user:a@host/x')).not.toBe(name('https://user:a@evil/x'));
    expect(name('https://user:a@host/x')).not.toBe(name('http://user:a@host/x'));
    expect(name('https://host/?token=a')).not.toBe(name('https://evil/?token=a'));
    expect(name('https://us{er}:a@host/x')).not.toMatch(/[{}]/);
  });
});
