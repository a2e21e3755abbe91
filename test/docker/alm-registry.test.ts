import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AlmUser } from '../cli/alm.ts';
import { digestOf } from '../cli/registry/fake.ts';
import { TokenIssuer } from '../cli/registry/issuer.ts';
import { RealRegistry, types } from '../cli/registry/real.ts';

const place = mkdtempSync(join(tmpdir(), 'almanac-registry-'));
const password = 'ann-password-7c1d';
let issuer: TokenIssuer;
let registry: RealRegistry;
let ann: AlmUser;
/** Manifest of ann/shop:1.4 and ann/shop:latest. */
let manifest: string;

beforeAll(async () => {
  issuer = new TokenIssuer(place);
  issuer.users.set('ann', password).set('eve', 'eve-password');
  await issuer.start();
  registry = await RealRegistry.start(join(place, 'data'), issuer);
  await registry.push('ann/shop', '1.2', 'two');
  await registry.push('ann/shop', '1.3', 'three');
  manifest = await registry.push('ann/shop', '1.4', 'four');
  await registry.push('ann/shop', 'latest', 'four');
  await registry.push('bob/cart', '1', 'cart');
  ann = new AlmUser({
    ALM_URL: issuer.url,
    ALM_REGISTRY_URL: registry.url,
    ALM_USERNAME: 'ann',
    ALM_PASSWORD: password,
  });
});

afterAll(async () => {
  ann.close();
  await registry.close();
  await issuer.close();
  rmSync(place, { recursive: true, force: true });
});

describe('alm registry with a real registry and tokens of a test issuer', () => {
  it('lists images', async () => {
    const { code, stdout, stderr } = await ann.run(['registry', 'catalog']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'ann/shop\n' });
    expect(stderr).toContain('info: Catalog list for user: ann');
    const all = await ann.json(['registry', 'catalog', '--scope', 'registry:catalog:*', '-f', 'json']);
    expect(all).toEqual({ repositories: ['ann/shop', 'bob/cart'] });
  });

  it('lists tags', async () => {
    const { name, tags } = await ann.json<{ name: string; tags: string[] }>([
      'registry',
      'tags',
      '--image',
      'shop',
      '--fmt',
      'json',
    ]);
    expect({ name, tags: tags.toSorted() }).toEqual({
      name: 'ann/shop',
      tags: ['1.2', '1.3', '1.4', 'latest'],
    });
  });

  it.each(['shop:1.4', 'shop', 'ann/shop@digest'])(
    'prints the manifest of %s byte for byte',
    async (image) => {
      const written = image.replace('digest', digestOf(manifest));
      const { code, stdout, stderr } = await ann.run(['registry', 'manifest', '--image', written]);
      expect({ code, stdout }).toEqual({ code: 0, stdout: manifest });
      expect(stderr).toContain(`digest: ${digestOf(manifest)}`);
    },
  );

  it('prints the index of a multi-platform image', async () => {
    const part = { mediaType: types.manifest, digest: digestOf(manifest), size: manifest.length };
    const platform = { architecture: 'amd64', os: 'linux' };
    const index = JSON.stringify({
      schemaVersion: 2,
      mediaType: types.index,
      manifests: [{ ...part, platform }],
    });
    await registry.pushManifest('ann/shop', 'many', index, types.index);
    expect((await ann.run(['registry', 'manifest', 'shop:many'])).stdout).toBe(index);
    expect((await ann.run(['registry', 'delete', 'shop:many'])).code).toBe(0);
  });

  it('deletes a tag and its content', async () => {
    const answer = await ann.json(['registry', 'delete', '--image', 'shop:1.3']);
    expect(answer).toMatchObject({ status: 'success', image: 'ann/shop:1.3', tags: ['1.3'] });
    for (const reference of ['1.3', String(answer.digest)])
      expect((await registry.call('GET', 'ann/shop', `/manifests/${reference}`)).status).toBe(404);
    const again = await ann.run(['registry', 'delete', '--image', 'shop:1.3']);
    expect(again.code).toBe(6);
    expect(again.stderr).toContain('ann/shop:1.3 not found at');
  });

  it('keeps content that has another tag, unless forced', async () => {
    const refused = await ann.run(['registry', 'delete', 'shop:1.4']);
    expect(refused.code).toBe(7);
    expect(refused.stderr).toContain('ann/shop:1.4 has the same content as the tag latest');
    expect((await registry.call('GET', 'ann/shop', '/manifests/1.4')).status).toBe(200);
    expect((await ann.run(['registry', 'delete', 'shop:1.4', '--force'])).code).toBe(0);
    for (const tag of ['1.4', 'latest'])
      expect((await registry.call('GET', 'ann/shop', `/manifests/${tag}`)).status).toBe(404);
    expect((await registry.call('GET', 'ann/shop', '/manifests/1.2')).status).toBe(200);
  });

  it('prints a token that the registry accepts', async () => {
    const scope = 'repository:ann/shop:pull';
    const service = ['--service', RealRegistry.service];
    const { stdout } = await ann.run(['registry', 'token', '--scope', scope, ...service]);
    const headers = { authorization: `Bearer ${stdout.trim()}` };
    expect((await fetch(`${registry.url}/v2/ann/shop/tags/list`, { headers })).status).toBe(200);
    expect((await fetch(`${registry.url}/v2/_catalog`, { headers })).status).toBe(401);
  });

  it('reports an invalid password, a denied scope and a rejected token', async () => {
    const wrong = await ann.run(['registry', 'catalog', '--password', 'wrong']);
    expect(wrong.code).toBe(4);
    expect(wrong.stderr).toContain('Invalid user name or password');
    const denied = await ann.run(['registry', 'delete', 'bob/cart:1', '--force']);
    expect(denied.code).toBe(5);
    expect(denied.stderr).toContain('the token does not grant repository:bob/cart:*');
    const elsewhere = await ann.run(['registry', 'catalog', '--service', 'another']);
    expect(elsewhere.code).toBe(4);
    expect(elsewhere.stderr).toContain(`--service ${RealRegistry.service}`);
    expect((await registry.call('GET', 'bob/cart', '/manifests/1')).status).toBe(200);
  });

  it('reports unknown images and tags', async () => {
    const noImage = await ann.run(['registry', 'tags', 'shoe']);
    expect({ code: noImage.code, firstLine: noImage.stderr.split('\n')[1] }).toMatchObject({
      code: 6,
      firstLine: expect.stringContaining('NAME_UNKNOWN'),
    });
    const noTag = await ann.run(['registry', 'manifest', 'shop:9']);
    expect(noTag.code).toBe(6);
    expect(noTag.stderr).toContain('MANIFEST_UNKNOWN');
  });

  it('reports that deletion is disabled', async () => {
    const readOnly = await RealRegistry.start(join(place, 'data'), issuer, false);
    const { code, stderr } = await ann.run(['registry', 'delete', 'shop:1.2', '--rurl', readOnly.url]);
    await readOnly.close();
    expect(code).toBe(1);
    expect(stderr).toContain('Deletion is disabled in the registry');
    expect((await registry.call('GET', 'ann/shop', '/manifests/1.2')).status).toBe(200);
  });

  it('uses the token service that the registry names when Almanac has none', async () => {
    const elsewhere = ['--url', `${issuer.url}/nothing-here`];
    expect((await ann.run(['registry', 'catalog', ...elsewhere])).stdout).toBe('ann/shop\n');
  });

  it('lists images from several pages', async () => {
    const names = ['eve/a', 'eve/b', 'eve/c', 'eve/d', 'eve/e'];
    for (const name of names) await registry.push(name, 'latest', 'small');
    const asEve = ['--username', 'eve', '--password', 'eve-password'];
    const { stdout, stderr } = await ann.run(['registry', 'catalog', ...asEve, '--verbose']);
    expect(stdout).toBe(names.map((name) => `${name}\n`).join(''));
    expect(stderr).toMatch(/\[URL\] .*_catalog\?.*last=/);
  });
});
