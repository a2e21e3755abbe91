import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inspectImage } from '../../../src/registry/inspect.ts';
import { readContents } from '../../../src/registry/read-tags.ts';
import { Registry } from '../../../src/registry/registry.ts';
import { StandInRegistry } from '../../api/registry/stand-in-registry.ts';

let standIn: StandInRegistry;
let registry: Registry;

beforeAll(async () => {
  standIn = await StandInRegistry.start();
  const { url } = standIn;
  registry = new Registry({ url, timeoutMs: 5000, token: () => Promise.resolve('token') });
});
afterAll(() => standIn.stop());
beforeEach(() => {
  standIn.repositories.clear();
  standIn.requests.length = 0;
});

const indexType = 'application/vnd.oci.image.index.v1+json';
const imageType = 'application/vnd.oci.image.manifest.v1+json';

const pushIndex = (tag: string | null, manifests: readonly object[]): string =>
  standIn.put('ann/odd', tag, { mediaType: indexType, manifests });
const entryOf = (digest: string, mediaType = indexType, platform?: object) => ({
  mediaType,
  digest,
  size: 100,
  platform,
});
const digestNumber = (number: number): string => `sha256:${number.toString(16).padStart(64, '0')}`;
const inspect = () => inspectImage(registry, 'ann/odd', 'latest');

describe('images as nobody makes them, with a stand-in for the registry', () => {
  it('reads an index once, however often other indexes name it', async () => {
    const image = standIn.push('ann/odd', null);
    const many = (digest: string) => Array.from({ length: 8 }, () => entryOf(digest));
    const lowest = pushIndex(null, [entryOf(image, imageType)]);
    const middle = pushIndex(null, many(lowest));
    pushIndex('latest', many(middle));
    expect((await readContents(registry, 'ann/odd'))[0]?.parts).toEqual([middle, lowest, image]);
    const read = standIn.requests.filter((request) => request.includes('/manifests/'));
    expect(read).toHaveLength(3);
  });

  it('reads only the first of very many indexes, and says so if all are needed', async () => {
    const inner = Array.from({ length: 100 }, (_, number) =>
      pushIndex(null, [entryOf(digestNumber(number), imageType)]),
    );
    pushIndex(
      'latest',
      inner.map((digest) => entryOf(digest)),
    );
    expect(await inspect()).toMatchObject({ platforms: [] });
    expect(standIn.requests.length).toBeLessThan(150);
    await expect(readContents(registry, 'ann/odd')).rejects.toMatchObject({
      kind: 'registry_trouble',
      message: expect.stringMatching(/^ann\/odd@sha256:[0-9a-f]{64} has too many parts/),
      retryAfter: undefined,
    });
  });

  it('does not read all parts of an index that has thousands', async () => {
    pushIndex(
      'latest',
      Array.from({ length: 5000 }, (_, number) => entryOf(digestNumber(number), imageType)),
    );
    expect(await inspect()).not.toBeNull();
    expect(standIn.requests.length).toBeLessThan(150);
    await expect(readContents(registry, 'ann/odd')).rejects.toThrow(/too many parts/);
  });

  it.each([
    ['is very long', 'x'.repeat(1_000_000)],
    ['has control characters', 'linux\u0000'],
    ['has lines', 'linux\nwindows'],
    ['is not a word', '../linux'],
  ])('shows no platform if its name %s', async (_, name) => {
    standIn.push('ann/odd', 'latest', { platform: `linux/${name.replaceAll('/', '.')}` });
    expect(await inspect()).toMatchObject({ platforms: [] });
    const platforms = [
      { os: name, architecture: 'amd64' },
      { os: 'linux', architecture: name },
      { os: 'linux', architecture: 'arm', variant: name },
      { os: 'linux', architecture: 'arm', variant: 'v7' },
    ];
    pushIndex(
      'latest',
      platforms.map((platform, at) => entryOf(digestNumber(at), imageType, platform)),
    );
    expect(await inspect()).toMatchObject({ platforms: ['linux/arm/v7'] });
  });

  it('shows the first platforms only, and a media type of limited length', async () => {
    const platform = (at: number) => ({ os: 'linux', architecture: `cpu${at}` });
    pushIndex(
      'latest',
      Array.from({ length: 500 }, (_, at) => entryOf(digestNumber(at), imageType, platform(at))),
    );
    const platforms = (await inspect())?.platforms;
    expect(platforms).toHaveLength(64);
    expect(platforms?.[0]).toBe('linux/cpu0');
    standIn.put('ann/odd', 'latest', { mediaType: `x/${'y'.repeat(1000)}` });
    expect((await inspect())?.mediaType).toMatch(/^[\x20-\x7E]{1,255}$/);
  });

  it('limits the size to what a database and JSON can hold, whatever the manifest says', async () => {
    const layers = Array.from({ length: 1100 }, (_, at) => ({
      digest: digestNumber(at),
      size: Number.MAX_SAFE_INTEGER,
    }));
    standIn.put('ann/odd', 'latest', { mediaType: imageType, layers });
    expect((await inspect())?.size).toBe(Number.MAX_SAFE_INTEGER);
  });

  it('does not read a configuration that is too large for one', async () => {
    const config = { digest: digestNumber(1), size: 20_000_000 };
    standIn.put('ann/odd', 'latest', { mediaType: imageType, config });
    expect(await inspect()).toMatchObject({ platforms: [] });
    expect(standIn.requests.filter((request) => request.includes('/blobs/'))).toEqual([]);
  });
});
