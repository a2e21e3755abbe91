import { describe, expect, it } from 'vitest';
import { parseImage } from '../../../src/model/registry/image-id.ts';

const digest = `sha256:${'a'.repeat(64)}`;

describe('references to images', () => {
  it('has a repository, and a tag, a digest, both or neither', () => {
    expect(parseImage('ann/shop')).toEqual({ repository: 'ann/shop', tag: null, digest: null });
    expect(parseImage('ann/shop:1.4')).toEqual({ repository: 'ann/shop', tag: '1.4', digest: null });
    expect(parseImage(`ann/shop@${digest}`)).toEqual({ repository: 'ann/shop', tag: null, digest });
    expect(parseImage(`ann/shop:1.4@${digest}`)).toEqual({ repository: 'ann/shop', tag: '1.4', digest });
  });

  it.each([
    '',
    'Ann/shop',
    'ann//shop',
    '../shop',
    'ann/shop:',
    'ann/shop:a/b',
    'ann/shop@sha256:1',
    'ann/shop?x',
  ])('is not "%s"', (text) => expect(parseImage(text)).toBeNull());
});
