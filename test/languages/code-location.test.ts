import { describe, expect, test } from 'vitest';
import {
  codeLocationProblem,
  gitReferenceProblem,
  repositoryProblem,
} from '../../src/languages/code-location.ts';

describe('a repository that makes git run a program or read local files is refused', () => {
  test.each([
    'ext::sh -c touch% /tmp/made',
    'EXT::sh',
    'fd::7',
    'foo+bar::https://host/x',
    'file:///etc/shop.git',
    'FILE://localhost/etc',
    'ftp://host/x',
    '-u./payload',
    '--upload-pack=touch',
    'ssh://-oProxyCommand=touch/x',
    'ssh://git@-oProxyCommand=touch/x',
    'ssh://-oProxyCommand=touch@host/x',
    'ssh://%2DoProxyCommand=touch/x',
    'ssh://git@%2doProxyCommand=touch/x',
    'git+ssh://-oProxyCommand=touch/x',
    'https://-host/x',
    '-oProxyCommand=touch:x',
    'git@-oProxyCommand=touch:x',
    '[-oProxyCommand=touch]:x',
    'host:-u',
    'git@[2001:db8::1]:-u',
    'git@[2001:db8::1]::x',
    '-oProxyCommand=touch@[2001:db8::1]:x',
    'ext::[2001:db8::1]:x',
    'ext@[ext::sh]:x',
    'git@host:--upload-pack=touch',
    'https://host/a\nb',
    'https://host/\u007f',
  ])('%s', (location) => {
    expect(repositoryProblem(location)).toMatch(/^must /);
    expect(codeLocationProblem(location)).toMatch(/^must /);
  });

  test.each(['/srv/shop.git', './shop.git', '../shop', 'shop', 's3://bucket/x'])(
    '%s is not a repository on another machine',
    (location) => expect(repositoryProblem(location)).toMatch(/^must be a URL/),
  );
});

describe('an ordinary repository is accepted', () => {
  test.each([
    'https://git.example.com/shop/site.git',
    'http://git.example.com:8080/shop/-/site.git',
    'https://git.example.com/a-b/--c.git?x=-1',
    'ssh://git@git.example.com:2222/~ann/site.git',
    'git+ssh://git@git.example.com/site.git',
    'git://git.example.com/site.git',
    'git@git.example.com:shop/site.git',
    'git.example.com:shop/site.git',
    '[git@git.example.com:2222]:shop/site.git',
    'https://[2001:db8::1]/site.git',
    'git@[2001:db8::1]:shop/site.git',
    '[2001:db8::1]:shop/site.git',
    'ssh://git@[2001:db8::1]:22/site.git',
  ])('%s', (location) => {
    expect(repositoryProblem(location)).toBeNull();
    expect(codeLocationProblem(location)).toBeNull();
  });

  test.each(['bucket/site.zip', '/bucket/my site.zip', 's3://bucket/a/b.tgz', 'https://host/x.zip?a=1'])(
    '%s is accepted as a location in an object store',
    (location) => expect(codeLocationProblem(location)).toBeNull(),
  );
});

test('a git reference must not be an option', () => {
  for (const reference of ['--upload-pack=touch', '-q', 'a b', 'a\0'])
    expect(gitReferenceProblem(reference)).toMatch(/^must not/);
  for (const reference of ['main', 'v1.0', 'refs/heads/a-b', '0a1b2c'])
    expect(gitReferenceProblem(reference)).toBeNull();
});
