import { afterAll, expect, it } from 'vitest';
import type { Layer, StackModel } from '../../src/model/stack-model.ts';
import { fixedServers } from '../vendors/sample-model.ts';
import { DataWorld } from './world/data-world.ts';
import { removeStacks } from './world/own-cloud.ts';
import { type OwnProject, ownProject } from './world/own-project.ts';
import { describeOnFullRig, rig } from './world/rig.ts';
import { patiently } from './world/steps.ts';
import { OpenStackWorld } from './world/world.ts';

const container: Layer['container'] = {
  image: 'nginx',
  registryUsername: null,
  registryPasswordSecret: null,
  codeDirectory: null,
  codeSource: 'git',
  gitRepository: null,
  gitReference: 'main',
  gitPrivateKeySecret: null,
  ports: [],
  environment: {},
  users: [],
  addons: [],
  storage: { kind: 'local', id: null, mountPath: '/data' },
};

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
    container: files ? container : { ...container, storage: null },
  }),
  region: rig.region,
  caches: cache ? [{ name: 'sessions', engine: 'redis', nodeType: 'cache.t2.micro', nodes: 1 }] : [],
});

interface Volume {
  id: string;
  size: number;
  status: string;
  attachments: { server_id: string }[];
}

// One stack for all: each step starts from the one before.
describeOnFullRig('the volumes with data of a stack', { retry: 0 }, async () => {
  const project: OwnProject = await ownProject();
  const world = new OpenStackWorld({ user: project.user });
  const data = new DataWorld(world);
  afterAll(async () => {
    await removeStacks(world);
    for (const { id } of await volumes())
      await world.cloud.change({ service: 'volumev3', method: 'DELETE', path: `/volumes/${id}` });
    await project.remove();
  });

  const volumes = async (): Promise<Volume[]> =>
    (
      await patiently(() =>
        world.cloud.read<{ volumes: Volume[] }>({ service: 'volumev3', path: '/volumes/detail' }),
      )
    ).volumes;
  const volume = async (id: string): Promise<Volume | undefined> =>
    (await volumes()).find((each) => each.id === id);
  const idOf = async (resource: string): Promise<string> =>
    (await data.stores()).find((store) => store.resource === resource)?.id ?? '';

  let files = '';
  let cache = '';

  it('are observed as stores when the stack is complete', async () => {
    expect(await data.update({ model: modelWith(), version: 'v1' })).toMatchObject({ kind: 'settled' });
    expect(await data.stores()).toMatchObject([
      { resource: 'Files0OfWeb0', kind: 'files', usable: true, sizeGib: 20 },
      { resource: 'Instance0OfWeb0', kind: 'disk', usable: true },
      { resource: 'RedisData0Ofsessions', kind: 'cache', usable: true },
    ]);
    [files, cache] = [await idOf('Files0OfWeb0'), await idOf('RedisData0Ofsessions')];
  });

  it('are attached to the server that replaces another', async () => {
    const before = await idOf('Instance0OfWeb0');
    await data.update({ model: modelWith({ keyPair: false }), version: 'v2' });
    const server = await idOf('Instance0OfWeb0');
    expect(server).not.toBe(before);
    expect(await idOf('Files0OfWeb0')).toBe(files);
    expect(await volume(files)).toMatchObject({ status: 'in-use', attachments: [{ server_id: server }] });
  });

  it('grow in place, with the volume that the server boots from', async () => {
    const server = await idOf('Instance0OfWeb0');
    const model = modelWith({ keyPair: false, sizeGib: 30 });
    expect(await data.update({ model, version: 'v3' })).toMatchObject({ kind: 'settled', version: 'v3' });
    expect(await idOf('Instance0OfWeb0')).toBe(server);
    expect(await volume(files)).toMatchObject({ size: 30, attachments: [{ server_id: server }] });
    const sizes = (await volumes()).filter(({ attachments: [at] }) => at?.server_id === server);
    expect(sizes.map(({ size }) => size)).toEqual([30, 30]);
  });

  const without = modelWith({ keyPair: false, sizeGib: 30, files: false, cache: false });
  const withBoth = modelWith({ keyPair: false, sizeGib: 30 });

  it('stay when an update removes and keeps them, and are listed as kept', async () => {
    await data.update({ model: without, version: 'v4', data: 'keep' });
    expect(await volume(files)).toMatchObject({ status: 'available' });
    const kept = (await data.listKept()).map(({ storeId, reference }) => `${storeId} ${reference}`);
    expect(new Set(kept)).toEqual(new Set([`${files} ${files}`, `${cache} ${cache}`]));
    expect((await data.stores()).map(({ kind }) => kind)).toEqual(['disk']);
  });

  it('are used again by a restored version, and stay in use in the next one', async () => {
    const restored = new Map([
      ['Files0OfWeb0', files],
      ['RedisData0Ofsessions', cache],
    ]);
    await data.update({ model: withBoth, version: 'v5', restored });
    expect([await idOf('Files0OfWeb0'), await idOf('RedisData0Ofsessions')]).toEqual([files, cache]);
    expect(await data.listKept()).toEqual([]);
    await data.update({ model: modelWith({ keyPair: true, sizeGib: 30 }), version: 'v6' });
    const server = await idOf('Instance0OfWeb0');
    expect(await volume(files)).toMatchObject({ attachments: [{ server_id: server }] });
  });

  it('are gone when an update removes and deletes them', async () => {
    const model = modelWith({ files: false, sizeGib: 30 });
    expect(await data.update({ model, version: 'v7', data: 'delete' })).toMatchObject({ version: 'v7' });
    await expect.poll(() => volume(files)).toBeUndefined();
    expect(await data.listKept()).toEqual([]);
  });

  it('outlive the stack if they are kept, and nothing else does', async () => {
    expect(await data.remove('keep')).toMatchObject({ kind: 'absent' });
    expect(await volumes()).toMatchObject([{ id: cache, status: 'available' }]);
    expect(await data.listKept()).toMatchObject([{ storeId: cache, reference: cache }]);
    expect(await data.stores()).toEqual([]);
  });
});
