import { describe, expect, it } from 'vitest';
import type { DockerDocument } from '../../../src/vendors/docker/document.ts';
import { nextRemoval, nextWave } from '../../../src/vendors/docker/plan/plan.ts';
import { balanced, database, everything } from './documents.ts';
import { releasesOf } from './releases.ts';
import { SimulatedEngine, stackId } from './simulated-engine.ts';

/** The final state, without numbers and ids that may differ. */
function stateOf(engine: SimulatedEngine) {
  const { containers, volumes, hasNetwork } = engine.observed;
  const behind = containers
    .filter(({ kind }) => kind === 'balancer')
    .map(({ configuration }) => configuration.split('\n').filter((line) => line.includes(' server ')).length);
  return {
    hasNetwork,
    behind,
    // What an update left differs with the moment. What is used must not.
    volumes: volumes
      .filter(({ kept }) => !kept)
      .map(({ name }) => name)
      .toSorted(),
    containers: containers
      .map(({ kind, part, hash, state, phase }) => `${kind} ${part} ${hash} ${state} ${phase.kind}`)
      .toSorted(),
  };
}

const start = (before: DockerDocument | null): SimulatedEngine => {
  const engine = new SimulatedEngine();
  if (before) engine.converge(before);
  return engine;
};

/** The number of steps without an interruption. */
function stepsFrom(before: DockerDocument | null, after: DockerDocument): number {
  const engine = start(before);
  const doneBefore = engine.done.length;
  engine.converge(after);
  return engine.done.length - doneBefore;
}

/** The state in the middle of an apply: so many steps done and, with `half`, the next one started. */
function interrupted(
  [before, after]: [DockerDocument | null, DockerDocument],
  { steps, half }: { steps: number; half: boolean },
) {
  const engine = start(before);
  const enough = engine.done.length + steps;
  if (steps > 0) engine.converge(after, () => engine.done.length >= enough);
  const [next] = nextWave({ stackId, document: after }, engine.observed);
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
    'removing replicas and caches',
    everything(1),
    balanced(1, {}, { databases: [database({ replicas: 0 })] }),
  ],
  [
    'replacing a database',
    balanced(1, {}, { databases: [database()] }),
    balanced(1, {}, { databases: [database({ instanceType: 'db.large', engine: 'mysql' })] }),
  ],
];

describe.each(cases)('%s, interrupted after any step', (_name, before, after) => {
  const total = stepsFrom(before, after);
  const moments = Array.from({ length: total + 1 }, (_, steps) =>
    [false, true].map((half) => ({ steps, half })),
  ).flat();
  const expected = stateOf(start(after));

  it('continues to the same final state', () => {
    for (const { steps, half } of moments) {
      const engine = interrupted([before, after], { steps, half });
      engine.converge(after);
      expect(stateOf(engine), `after ${steps} steps${half ? ' and a half' : ''}`).toEqual(expected);
    }
  });

  it('converges to a newer document', () => {
    const other = balanced(2, { instanceType: 'c5.large' });
    const end = stateOf(start(other));
    for (const { steps, half } of moments) {
      const engine = interrupted([before, after], { steps, half });
      engine.converge(other);
      expect(stateOf(engine), `after ${steps} steps${half ? ' and a half' : ''}`).toEqual(end);
    }
  });

  it('can be removed, also when the removal itself is interrupted', () => {
    for (const { steps, half } of moments) {
      const engine = interrupted([before, after], { steps, half });
      for (const instance of engine.instances()) engine.addApp(instance);
      const releases = releasesOf(engine.volumes, 'delete');
      // The removal is interrupted in its first wave.
      const [first] = nextRemoval({ stackId, document: after, releases }, engine.observed);
      if (first) engine.perform(after, first);
      engine.removeAll(releases);
      const unkept = engine.volumes.filter(({ kept }) => !kept);
      expect([engine.containers, unkept, engine.hasNetwork]).toEqual([[], [], false]);
    }
  });
});
