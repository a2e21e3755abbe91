import { beforeEach, describe, expect, it } from 'vitest';
import type { Layer } from '../../../src/model/stack-model.ts';
import type { Release } from '../../../src/vendors/data.ts';
import { restore } from '../../../src/vendors/docker/data.ts';
import type { DockerDocument } from '../../../src/vendors/docker/document.ts';
import { isSettled, nextRemoval, nextWave } from '../../../src/vendors/docker/plan/plan.ts';
import { fixedServers, sampleModel } from '../sample-model.ts';
import { balanced, compiled, database, everything, storing } from './documents.ts';
import { releasesOf } from './releases.ts';
import { SimulatedEngine, stackId } from './simulated-engine.ts';

let engine = new SimulatedEngine();
beforeEach(() => {
  engine = new SimulatedEngine();
});

const wave = (document: DockerDocument) =>
  nextWave({ stackId, document }, engine.observed).map((step) => step.do);
const volumes = () =>
  engine.volumes.map(({ name, kept }) => `${name.replace(`alm-${stackId}-`, '')}${kept ? ' kept' : ''}`);

it('the plan removes surplus services last, keeps the volumes of primaries, and removes those of replicas', () => {
  engine.converge(everything(1));
  const kinds = () => new Set(engine.containers.map(({ kind }) => kind));
  engine.converge(balanced(2), () => engine.instances().length < 1);
  expect([...kinds()].toSorted()).toEqual(['balancer', 'instance']);
  expect(volumes()).toEqual(['database-main-postgresql kept', 'cache-sessions-redis kept']);
  expect(wave(balanced(2))).toEqual([]);
});

it('the plan uses a kept volume again when its database returns', () => {
  const document = everything(1);
  engine.converge(document);
  engine.converge(balanced(1));
  expect(wave(document)).toEqual(['reuse-volume', 'make-volume', 'reuse-volume']);
  engine.converge(document);
  expect(volumes()).toEqual([
    'database-main-postgresql',
    'cache-sessions-redis',
    'database-main-1-postgresql',
  ]);
});

it('the plan gives a database with another engine a new volume, and keeps the old one', () => {
  const withEngine = (engineName: 'mysql' | 'postgresql') =>
    compiled(sampleModel({ databases: [database({ engine: engineName, replicas: 0 })] }));
  engine.converge(withEngine('postgresql'));
  engine.converge(withEngine('mysql'));
  expect(volumes()).toEqual(['database-main-postgresql kept', 'database-main-mysql']);
});

it('a removal with its data leaves no container, volume or network', () => {
  engine.converge(everything(2));
  for (const instance of engine.instances()) engine.addApp(instance);
  engine.removeAll(releasesOf(engine.volumes, 'delete'));
  expect([engine.containers, engine.volumes, engine.hasNetwork]).toEqual([[], [], false]);
});

it('a removal that keeps data leaves the volumes of databases and Redis, and nothing of instances and replicas', () => {
  engine.converge(everything(2));
  for (const instance of engine.instances()) engine.addApp(instance);
  engine.removeAll();
  expect([engine.containers, engine.hasNetwork]).toEqual([[], false]);
  expect(volumes()).toEqual(['database-main-postgresql kept', 'cache-sessions-redis kept']);
});

it('a removal with its data also removes what an earlier, unfinished one kept, but not what an update kept before', () => {
  engine.document = balanced(1, {}, { databases: [database({ engine: 'mysql', replicas: 0 })] });
  engine.converge(balanced(1, {}, { databases: [database({ engine: 'postgresql', replicas: 0 })] }));
  engine.converge(engine.document);
  engine.removeAll();
  expect(volumes()).toEqual(['database-main-postgresql kept', 'database-main-mysql kept']);
  const releases = releasesOf(engine.volumes, 'delete');
  const target = { stackId, document: engine.document, releases };
  for (const step of nextRemoval(target, engine.observed)) engine.perform(engine.document, step);
  expect(volumes()).toEqual(['database-main-postgresql kept']);
});

it('a removal deletes the data of exactly the stores that a caller released, and keeps the others', () => {
  engine.converge(everything(1));
  engine.document = everything(1);
  engine.removeAll([
    ...releasesOf(engine.volumes, 'keep', 'database-main'),
    ...releasesOf(engine.volumes, 'delete', 'cache-sessions'),
  ]);
  expect(volumes()).toEqual(['database-main-postgresql kept']);
});

describe('an update', () => {
  const later = (releases: readonly Release[]) => engine.converge(balanced(1), undefined, releases);

  it('deletes the data of exactly the stores that a caller released, and keeps the others', () => {
    engine.converge(everything(1));
    later(releasesOf(engine.volumes, 'delete', 'database-main'));
    expect(volumes()).toEqual(['cache-sessions-redis kept']);
  });

  it('deletes released data last, when everything else is in place: until then it can be cancelled', () => {
    engine.converge(everything(1));
    const isGone = () => !volumes().includes('database-main-postgresql');
    engine.converge(balanced(1), isGone, releasesOf(engine.volumes, 'delete', 'database-main'));
    expect(isSettled(balanced(1), engine.observed)).toBe(true);
  });

  it('does not delete data that an earlier update kept, whatever is released now', () => {
    engine.converge(everything(1));
    later([]);
    later(releasesOf(engine.volumes, 'delete', 'database-main'));
    expect(volumes()).toContain('database-main-postgresql kept');
  });
});

describe('the persistent files of a server', () => {
  const servers = (count: number, layer: Partial<Layer> = {}) =>
    compiled(fixedServers(count, { container: storing('local'), ...layer }));

  it('are in a volume of its place, which its replacement uses again', () => {
    engine.converge(servers(2));
    const before = engine.volumes.map(({ storeId }) => storeId);
    engine.converge(servers(2, { instanceType: 'm5.large' }));
    expect(volumes()).toEqual(['storage-web0-0', 'storage-web0-1']);
    expect(engine.volumes.map(({ storeId }) => storeId)).toEqual(before);
  });

  it('are kept when the server goes, and come back with it', () => {
    engine.converge(servers(2));
    engine.converge(servers(1));
    expect(volumes()).toEqual(['storage-web0-0', 'storage-web0-1 kept']);
    engine.converge(servers(2));
    expect(volumes()).toEqual(['storage-web0-0', 'storage-web0-1']);
  });

  it('are kept only after the application that wrote them has ended', () => {
    engine.converge(servers(1));
    const [instance] = engine.instances();
    if (!instance) throw new Error('Expected a server.');
    engine.addApp(instance);
    const isKept = () => volumes().includes('storage-web0-0 kept');
    engine.converge(compiled(sampleModel({ layers: [] })), isKept);
    expect(engine.containers).toEqual([]);
  });

  it('that an agent of an earlier build put into a volume of its own are kept with that volume', () => {
    engine.converge(servers(1));
    for (const instance of engine.instances()) engine.addApp(instance);
    engine.converge(servers(1, { instanceType: 'm5.large' }));
    expect(volumes()).toEqual(['storage-web0-0', expect.stringMatching(/^storage-of-.* kept$/)]);
  });
});

it('the local files of a member of a group go with it', () => {
  engine.converge(balanced(1));
  for (const instance of engine.instances()) engine.addApp(instance);
  engine.converge(balanced(1, { instanceType: 'm5.large' }));
  expect(volumes()).toEqual([]);
});

describe('a store that is restored', () => {
  const source = 'alm-other-database-main-postgresql';
  const plain = balanced(1, {}, { databases: [database({ replicas: 0 })] });
  const restored = restore(plain, new Map([['database-main', source]]));

  it('gets a copy of the kept volume before its database starts, once', () => {
    engine.converge(restored, () => engine.containers.some(({ kind }) => kind === 'database'));
    const copies = engine.done.filter((step) => step.do === 'copy-volume');
    expect(copies).toEqual([{ do: 'copy-volume', volume: engine.volumes[0]?.name, from: source }]);
    expect(engine.containers.find(({ kind }) => kind === 'copy')?.ready).toBe(true);
    engine.converge(restored);
    expect(engine.containers.filter(({ kind }) => kind === 'copy')).toEqual([]);
    expect(engine.done.filter((step) => step.do === 'copy-volume')).toHaveLength(1);
    expect(wave(restored)).toEqual([]);
  });

  it('is copied again after an interruption or a failure, and its database waits', () => {
    engine.converge(restored, () => engine.containers.some(({ kind }) => kind === 'copy'));
    const [copy] = engine.containers;
    if (!copy) throw new Error('Expected a copy.');
    expect(wave(restored)).toEqual([]);
    engine.kill(copy);
    expect(wave(restored)).toEqual(['remove']);
    engine.containers = [];
    expect(wave(restored)).toEqual(['copy-volume']);
  });

  it('keeps its data in later versions that do not say where it came from', () => {
    engine.converge(restored);
    const before = engine.volumes.map(({ storeId }) => storeId);
    engine.converge(plain);
    expect(wave(plain)).toEqual([]);
    expect(engine.volumes.map(({ storeId }) => storeId)).toEqual(before);
  });
});
