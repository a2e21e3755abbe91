import { expect, it } from 'vitest';
import { VirtualClock } from '../../../src/basics/clock.ts';
import { EngineUnreachable } from '../../../src/docker-engine/errors.ts';
import { Loads } from '../../../src/vendors/docker/loads.ts';
import { measureLoads } from '../../../src/vendors/docker/observe/measure-loads.ts';
import type { ObservedStack } from '../../../src/vendors/docker/observed-stack.ts';
import type { Machine } from '../../../src/vendors/docker/tools.ts';
import { balanced, scalingGroup } from './documents.ts';

const stackId = 'mo-5447826c870e7-load-tk';
const document = balanced(1, scalingGroup(1));
const [fleet] = document.fleets;

it.each([
  new EngineUnreachable('The container engine did not respond.'),
  new SyntaxError('Unexpected end of JSON input'),
])('a measurement that fails is no reading and does not fail the pass: $name', async (error) => {
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
});
