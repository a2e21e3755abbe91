import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/basics/clock.ts';
import { EngineUnreachable } from '../../../src/docker-engine/errors.ts';
import { Loads } from '../../../src/vendors/docker/loads.ts';
import { measureLoads } from '../../../src/vendors/docker/observe/measure-loads.ts';
import type { ObservedStack } from '../../../src/vendors/docker/observed-stack.ts';
import { type Load, nextSize, type Size, sizeOf } from '../../../src/vendors/docker/plan/scaling.ts';
import type { Machine } from '../../../src/vendors/docker/tools.ts';
import { balanced, scalingGroup } from './documents.ts';

const second = 1000;
const minute = 60 * second;

/** A group of 2 to 6 instances that holds 60 %, with a cooldown of two minutes. */
const scaling = { max: 6, targetPercent: 60, cooldownSeconds: 120, spotPercent: 0, reserve: [] };

/** A group that is looked at every five seconds. Its work is shared by its instances, so that growing lowers their use. */
class Group {
  readonly clock = new VirtualClock();
  size = 2;
  changes: string[] = [];
  #changedAt: number | undefined;
  #loads: Load[] = [];
  readonly #start = this.clock.now();

  /** `work`: the sum of the use of all instances, in percent, at a time in seconds since the start. */
  run(ms: number, work: (atSeconds: number) => number): this {
    const end = this.clock.now() + ms;
    while (this.clock.now() < end) {
      this.clock.advance(5 * second);
      const now = this.clock.now();
      const atSeconds = (now - this.#start) / second;
      this.#loads.push({ at: now, percent: Math.min(100, work(atSeconds) / this.size) });
      const { size, changes } = this;
      const next = nextSize({
        scaling,
        min: 2,
        size,
        changedAt: this.#changedAt,
        loads: this.#loads,
        now,
      });
      if (!next) continue;
      changes.push(`${atSeconds}: ${size} to ${next.size}`);
      this.size = next.size;
      this.#changedAt = now;
    }
    return this;
  }

  /** Forgets what only memory has. */
  restart(): this {
    this.#loads = [];
    return this;
  }
}

describe('a group on docker', () => {
  it('stays at its minimum without load, and grows after a minute above its target, as far as the load requires', () => {
    const group = new Group().run(10 * minute, () => 10);
    expect(group.changes).toEqual([]);
    expect(group.run(3 * minute, () => 170).changes).toEqual(['650: 2 to 3']);
  });

  it('grows to no more than double at once, again only after its cooldown, and to its maximum at most', () => {
    const group = new Group().run(20 * minute, () => 1000);
    expect(group.changes).toEqual(['65: 2 to 4', '185: 4 to 6']);
  });

  it('shrinks by one instance at a time, each after five quiet minutes, and never below its minimum', () => {
    const group = new Group().run(5 * minute, () => 1000);
    group.changes = [];
    group.run(60 * minute, () => 0);
    expect(group.changes.map((change) => change.split(': ')[1])).toEqual([
      '6 to 5',
      '5 to 4',
      '4 to 3',
      '3 to 2',
    ]);
    const times = group.changes.map((change) => Number(change.split(':')[0]));
    for (const [index, at] of times.entries())
      if (index > 0) expect(at - (times[index - 1] ?? 0)).toBeGreaterThanOrEqual(300);
  });

  it('does not shrink if the remaining instances would be near the target', () => {
    const group = new Group().run(5 * minute, () => 170);
    expect(group.size).toBe(3);
    // Two instances would have 55 %: below the target of 60 %, and too near.
    expect(group.run(60 * minute, () => 110).size).toBe(3);
    expect(group.run(60 * minute, () => 100).size).toBe(2);
  });

  it('does not grow and shrink in turns under steady, swinging or noisy load', () => {
    const loads = [
      () => 200,
      (at: number) => 180 + 60 * Math.sin(at / 20),
      (at: number) => 180 + (at % 15 === 0 ? 200 : -50),
      (at: number) => (at % 240 < 90 ? 280 : 20),
    ];
    for (const work of loads) {
      const group = new Group().run(3 * 60 * minute, work);
      const shrinks = group.changes.filter((change) => {
        const [, from, to] = /: (\d+) to (\d+)/.exec(change) ?? [];
        return Number(to) < Number(from);
      });
      expect(shrinks, group.changes.join(', ')).toEqual([]);
    }
  });

  it('keeps its size and its cooldown when the server restarts, and measures a minute before it decides', () => {
    const group = new Group().run(65 * second, () => 1000);
    expect(group.size).toBe(4);
    group.restart().run(115 * second, () => 1000);
    expect(group.size).toBe(4);
    expect(group.run(10 * second, () => 1000).size).toBe(6);
  });

  it('is not changed by a few measurements with a gap between them', () => {
    const now = 100 * minute;
    const loads = [95, 96, 97, 98, 99].map((at) => ({ at: at * minute, percent: 100 }));
    expect(nextSize({ scaling, min: 2, size: 2, changedAt: undefined, loads, now })).toBeNull();
  });
});

describe('the size of a group on docker', () => {
  const [fleet] = balanced(0, scalingGroup(2, 50)).fleets;
  if (!fleet) throw new Error('Expected a fleet.');
  const size = (wanted: number): Record<string, Size> => ({
    Web0: { size: wanted, from: 1, at: 0, percent: 0 },
  });

  it('starts at the minimum, and stays in the limits of a newer version', () => {
    expect(sizeOf(fleet, {})).toBe(2);
    expect([0, 5, 99].map((wanted) => sizeOf(fleet, size(wanted)))).toEqual([2, 5, 10]);
    const { scaling: _, ...fixed } = fleet;
    expect(sizeOf(fixed, size(5))).toBe(2);
  });
});

it.each([
  new EngineUnreachable('The container engine did not respond.'),
  new SyntaxError('Unexpected end of JSON input'),
])(
  'a measurement that fails does not count as a reading and does not fail the pass: $name',
  async (error) => {
    const stackId = 'mo-5447826c870e7-load-tk';
    const document = balanced(1, scalingGroup(1));
    const [fleet] = document.fleets;
    const instance = {
      id: 'c1',
      kind: 'instance',
      part: fleet?.slots[0]?.name,
      hash: fleet?.hash,
      inGroup: true,
      state: 'running',
      phase: { kind: 'serving' },
    };
    let asked = 0;
    const cpuTime = async () => {
      asked += 1;
      throw error;
    };
    const loads = new Loads();
    const machine = { engine: { containers: { cpuTime } }, tools: { clock: new VirtualClock() }, loads };
    const observed = { containers: [instance] } as unknown as ObservedStack;
    await measureLoads(machine as unknown as Machine, { stackId, document }, observed);
    expect(asked).toBe(1);
    expect(loads.of(stackId, fleet?.flag ?? '')).toEqual([]);
  },
);
