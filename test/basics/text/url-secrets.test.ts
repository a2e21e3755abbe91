import { describe, expect, test } from 'vitest';
import { isAmbiguous } from '../../../src/basics/text/url-authority.ts';
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
    ['https://hush:x@host/x', 'https://${sealed}:${sealed}@host/x'],
    ['https://hush:oauth2@host/x', 'https://${sealed}:oauth2@host/x'],
    ['https://ghp_hush:password@host/x', 'https://${sealed}:${sealed}@host/x'],
    ['https://glpat-hush:x-oauth-basic@host/x', 'https://${sealed}:x-oauth-basic@host/x'],
    ['http://0123456789hush_-456789:password@host/x', 'http://${sealed}:${sealed}@host/x'],
    ['ghp_hush:x@registry/app:1', '${sealed}:${sealed}@registry/app:1'],
    [
      'https://hush:x@host/app@sha256:' + 'a'.repeat(64),
      'https://${sealed}:${sealed}@host/app@sha256:' + 'a'.repeat(64),
    ],
    ['https://user:hu/sh@hush@host/x', 'https://user:${sealed}@host/x'],
    ['user:hu@sh@host/x', 'user:${sealed}@host/x'],
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
    'https://site:1@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
    'https://[2001:db8::1]:8443/shop@v1/site.git',
    'git@[2001:db8::1]:site.git',
    '[2001:db8::1]:site@v1.git',
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
    for (const text of ['https://hush:x@host/x', 'https://ghp_hush:password@host/x?token=hush'])
      for (const secret of urlSecrets(text)) expect(secret.name).not.toContain('hush');
  });

  test('a name is short enough for a key of every database, and still names its server', () => {
    const long = 'a'.repeat(4000);
    const names = ['a', 'b'].flatMap((host) =>
      [
        `https://${long}:hush@${host}/x`,
        `https://user:hush@${host}${long}/x`,
        `https://${host}/?token${long}=hush`,
      ].map((text) => {
        const [secret] = urlSecrets(text);
        expect(secret?.name).toBe(urlSecrets(shown(text))[0]?.name);
        return secret?.name ?? '';
      }),
    );
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name.length).toBeLessThan(300);
  });

  test.each([
    ['https://u:123/abc@host/x', true],
    ['https://u:12?abc@host/x', true],
    ['https://user:a@b/c@host/x', true],
    ['https://user:a@host/x', false],
    ['https://host:8443/x', false],
    ['https://host:5000/app@sha256:' + 'a'.repeat(64), false],
    ['https://host/shop@v1', false],
    ['https://[2001:db8::1]/shop@v1', false],
    ['ssh://git@host/shop@v1', false],
    ['git@host:shop@v1', false],
  ])('whether it is unclear where the password in %s ends: %s', (text, expected) =>
    expect(isAmbiguous(text)).toBe(expected),
  );
});
