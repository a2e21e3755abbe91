import { beforeEach, expect, it } from 'vitest';
import type { DockerDocument } from '../../../src/vendors/docker/document.ts';
import { nextWave } from '../../../src/vendors/docker/plan/plan.ts';
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

it('a cache without a volume, which an older Almanac made, hands its data over to the container that has one', () => {
  const document = everything(1);
  engine.converge(document);
  const old = engine.containers.find(({ part }) => part === 'cache-sessions');
  if (!old) throw new Error('Expected a cache.');
  Object.assign(old, { hash: 'older', volume: '' });
  engine.converge(document);
  const successor = engine.containers.find(({ part }) => part === 'cache-sessions');
  const handOver = { do: 'remove', container: old.id, dataTo: successor?.id };
  expect(engine.done).toContainEqual(expect.objectContaining(handOver));
});
