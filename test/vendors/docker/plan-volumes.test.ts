import { beforeEach, expect, it } from 'vitest';
import type { DockerDocument } from '../../../src/vendors/docker/document.ts';
import { nextRemoval, nextWave } from '../../../src/vendors/docker/plan/plan.ts';
import { sampleModel } from '../sample-model.ts';
import { balanced, compiled, database, everything } from './documents.ts';
import { SimulatedEngine, stackId } from './simulated-engine.ts';

let engine = new SimulatedEngine();
beforeEach(() => {
  engine = new SimulatedEngine();
});

const wave = (document: DockerDocument) =>
  nextWave(stackId, document, engine.observed).map((step) => step.do);
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
  engine.removeAll('delete');
  expect([engine.containers, engine.volumes, engine.hasNetwork]).toEqual([[], [], false]);
});

it('a removal that keeps data leaves the volumes of databases and Redis, and nothing of instances and replicas', () => {
  engine.converge(everything(2));
  for (const instance of engine.instances()) engine.addApp(instance);
  engine.removeAll('keep');
  expect([engine.containers, engine.hasNetwork]).toEqual([[], false]);
  expect(volumes()).toEqual(['database-main-postgresql kept', 'cache-sessions-redis kept']);
});

const cacheOf = (document: DockerDocument) => {
  engine.converge(document);
  const found = engine.containers.find(({ part }) => part === 'cache-sessions');
  if (!found) throw new Error('Expected a cache.');
  return found;
};

/** As an older Almanac made it: the data of Redis is in its container. */
const withoutCacheVolume = (document: DockerDocument): DockerDocument => ({
  ...document,
  volumes: document.volumes.filter((volume) => !volume.startsWith('cache-')),
  services: document.services.map((service) =>
    service.kind === 'cache' ? { ...service, volume: null, hash: `older ${service.hash}` } : service,
  ),
});

it('a cache without a volume hands its data over to the container that has one, and gets it back when that update is cancelled', () => {
  const document = everything(1);
  const older = withoutCacheVolume(document);
  const made = [older, document, older].map((each) => cacheOf(each).id);
  const handOvers = engine.done.flatMap((step) =>
    step.do === 'remove' && step.dataTo !== undefined ? [[step.container, step.dataTo]] : [],
  );
  expect(handOvers).toEqual([made.slice(0, 2), made.slice(1)]);
  expect(volumes()).toContain('cache-sessions-redis kept');
});

it('an update that is cancelled before the data of a cache moved leaves it where it is', () => {
  const document = everything(1);
  const older = withoutCacheVolume(document);
  const { id } = cacheOf(older);
  engine.converge(
    document,
    () => engine.containers.filter(({ part }) => part === 'cache-sessions').length > 1,
  );
  expect(cacheOf(older).id).toBe(id);
  expect(engine.done.filter((step) => step.do === 'remove' && step.dataTo !== undefined)).toEqual([]);
});

it('a removal with its data also removes what an earlier, unfinished one kept, but not what an update kept before', () => {
  engine.document = balanced(1, {}, { databases: [database({ engine: 'mysql', replicas: 0 })] });
  engine.converge(balanced(1, {}, { databases: [database({ engine: 'postgresql', replicas: 0 })] }));
  engine.converge(engine.document);
  engine.removeAll('keep');
  expect(volumes()).toEqual(['database-main-postgresql kept', 'database-main-mysql kept']);
  for (const step of nextRemoval(engine.observed, 'delete')) engine.perform(engine.document, step);
  expect(volumes()).toEqual(['database-main-postgresql kept']);
});
