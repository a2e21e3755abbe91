import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AlmUser } from '../alm.ts';
import { digestOf, type FakeRegistry, type FakeTokens } from './fake.ts';
import { latestManifest as manifest, RegistryWorld } from './world.ts';

let world: RegistryWorld;
let tokens: FakeTokens;
let registry: FakeRegistry;
let ann: AlmUser;

beforeEach(async () => {
  world = await RegistryWorld.start();
  ({ tokens, registry } = world);
  ann = world.makeAnn();
});

afterEach(async () => {
  await world.close();
  ann.close();
});

describe('alm registry (with a fake registry and token service)', () => {
  it('catalog lists the images of the user from all pages', async () => {
    const { code, stdout, stderr } = await ann.run(['registry', 'catalog']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'ann/blog\nann/shop\n' });
    expect(stderr).toContain('[alm]: info: Catalog list for user: ann\n');
    expect(stderr).toContain('not shown: 1. To include them: --scope registry:catalog:*');
  });

  it('catalog lists the images of all users with --scope, also as JSON', async () => {
    const all = await ann.json(['registry', 'catalog', '--scope', 'registry:catalog:*', '--fmt', 'json']);
    expect(all).toEqual({ repositories: ['ann/blog', 'ann/shop', 'bob/cart'] });
  });

  it('catalog reports an empty list', async () => {
    tokens.users.set('eve', { password: 'eve-password', scopes: ['registry:catalog:*'] });
    const asEve = ['registry', 'catalog', '--username', 'eve', '--password', 'eve-password'];
    const { code, stdout, stderr } = await ann.run(asEve);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain('Catalog list for user: eve is empty.');
  });

  it.each(['shop', 'ann/shop', 'shop:1.3', 'the registry/ann/shop'])(
    'tags lists the tags of %s',
    async (written) => {
      const image = written.replace('the registry', registry.host);
      const { code, stdout } = await ann.run(['registry', 'tags', '--image', image]);
      const rows = ['1.2', '1.3', '1.4', 'latest'].map((tag) => `ann/shop     ${tag}\n`);
      expect({ code, stdout }).toEqual({ code: 0, stdout: ['IMAGE        TAG\n', ...rows].join('') });
    },
  );

  it('tags prints JSON, and an empty table for an image without tags', async () => {
    expect(await ann.json(['registry', 'tags', 'blog', '-f', 'json'])).toEqual({
      name: 'ann/blog',
      tags: ['1'],
    });
    await ann.run(['registry', 'delete', 'blog:1']);
    const { code, stdout, stderr } = await ann.run(['registry', 'tags', 'blog']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'IMAGE     TAG\n' });
    expect(stderr).toContain('ann/blog has no tags.');
  });

  it.each(['shop', 'shop:latest', `shop@${digestOf(manifest)}`, `shop:1.2@${digestOf(manifest)}`])(
    'manifest prints %s byte for byte',
    async (image) => {
      const { code, stdout, stderr } = await ann.run(['registry', 'manifest', '--image', image]);
      expect({ code, stdout }).toEqual({ code: 0, stdout: manifest });
      expect(stderr).toContain(`digest: ${digestOf(manifest)}`);
    },
  );

  it('manifest supports other formats', async () => {
    const { stdout } = await ann.run(['registry', 'manifest', 'shop', '--fmt', 'min']);
    expect(stdout).toBe('{"schemaVersion":2,"layers":[]}\n');
  });

  it.each([
    ['tags', 'shoe', 'ann/shoe not found at'],
    ['manifest', 'shop:9', 'ann/shop:9 not found at'],
    ['manifest', 'shoe:9', 'ann/shoe not found at'],
    ['delete', 'shop:9', 'ann/shop:9 not found at'],
  ])('%s %s exits with 6 for an unknown image', async (command, image, sentence) => {
    const { code, stderr } = await ann.run(['registry', command, image]);
    expect(code).toBe(6);
    expect(stderr).toContain(sentence);
  });

  it.each([
    ['tags', 'Shop', 'Invalid image name "ann/Shop".'],
    ['tags', '../../v2/bob/cart', 'Invalid image name'],
    ['manifest', 'shop:a b', '"a b" is not a valid tag.'],
    ['manifest', 'shop@sha256:12', '"sha256:12" is not a valid digest.'],
    ['delete', 'shop', 'A tag or digest of ann/shop is required.'],
  ])('%s %s exits with 2 for an invalid image', async (command, image, sentence) => {
    const { code, stderr } = await ann.run(['registry', command, image]);
    expect(code).toBe(2);
    expect(stderr).toContain(sentence);
  });
});

describe('alm registry delete (with a fake registry and token service)', () => {
  it('deletes a tag and its content', async () => {
    const reply = await ann.json(['registry', 'delete', '--image', 'shop:1.3']);
    const digest = digestOf('{"shop":"1.3"}');
    expect(reply).toEqual({ status: 'success', image: 'ann/shop:1.3', digest, tags: ['1.3'] });
    expect(registry.tagsOf('ann/shop')).toEqual(['1.2', '1.4', 'latest']);
  });

  it('refuses to delete other tags of the same content without --force', async () => {
    for (const tag of ['1.4', 'stable']) registry.put('ann/shop', tag, manifest);
    const refused = await ann.run(['registry', 'delete', 'shop:latest']);
    expect(refused.code).toBe(7);
    expect(refused.stderr).toContain('ann/shop:latest has the same content as the tags 1.4, stable');
    expect(registry.tagsOf('ann/shop')).toEqual(['1.2', '1.3', '1.4', 'latest', 'stable']);
    const done = await ann.run(['registry', 'delete', 'shop:latest', '--force', '--fmt', 'min']);
    expect(JSON.parse(done.stdout)).toMatchObject({ status: 'success', tags: ['1.4', 'latest', 'stable'] });
    expect(done.stderr).toContain(
      'warning: These tags have the same content and are also deleted: 1.4, stable',
    );
    expect(registry.tagsOf('ann/shop')).toEqual(['1.2', '1.3']);
  });

  it('by digest refuses to delete a tag without --force', async () => {
    const image = `shop@${digestOf(manifest)}`;
    const { code, stderr } = await ann.run(['registry', 'delete', image]);
    expect(code).toBe(7);
    expect(stderr).toContain('the same content as the tag latest,');
    expect((await ann.run(['registry', 'delete', image, '--force'])).code).toBe(0);
    expect(registry.tagsOf('ann/shop')).not.toContain('latest');
  });

  it('reports that deletion is disabled in the registry', async () => {
    registry.canDelete = false;
    const { code, stderr } = await ann.run(['registry', 'delete', 'shop:1.3']);
    expect(code).toBe(1);
    expect(stderr).toContain('Deletion is disabled in the registry');
    expect(stderr).toContain('REGISTRY_STORAGE_DELETE_ENABLED=true');
  });
});
