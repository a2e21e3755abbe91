import { describe, expect, it } from 'vitest';
import { imageAt, parseImage } from '../../../src/model/registry/image-reference.ts';

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

  it('belongs to a registry only if it starts with its host', () => {
    const host = 'registry.example.test:5000';
    expect(imageAt(host, `${host}/ann/shop`)).toEqual({
      repository: 'ann/shop',
      tag: 'latest',
      digest: null,
    });
    expect(imageAt(host, `${host}/ann/shop@${digest}`)).toMatchObject({ tag: null, digest });
    for (const other of ['ann/shop', 'other.test/ann/shop', `${host}0/ann/shop`, `x${host}/ann/shop`])
      expect(imageAt(host, other)).toBeNull();
    expect(imageAt('', '/ann/shop')).toBeNull();
  });
});
