import { describe, expect, it } from 'vitest';
import { follows, isOlder, newestOf, parseTrack } from '../../../src/model/registry/track.ts';

describe('what a layer follows', () => {
  it.each([
    ['root/shop:latest', { name: 'root/shop', reference: 'latest' }],
    ['root/shop:^1.2', { name: 'root/shop', reference: '^1.2' }],
    ['registry.test:5000/root/shop:1.x', { name: 'registry.test:5000/root/shop', reference: '1.x' }],
    ['root/shop', null],
    ['root/shop:', null],
    ['root/shop:^one', null],
    ['root/shop@sha256:abc', null],
    ['root/shop:1 2', null],
    [':latest', null],
  ])('%s is read as %j', (text, track) => expect(parseTrack(text)).toEqual(track));

  it.each([
    ['latest', ['latest'], ['1.0.0', 'Latest']],
    ['1.2', ['1.2'], ['1.2.0', '1.2.1']],
    ['^1.2', ['1.2.0', 'v1.9.3'], ['1.1.9', '2.0.0', '1.3.0-rc.1', '1.3', 'latest']],
    ['^1.2.3', ['1.2.3', '1.10.0'], ['1.2.2', '2.0.0']],
    ['^0.2.3', ['0.2.3', '0.2.10'], ['0.3.0', '0.2.2']],
    ['^0.0.3', ['0.0.3'], ['0.0.4']],
    ['^0.0.0', ['0.0.0'], ['0.0.1']],
    ['^0', ['0.9.1'], ['1.0.0']],
    ['~1.2', ['1.2.0', '1.2.9'], ['1.3.0']],
    ['~1.2.3', ['1.2.3', '1.2.9'], ['1.2.2', '1.3.0']],
    ['~1', ['1.0.0', '1.9.0'], ['2.0.0']],
    ['1.x', ['1.0.0', '1.9.0'], ['2.0.0', '0.9.0']],
    ['1.2.x', ['1.2.0'], ['1.3.0']],
    ['*', ['0.0.1', '12.0.0'], ['latest']],
  ])('%s follows %j and not %j', (reference, some, others) => {
    expect(some.filter((tag) => !follows(reference, tag))).toEqual([]);
    expect(others.filter((tag) => follows(reference, tag))).toEqual([]);
  });

  it('means the newest version of its range, by number', () => {
    const images = ['1.9.0', 'latest', '1.10.0', '2.0.0', '1.2.0'].map((tag) => ({ tag }));
    expect(newestOf('^1.2', images)?.tag).toBe('1.10.0');
    expect(newestOf('latest', images)?.tag).toBe('latest');
    expect(newestOf('^3.0', images)).toBeUndefined();
  });

  it('goes back only from a newer version to an older one, not from or to other tags', () => {
    expect(isOlder('1.2.0', '1.10.0')).toBe(true);
    expect(isOlder('1.10.0', '1.2.0')).toBe(false);
    expect(isOlder('1.2.0', '1.2.0')).toBe(false);
    expect(isOlder('1.2.0', 'latest')).toBe(false);
    expect(isOlder('1.2.0', null)).toBe(false);
  });
});
