import { beforeEach, describe, expect, it } from 'vitest';
import { syncRegistry } from '../../../src/operations/registry/images/sync.ts';
import { useAlmanacWithRegistry } from './use-registry.ts';

const { almanac, images, registry } = useAlmanacWithRegistry();

const sync = async (): Promise<{ count: number; names: string[] }> => {
  const names: string[] = [];
  const { count } = await syncRegistry(almanac.service, (name) => void names.push(name));
  return { count, names: names.toSorted() };
};

beforeEach(async () => {
  registry().mood = 'well';
  registry().repositories.clear();
  await sync();
});

describe('almanac registry sync, with a stand-in for the registry', () => {
  it('lists all repositories of a registry that had images before, on every page of its catalog', async () => {
    const names = ['root/a', 'root/b', 'root/c', 'root/d', 'root/e'];
    for (const name of names) registry().push(name, '1');
    const digest = registry().push('root/a', '2', { platform: 'linux/arm64' });
    expect(await images.names()).toEqual([]);
    expect(await sync()).toEqual({ count: 5, names });
    const listed = (await images.list()).body;
    expect(listed.map(({ repository }) => repository)).toEqual(names);
    expect(listed[0]).toMatchObject({ tag_count: 2, visibility: 'private' });
    registry().mood = 'broken';
    expect((await images.list()).body).toEqual(listed);
    registry().mood = 'well';
    expect((await images.describe('root/a')).body[0]?.tags['2']).toMatchObject({
      digest,
      platforms: ['linux/arm64'],
    });
  });

  it('removes what the registry no longer has, and keeps the description and visibility of the rest', async () => {
    for (const name of ['root/gone', 'root/kept']) registry().push(name, '1');
    registry().push('root/kept', '2');
    await sync();
    await images.setDescription('root/kept', 'The shop');
    await images.setVisibility('root/kept', 'public');
    registry().repositories.delete('root/gone');
    registry().repositories.get('root/kept')?.tags.delete('1');
    expect(await sync()).toEqual({ count: 2, names: ['root/gone', 'root/kept'] });
    expect((await images.list()).body).toMatchObject([
      { repository: 'root/kept', tag_count: 1, description: 'The shop', visibility: 'public' },
    ]);
  });

  it('fails and changes nothing if the registry cannot be read', async () => {
    registry().push('root/shop', '1');
    await sync();
    const before = await images.names();
    expect(before).toContain('root/shop');
    for (const mood of ['broken', 'garbage', 'rejects tokens'] as const) {
      registry().mood = mood;
      await expect(sync()).rejects.toThrow(registry().url);
      expect(await images.names()).toEqual(before);
    }
  });
});
