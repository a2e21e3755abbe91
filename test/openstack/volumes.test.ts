import { afterAll, expect, it } from 'vitest';
import type { StackModel } from '../../src/model/stack-model.ts';
import { Life } from '../vendors/data-contract/life.ts';
import { containerWith } from '../vendors/data-contract/models.ts';
import { fixedServers } from '../vendors/sample-model.ts';
import { DataIn, type Volume } from './world/data-in.ts';
import { dataWorld } from './world/data-world.ts';
import { clearProject } from './world/own-cloud.ts';
import { type OwnProject, ownProject } from './world/own-project.ts';
import { describeOnFullRig, rig } from './world/rig.ts';
import { OpenStackWorld } from './world/world.ts';

interface Wanted {
  files?: boolean;
  cache?: boolean;
  sizeGib?: number;
  keyPair?: boolean;
}

/** A server that boots from a volume, with files beside it, and a Redis cache. */
const modelWith = ({
  files = true,
  cache = true,
  sizeGib = 20,
  keyPair = true,
}: Wanted = {}): StackModel => ({
  ...fixedServers(1, {
    keyPair,
    volume: { type: null, sizeGib },
    container: containerWith(files ? { kind: 'local', id: null, mountPath: '/data' } : null),
  }),
  region: rig.region,
  caches: cache ? [{ name: 'sessions', engine: 'redis', nodeType: 'cache.t2.micro', nodes: 1 }] : [],
});

// One stack for all: each step starts from the one before.
describeOnFullRig('the volumes with data of a stack', { retry: 0 }, async () => {
  const project: OwnProject = await ownProject();
  const world = new OpenStackWorld({ user: project.user });
  const life = new Life(dataWorld(world, (model) => model));
  afterAll(async () => {
    await clearProject(world);
    await project.remove();
  });

  const { volumes } = new DataIn(world, life.world.connect);
  const volume = async (id: string): Promise<Volume | undefined> =>
    (await volumes()).find((each) => each.id === id);
  const idOf = async (resource: string): Promise<string> =>
    (await life.stores()).find((store) => store.resource === resource)?.id ?? '';

  let files = '';
  let cache = '';

  it('are observed as stores when the stack is complete', async () => {
    await life.settle('v1', modelWith());
    expect(await life.stores()).toMatchObject([
      { resource: 'Files0OfWeb0', kind: 'files', usable: true, sizeGib: 20 },
      { resource: 'Instance0OfWeb0', kind: 'disk', usable: true },
      { resource: 'RedisData0Ofsessions', kind: 'cache', usable: true },
    ]);
    [files, cache] = [await idOf('Files0OfWeb0'), await idOf('RedisData0Ofsessions')];
  });

  it('are attached to the server that replaces another', async () => {
    const before = await idOf('Instance0OfWeb0');
    await life.settle('v2', modelWith({ keyPair: false }));
    const server = await idOf('Instance0OfWeb0');
    expect(server).not.toBe(before);
    expect(await idOf('Files0OfWeb0')).toBe(files);
    expect(await volume(files)).toMatchObject({ status: 'in-use', attachments: [{ server_id: server }] });
  });

  it('grow in place, with the volume that the server boots from', async () => {
    const server = await idOf('Instance0OfWeb0');
    await life.settle('v3', modelWith({ keyPair: false, sizeGib: 30 }));
    expect(await idOf('Instance0OfWeb0')).toBe(server);
    expect(await volume(files)).toMatchObject({ size: 30, attachments: [{ server_id: server }] });
    const sizes = (await volumes()).filter(({ attachments: [at] }) => at?.server_id === server);
    expect(sizes.map(({ size }) => size)).toEqual([30, 30]);
  });

  const without = modelWith({ keyPair: false, sizeGib: 30, files: false, cache: false });
  const withBoth = modelWith({ keyPair: false, sizeGib: 30 });

  it('stay when an update removes and keeps them, and are listed as kept', async () => {
    await life.settle('v4', without, 'keep');
    expect(await volume(files)).toMatchObject({ status: 'available' });
    const kept = (await life.listKept()).map(({ storeId, reference }) => `${storeId} ${reference}`);
    expect(new Set(kept)).toEqual(new Set([`${files} ${files}`, `${cache} ${cache}`]));
    expect((await life.stores()).map(({ kind }) => kind)).toEqual(['disk']);
  });

  it('are used again by a restored version, and stay in use in the next one', async () => {
    const restored = new Map([
      ['Files0OfWeb0', files],
      ['RedisData0Ofsessions', cache],
    ]);
    const compiled = await life.compiled(withBoth);
    const document = life.world.vendor.restore?.(compiled, restored) ?? compiled;
    expect(await life.update({ version: 'v5', document, releases: [] })).toEqual({ accepted: true });
    expect([await idOf('Files0OfWeb0'), await idOf('RedisData0Ofsessions')]).toEqual([files, cache]);
    expect(await life.listKept()).toEqual([]);
    await life.settle('v6', modelWith({ keyPair: true, sizeGib: 30 }));
    const server = await idOf('Instance0OfWeb0');
    expect(await volume(files)).toMatchObject({ attachments: [{ server_id: server }] });
  });

  it('are gone when an update removes and deletes them', async () => {
    await life.settle('v7', modelWith({ files: false, sizeGib: 30 }));
    await expect.poll(() => volume(files)).toBeUndefined();
    expect(await life.listKept()).toEqual([]);
  });

  it('outlive the stack if they are kept, and nothing else does', async () => {
    expect(await life.removed(await life.releases(null, 'keep'))).toEqual({ accepted: true });
    expect(await volumes()).toMatchObject([{ id: cache, status: 'available' }]);
    expect(await life.listKept()).toMatchObject([{ storeId: cache, reference: cache }]);
    expect(await life.stores()).toEqual([]);
  });
});
