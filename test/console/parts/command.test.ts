import { expect, it } from 'vitest';
import { stackCommand, word } from '../../../src/console/parts/acts/command.ts';

it('a shown command quotes only what a shell would change', () => {
  expect(word('deploy', 'name')).toBe('deploy');
  expect(word('build server', 'name')).toBe("'build server'");
  expect(word("ann's $HOME", 'name')).toBe(`'ann'\\''s $HOME'`);
  expect(word('', 'name')).toBe('<name>');
});

it('a shown command about a stack of API v2 names the version, and others do not', () => {
  expect(stackCommand('events', { api: 'v3', id: 'mo-1' }, '--follow')).toBe(
    'alm stack events mo-1 --follow',
  );
  expect(stackCommand('pem', { api: 'v2', id: 'mo-1' }, '--out key.pem')).toBe(
    'alm stack pem mo-1 --out key.pem --apiver v2',
  );
});
