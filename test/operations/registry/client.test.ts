import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inspectImage } from '../../../src/registry/inspect.ts';
import { readContents } from '../../../src/registry/read-tags.ts';
import { Registry } from '../../../src/registry/registry.ts';
import { StandInRegistry } from '../../api/registry/stand-in-registry.ts';

let standIn: StandInRegistry;
let registry: Registry;

const openAt = (url: string, timeoutMs = 5000) =>
  new Registry({ url, timeoutMs, token: () => Promise.resolve('token') });

beforeAll(async () => {
  standIn = await StandInRegistry.start();
  registry = openAt(standIn.url);
});
afterAll(() => standIn.stop());
beforeEach(() => {
  standIn.mood = 'well';
  standIn.repositories.clear();
  standIn.before = () => {};
});

describe('the client of a registry, with a stand-in for the registry', () => {
  it('reads all pages of the catalog', async () => {
    const names = ['ann/a', 'ann/b', 'ann/c', 'ben/a', 'ben/b'];
    for (const name of names) standIn.push(name, '1');
    const pages: string[][] = [];
    for await (const page of registry.repositories()) pages.push(page);
    expect(pages.flat()).toEqual(names);
    expect(pages).toHaveLength(3);
  });

  it('takes a repository that the registry does not know for one without tags', async () => {
    expect(await registry.tags('ann/none')).toEqual([]);
    expect(await registry.manifest('ann/none', 'latest')).toBeNull();
  });

  it('knows digest, size and platform of a single image', async () => {
    const digest = standIn.push('ann/shop', '1', { layer: 'x'.repeat(1000), platform: 'linux/arm/v7' });
    const image = await inspectImage(registry, 'ann/shop', '1');
    expect(image).toMatchObject({ digest, platforms: ['linux/arm/v7'] });
    expect(image?.size).toBeGreaterThan(1000);
  });

  it('counts attestations of an index as size, but not as platforms', async () => {
    const digest = standIn.pushIndex('ann/shop', '1', ['linux/amd64', 'linux/arm64']);
    const image = await inspectImage(registry, 'ann/shop', '1');
    expect(image).toMatchObject({ digest, platforms: ['linux/amd64', 'linux/arm64'] });
    const [content] = await readContents(registry, 'ann/shop');
    expect(content?.parts).toHaveLength(3);
  });

  it('counts a layer that two platforms share once', async () => {
    standIn.push('ann/shop', 'one', { layer: 'y'.repeat(5000) });
    const one = await inspectImage(registry, 'ann/shop', 'one');
    const first = standIn.push('ann/shop', null, { layer: 'y'.repeat(5000) });
    const second = standIn.push('ann/shop', null, { layer: 'y'.repeat(5000), platform: 'linux/s390x' });
    standIn.put('ann/shop', 'both', {
      mediaType: 'application/vnd.docker.distribution.manifest.list.v2+json',
      manifests: [first, second].map((digest) => ({ digest, size: 1, mediaType: 'any' })),
    });
    const both = await inspectImage(registry, 'ann/shop', 'both');
    expect((both?.size ?? 0) - (one?.size ?? 0)).toBeLessThan(2000);
  });

  it('reports an answer that does not come from a registry', async () => {
    standIn.mood = 'garbage';
    await expect(registry.tags('ann/shop')).rejects.toMatchObject({
      kind: 'registry_trouble',
      message: `The registry at ${standIn.url} gave an answer that is not usable (no list of tags at /v2/ann/shop/tags/list)`,
    });
    await expect(registry.manifest('ann/shop', '1')).rejects.toThrow(/no manifest at/);
  });

  it('believes that something does not exist only if a registry says so', async () => {
    standIn.push('ann/shop', '1');
    standIn.mood = 'elsewhere';
    const reason = /not usable \(status 404 for (GET|DELETE) \S+\)/;
    await expect(registry.tags('ann/shop')).rejects.toThrow(reason);
    await expect(registry.manifest('ann/shop', '1')).rejects.toThrow(reason);
    await expect(registry.deleteManifest('ann/shop', `sha256:${'0'.repeat(64)}`)).rejects.toThrow(reason);
    await expect(registry.repositories().next()).rejects.toThrow(reason);
  });

  it('does not believe a digest that is not the one of the content', async () => {
    const digest = standIn.push('ann/shop', '1');
    const kept = standIn.repositories.get('ann/shop')?.manifests;
    kept?.set(digest, { type: 'application/json', text: '{"schemaVersion":2}' });
    await expect(registry.manifest('ann/shop', '1')).rejects.toThrow(/not usable/);
  });

  it('names the registry, the reason and the remedy of every failure', async () => {
    standIn.mood = 'rejects tokens';
    const rejected = registry.tags('ann/shop');
    await expect(rejected).rejects.toThrow(
      `The registry at ${standIn.url} rejects the token of this server (invalid_token)`,
    );
    standIn.mood = 'deletes nothing';
    standIn.push('ann/shop', '1');
    await expect(registry.deleteManifest('ann/shop', 'sha256:0')).rejects.toThrow(/Deletion is disabled/);
    standIn.mood = 'broken';
    await expect(registry.tags('ann/shop')).rejects.toThrow(/status 500 for GET/);
    const stopped = await StandInRegistry.start();
    const { url } = stopped;
    await stopped.stop();
    await expect(openAt(url).tags('ann/shop')).rejects.toMatchObject({
      message: `The registry at ${url} does not answer (ECONNREFUSED)`,
      retryAfter: 5,
    });
  });

  it('gives up on a registry that does not answer within the time limit', async () => {
    standIn.mood = 'slow';
    await expect(openAt(standIn.url, 100).tags('ann/shop')).rejects.toMatchObject({
      message: `The registry at ${standIn.url} does not answer (no complete answer within 0.1 s)`,
      retryAfter: 5,
    });
  });
});
