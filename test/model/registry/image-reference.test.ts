import { expect, it } from 'vitest';
import { repositoryOn } from '../../../src/model/registry/image-reference.ts';

const host = 'registry.example.com:5000';

it.each([
  [`${host}/ann/shop`, 'ann/shop'],
  [`${host}/ann/shop:1.2`, 'ann/shop'],
  [`${host}/ann/shop:1.2@sha256:${'a'.repeat(64)}`, 'ann/shop'],
  [`${host}/ann/shop@sha256:${'a'.repeat(64)}`, 'ann/shop'],
  [`https://${host}/ann/shop:1`, 'ann/shop'],
  [`user:secret@${host}/ann/shop:1`, 'ann/shop'],
  [`Registry.Example.com:5000/shop`, 'shop'],
])('the repository of %s is %s', (image, repository) => {
  expect(repositoryOn(host, image)).toBe(repository);
});

it.each([
  'ann/shop',
  'shop',
  'registry.example.com/ann/shop',
  `other.example.com/${host}/ann/shop`,
  host,
  `${host}/`,
  `${host}/Ann/Shop`,
  `${host}.evil.example/ann/shop`,
])('%s is not on the registry', (image) => {
  expect(repositoryOn(host, image)).toBeNull();
});

it('without a registry no image is on it', () => {
  expect(repositoryOn('', '/ann/shop')).toBeNull();
});
