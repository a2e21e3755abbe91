import { describe, expect, it } from 'vitest';
import type { DockerDocument } from '../../../src/vendors/docker/document.ts';
import { nextRemoval, nextWave } from '../../../src/vendors/docker/plan/plan.ts';
import { balanced, database, everything } from './documents.ts';
import { PretendEngine, stackId } from './pretend-engine.ts';

/** What counts in the end, without numbers and ids that may differ. */
function worldOf(engine: PretendEngine) {
  const { containers, volumes, hasNetwork } = engine.running;
  const behind = containers
    .filter(({ kind }) => kind === 'balancer')
    .map(({ configuration }) => configuration.split('\n').filter((line) => line.includes(' server ')).length);
  return {
    hasNetwork,
    behind,
    volumes: volumes.map(({ name }) => name).toSorted(),
    containers: containers
      .map(({ kind, part, hash, state, phase }) => `${kind} ${part} ${hash} ${state} ${phase.kind}`)
      .toSorted(),
  };
}

const start = (before: DockerDocument | null): PretendEngine => {
  const engine = new PretendEngine();
  if (before) engine.converge(before);
  return engine;
};

/** How many steps it takes when nothing comes in between. */
function stepsFrom(before: DockerDocument | null, after: DockerDocument): number {
  const engine = start(before);
  const standing = engine.done.length;
  engine.converge(after);
  return engine.done.length - standing;
}

/** The world in the middle of an apply: so many steps done, and where `half` the next one begun. */
function brokenOff(before: DockerDocument | null, after: DockerDocument, steps: number, half: boolean) {
  const engine = start(before);
  const enough = engine.done.length + steps;
  if (steps > 0) engine.converge(after, () => engine.done.length >= enough);
  const [next] = nextWave(stackId, after, engine.running);
  if (half && next) engine.performHalf(after, next);
  return engine;
}

const rich = everything(2);
const cases: [string, DockerDocument | null, DockerDocument][] = [
  ['creating', null, rich],
  ['scaling up', everything(1), everything(3)],
  ['scaling down', everything(3), everything(1)],
  ['rolling', everything(2), everything(2, { instanceType: 'm5.large' })],
  ['rolling and scaling down', everything(3), everything(1, { instanceType: 'm5.large' })],
  [
    'giving up replicas and caches',
    everything(1),
    balanced(1, {}, { databases: [database({ replicas: 0 })] }),
  ],
  [
    'replacing a database',
    balanced(1, {}, { databases: [database()] }),
    balanced(1, {}, { databases: [database({ instanceType: 'db.large', engine: 'mysql' })] }),
  ],
];

describe.each(cases)('%s, broken off after any step', (_name, before, after) => {
  const total = stepsFrom(before, after);
  const moments = Array.from({ length: total + 1 }, (_, steps) =>
    [false, true].map((half) => ({ steps, half })),
  ).flat();
  const wanted = worldOf(start(after));

  it('goes on to the same end', () => {
    for (const { steps, half } of moments) {
      const engine = brokenOff(before, after, steps, half);
      engine.converge(after);
      expect(worldOf(engine), `after ${steps} steps${half ? ' and a half' : ''}`).toEqual(wanted);
    }
  });

  it('reaches another wish that comes then', () => {
    const other = balanced(2, { instanceType: 'c5.large' });
    const end = worldOf(start(other));
    for (const { steps, half } of moments) {
      const engine = brokenOff(before, after, steps, half);
      engine.converge(other);
      expect(worldOf(engine), `after ${steps} steps${half ? ' and a half' : ''}`).toEqual(end);
    }
  });

  it('can be removed then, also bit by bit', () => {
    for (const { steps, half } of moments) {
      const engine = brokenOff(before, after, steps, half);
      for (const instance of engine.instances()) engine.addApp(instance);
      // Broken off itself in its first wave.
      const [first] = nextRemoval(engine.running);
      if (first) engine.perform(after, first);
      engine.removeAll();
      expect([engine.containers, engine.volumes, engine.hasNetwork]).toEqual([[], [], false]);
    }
  });
});
