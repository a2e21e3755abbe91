import { beforeEach, describe, expect, it } from 'vitest';
import type { DockerDocument } from '../../../src/vendors/docker/document.ts';
import { nextWave } from '../../../src/vendors/docker/plan/plan.ts';
import { fixedServers, sampleModel } from '../sample-model.ts';
import { balanced, compiled, database, everything } from './documents.ts';
import { PretendEngine, stackId } from './pretend-engine.ts';

let engine = new PretendEngine();
beforeEach(() => {
  engine = new PretendEngine();
});

const ids = () => engine.instances().map(({ id }) => id);
const balancer = () => engine.containers.find(({ kind }) => kind === 'balancer');
/** The instances that the balancer sends somebody to, of those that can answer. */
const served = () =>
  engine
    .instances()
    .filter(({ state, address }) => state === 'running' && balancer()?.configuration.includes(`${address}:`));
const wave = (document: DockerDocument) => nextWave(stackId, document, engine.running).map((step) => step.do);

describe('from nothing', () => {
  it('makes the ground first, then everything at once, then waits', () => {
    const document = everything(2);
    expect(wave(document)).toEqual(['make-network', 'make-volume', 'make-volume']);
    for (const step of nextWave(stackId, document, engine.running)) engine.perform(document, step);
    const creations = nextWave(stackId, document, engine.running);
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
    // The balancer answers from the first moment, if only that nobody is there.
    expect(wave(document)).toEqual(['configure']);
    for (const step of nextWave(stackId, document, engine.running)) engine.perform(document, step);
    expect(wave(document)).toEqual([]);
    engine.passTime();
    expect(wave(document)).toEqual(['rename', 'rename', 'configure']);
  });

  it('ends with what was wanted, and then has nothing to do', () => {
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

describe('scaling', () => {
  it('keeps those there are, up and down, and lets nobody down', () => {
    engine.converge(balanced(2));
    const first = ids();
    engine.converge(balanced(4));
    expect(ids()).toHaveLength(4);
    expect(ids()).toEqual(expect.arrayContaining(first));
    engine.converge(balanced(1), () => served().length === 0);
    expect(ids()).toEqual(first.slice(0, 1));
    expect(served()).toHaveLength(1);
  });

  it('goes down to none and up again', () => {
    engine.converge(balanced(2));
    engine.converge(balanced(0));
    expect(ids()).toEqual([]);
    engine.converge(balanced(1));
    expect(served()).toHaveLength(1);
  });

  it('waits for the connections of one that goes', () => {
    engine.converge(balanced(2));
    const [, second] = engine.instances();
    const busy = balancer();
    if (!second || !busy) throw new Error('There should be two.');
    busy.peers = [second.address];
    const document = balanced(1);
    for (const step of nextWave(stackId, document, engine.running)) engine.perform(document, step);
    expect(served()).not.toContain(second);
    expect(wave(document)).toEqual([]);
    busy.peers = [];
    expect(wave(document)).toEqual(['remove']);
  });
});

describe('a change that takes new instances', () => {
  it('puts one at a time in place, the new one first', () => {
    engine.converge(balanced(3));
    const before = ids();
    let most = 0;
    let least = 3;
    engine.converge(balanced(3, { instanceType: 'm5.large' }), () => {
      most = Math.max(most, engine.instances().length);
      least = Math.min(least, served().length);
      return false;
    });
    expect([most, least]).toEqual([4, 3]);
    expect(ids().filter((id) => before.includes(id))).toEqual([]);
    expect(served()).toHaveLength(3);
  });

  it('takes away at once what never served when the wish changes again, and keeps what serves', () => {
    engine.converge(balanced(1));
    const [good] = ids();
    engine.converge(balanced(1, { instanceType: 'bad' }), () => engine.instances().length === 2);
    const [, bad] = ids();
    const removed = { do: 'remove', container: bad, seconds: 0 };
    expect(nextWave(stackId, balanced(1, { instanceType: 'other' }), engine.running)).toContainEqual(removed);
    engine.converge(balanced(1));
    expect(ids()).toEqual([good]);
  });

  it('has the old one until the new one works, also where no balancer stands before it', () => {
    const working = () => engine.instances().filter(({ ready }) => ready).length;
    engine.converge(compiled(fixedServers(2)));
    engine.converge(compiled(fixedServers(2, { instanceType: 'm5.large' })), () => working() < 2);
    expect(working()).toBe(2);
    engine.converge(compiled(fixedServers(2, { flag: 'Renamed' })), () => working() < 2);
    expect(engine.instances().map(({ part }) => part)).toEqual(['renamed-0', 'renamed-1']);
  });

  it('does the same for one that was asked to leave', () => {
    engine.converge(balanced(2));
    const [first, second] = engine.instances();
    if (!first) throw new Error('There should be two.');
    engine.dismiss(first);
    engine.converge(balanced(2), () => served().length < 2);
    expect(ids()).not.toContain(first.id);
    expect(ids()).toContain(second?.id);
  });
});

describe('what breaks', () => {
  it('an instance that died is replaced, with what its agent made', () => {
    const document = balanced(2);
    engine.converge(document);
    const [first] = engine.instances();
    if (!first) throw new Error('There should be two.');
    engine.addApp(first);
    engine.kill(first);
    engine.converge(document);
    expect(ids()).toHaveLength(2);
    expect(ids()).not.toContain(first.id);
    expect(engine.containers.filter(({ kind }) => kind === 'app')).toEqual([]);
    expect(engine.volumes).toEqual([]);
  });

  it('a database that ended is started again', () => {
    const document = compiled(sampleModel({ databases: [database()] }));
    engine.converge(document);
    const found = engine.containers.find(({ part }) => part === 'database-main');
    if (found) engine.kill(found);
    engine.converge(document);
    expect(engine.containers.find(({ part }) => part === 'database-main')?.id).toBe(found?.id);
  });
});

describe('services', () => {
  const withType = (instanceType: string) =>
    compiled(sampleModel({ databases: [database({ instanceType, replicas: 0 })] }));

  it('one that changes keeps its volume, and there are never two at work on it', () => {
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

  it('those no longer wanted go last, and their volumes after them', () => {
    engine.converge(everything(1));
    const kinds = () => new Set(engine.containers.map(({ kind }) => kind));
    engine.converge(balanced(2), () => engine.instances().length < 1);
    expect([...kinds()].toSorted()).toEqual(['balancer', 'instance']);
    expect(engine.volumes).toEqual([]);
  });

  it('another engine gets a volume of its own', () => {
    const withEngine = (engineName: 'mysql' | 'postgresql') =>
      compiled(sampleModel({ databases: [database({ engine: engineName, replicas: 0 })] }));
    engine.converge(withEngine('postgresql'));
    engine.converge(withEngine('mysql'));
    expect(engine.volumes.map(({ name }) => name)).toEqual([`alm-${stackId}-database-main-mysql`]);
  });

  it('a balancer with another port keeps those it had on the machine', () => {
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

it('a removal leaves nothing', () => {
  engine.converge(everything(2));
  for (const instance of engine.instances()) engine.addApp(instance);
  engine.removeAll();
  expect([engine.containers, engine.volumes, engine.hasNetwork]).toEqual([[], [], false]);
});

it('fixed servers are kept by number', () => {
  engine.converge(compiled(fixedServers(1)));
  const before = ids();
  engine.converge(compiled(fixedServers(3)));
  expect(ids()).toEqual(expect.arrayContaining(before));
  expect(ids()).toHaveLength(3);
});
