import { beforeEach, describe, expect, it } from 'vitest';
import type { DockerDocument } from '../../../src/vendors/docker/document.ts';
import { nextWave } from '../../../src/vendors/docker/plan/plan.ts';
import { fixedServers, sampleModel } from '../sample-model.ts';
import { balanced, compiled, database, everything } from './documents.ts';
import { SimulatedEngine, stackId } from './simulated-engine.ts';

let engine = new SimulatedEngine();
beforeEach(() => {
  engine = new SimulatedEngine();
});

const ids = () => engine.instances().map(({ id }) => id);
const balancer = () => engine.containers.find(({ kind }) => kind === 'balancer');
/** The running instances that the balancer sends requests to. */
const served = () =>
  engine
    .instances()
    .filter(({ state, address }) => state === 'running' && balancer()?.configuration.includes(`${address}:`));
const wave = (document: DockerDocument) =>
  nextWave({ stackId, document }, engine.observed).map((step) => step.do);

describe('the plan for a new stack', () => {
  it('creates network and volumes first, then all containers at once, then waits', () => {
    const document = everything(2);
    expect(wave(document)).toEqual(['make-network', 'make-volume', 'make-volume', 'make-volume']);
    for (const step of nextWave({ stackId, document }, engine.observed)) engine.perform(document, step);
    const creations = nextWave({ stackId, document }, engine.observed);
    expect(creations.map((step) => (step.do === 'create' ? step.part : step.do))).toEqual([
      'database-main',
      'database-main-1',
      'cache-sessions',
      'cache-sessions-1',
      'balancer-web0',
      'web0-0',
      'web0-1',
    ]);
    for (const step of creations) engine.perform(document, step);
    // The balancer responds at once, although without servers.
    expect(wave(document)).toEqual(['configure']);
    for (const step of nextWave({ stackId, document }, engine.observed)) engine.perform(document, step);
    expect(wave(document)).toEqual([]);
    engine.passTime();
    expect(wave(document)).toEqual(['rename', 'rename', 'configure']);
  });

  it('ends with the containers of the document and no further steps', () => {
    const document = everything(2);
    engine.converge(document);
    expect(engine.containers.map(({ name }) => name.replace(`alm-${stackId}-`, '')).toSorted()).toEqual([
      'balancer-web0',
      'cache-sessions',
      'cache-sessions-1',
      'database-main',
      'database-main-1',
      'web0-0',
      'web0-1',
    ]);
    expect(served()).toHaveLength(2);
    expect(wave(document)).toEqual([]);
  });
});

describe('scaling a group', () => {
  it('keeps existing instances, and one always serves', () => {
    engine.converge(balanced(2));
    const first = ids();
    engine.converge(balanced(4));
    expect(ids()).toHaveLength(4);
    expect(ids()).toEqual(expect.arrayContaining(first));
    engine.converge(balanced(1), () => served().length === 0);
    expect(ids()).toEqual(first.slice(0, 1));
    expect(served()).toHaveLength(1);
  });

  it('works down to zero instances and up again', () => {
    engine.converge(balanced(2));
    engine.converge(balanced(0));
    expect(ids()).toEqual([]);
    engine.converge(balanced(1));
    expect(served()).toHaveLength(1);
  });

  it('waits for the open connections of an instance before its removal', () => {
    engine.converge(balanced(2));
    const [, second] = engine.instances();
    const busy = balancer();
    if (!second || !busy) throw new Error('Expected two instances.');
    busy.peers = [second.address];
    const document = balanced(1);
    for (const step of nextWave({ stackId, document }, engine.observed)) engine.perform(document, step);
    expect(served()).not.toContain(second);
    expect(wave(document)).toEqual([]);
    busy.peers = [];
    expect(wave(document)).toEqual(['remove']);
  });
});

describe('a change that replaces instances', () => {
  it('replaces one at a time and starts the new one first', () => {
    engine.converge(balanced(3));
    const before = ids();
    let maxInstances = 0;
    let minServed = 3;
    engine.converge(balanced(3, { instanceType: 'm5.large' }), () => {
      maxInstances = Math.max(maxInstances, engine.instances().length);
      minServed = Math.min(minServed, served().length);
      return false;
    });
    expect([maxInstances, minServed]).toEqual([4, 3]);
    expect(ids().filter((id) => before.includes(id))).toEqual([]);
    expect(served()).toHaveLength(3);
  });

  it('removes instances that never served at once when a newer document comes, and keeps those that serve', () => {
    engine.converge(balanced(1));
    const [good] = ids();
    engine.converge(balanced(1, { instanceType: 'bad' }), () => engine.instances().length === 2);
    const [, bad] = ids();
    const removed = { do: 'remove', container: bad, seconds: 0 };
    expect(
      nextWave({ stackId, document: balanced(1, { instanceType: 'other' }) }, engine.observed),
    ).toContainEqual(removed);
    engine.converge(balanced(1));
    expect(ids()).toEqual([good]);
  });

  it('keeps the old instance until the new one is ready, also without a balancer', () => {
    const working = () => engine.instances().filter(({ ready }) => ready).length;
    engine.converge(compiled(fixedServers(2)));
    engine.converge(compiled(fixedServers(2, { instanceType: 'm5.large' })), () => working() < 2);
    expect(working()).toBe(2);
    engine.converge(compiled(fixedServers(2, { flag: 'Renamed' })), () => working() < 2);
    expect(engine.instances().map(({ part }) => part)).toEqual(['renamed-0', 'renamed-1']);
  });

  it('also replaces an instance that is marked as leaving', () => {
    engine.converge(balanced(2));
    const [first, second] = engine.instances();
    if (!first) throw new Error('Expected two instances.');
    engine.markLeaving(first);
    engine.converge(balanced(2), () => served().length < 2);
    expect(ids()).not.toContain(first.id);
    expect(ids()).toContain(second?.id);
  });
});

describe('a container that died', () => {
  it('is replaced if it is an instance, and what its agent made is removed', () => {
    const document = balanced(2);
    engine.converge(document);
    const [first] = engine.instances();
    if (!first) throw new Error('Expected two instances.');
    engine.addApp(first);
    engine.kill(first);
    engine.converge(document);
    expect(ids()).toHaveLength(2);
    expect(ids()).not.toContain(first.id);
    expect(engine.containers.filter(({ kind }) => kind === 'app')).toEqual([]);
    expect(engine.volumes).toEqual([]);
  });

  it('is started again, with its disk, if it is a server outside groups', () => {
    const document = compiled(fixedServers(2));
    engine.converge(document);
    const before = ids();
    const [first] = engine.instances();
    if (first) engine.kill(first);
    engine.converge(document);
    expect(ids()).toEqual(before);
    expect(engine.instances().map(({ state }) => state)).toEqual(['running', 'running']);
  });

  it('is started again if it is a database', () => {
    const document = compiled(sampleModel({ databases: [database()] }));
    engine.converge(document);
    const found = engine.containers.find(({ part }) => part === 'database-main');
    if (found) engine.kill(found);
    engine.converge(document);
    expect(engine.containers.find(({ part }) => part === 'database-main')?.id).toBe(found?.id);
  });
});

describe('the plan for services', () => {
  const withType = (instanceType: string) =>
    compiled(sampleModel({ databases: [database({ instanceType, replicas: 0 })] }));

  it('keeps the volume of a database that changes, and never runs two containers on it', () => {
    engine.converge(withType('small'));
    const volumes = engine.volumes;
    const before = engine.containers.find(({ kind }) => kind === 'database');
    engine.converge(
      withType('large'),
      () =>
        engine.containers.filter(({ kind, state }) => kind === 'database' && state === 'running').length > 1,
    );
    const after = engine.containers.filter(({ kind }) => kind === 'database');
    expect(after).toMatchObject([{ state: 'running', part: 'database-main' }]);
    expect(after[0]?.id).not.toBe(before?.id);
    expect(engine.volumes).toEqual(volumes);
  });

  it('keeps the host ports of a balancer that gets another listener', () => {
    engine.converge(balanced(1));
    const found = balancer();
    if (found) found.ports = [{ port: 80, hostAddress: '127.0.0.1', hostPort: 23456 }];
    const document = balanced(1);
    const [first] = document.balancers;
    if (first) {
      first.hash = 'other';
      first.listeners.push({ port: 81, mode: 'tcp', instancePort: 81 });
    }
    engine.converge(document);
    expect(balancer()?.ports).toMatchObject([{ port: 80, hostPort: 23456 }]);
  });
});

it('more fixed servers keep the existing ones', () => {
  engine.converge(compiled(fixedServers(1)));
  const before = ids();
  engine.converge(compiled(fixedServers(3)));
  expect(ids()).toEqual(expect.arrayContaining(before));
  expect(ids()).toHaveLength(3);
});
