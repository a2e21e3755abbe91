import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { StackModel } from '../../../src/model/stack-model.ts';
import { fixedServers, sampleGroup, sampleLayer, sampleModel } from '../sample-model.ts';
import { longEnough, sandboxWorld, stackNamed, viewOf } from './world.ts';

/** Models with their number of servers. */
const models: [StackModel, number][] = [
  [fixedServers(1), 1],
  [fixedServers(3), 3],
  [fixedServers(2, { instanceType: 't2.large', keyPair: false }), 2],
  [sampleModel({ layers: [sampleGroup(2, 50)] }), 2],
  [
    sampleModel({
      layers: [
        sampleGroup(3, 100),
        sampleLayer({
          flag: 'Bastion',
          role: 'bastion',
          subnet: { cidr: '10.0.1.0/24', public: true, assignPublicIp: true },
        }),
      ],
      caches: [{ name: 'fast', engine: 'redis', nodeType: 'cache.t2.micro', nodes: 2 }],
    }),
    4,
  ],
];

const command = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('apply' as const), model: fc.nat(models.length - 1) }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'repeat' as const }) },
  { weight: 2, arbitrary: fc.constant({ do: 'remove' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'spot' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('fail' as const), position: fc.integer({ min: 1, max: 12 }) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('advance' as const), ms: fc.nat(12_000) }) },
);

type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

interface Desired {
  model: number;
  version: string;
}

async function run(commands: readonly Command[], speed: number) {
  const world = sandboxWorld(speed);
  const stack = world.on(stackNamed('any'));
  const seen = new Set<string>();
  let desired: Desired | undefined;
  let versions = 0;
  const apply = ({ model, version }: Desired) => stack.apply(models[model]?.[0] ?? fixedServers(1), version);
  const act = async (next: Command) => {
    if (next.do === 'advance') world.clock.advance(next.ms);
    if (next.do === 'fail') await stack.inject({ kind: 'fail_resource', position: next.position });
    if (next.do === 'spot') await stack.inject({ kind: 'spot_notice' });
    if (next.do === 'remove') {
      await stack.remove();
      desired = undefined;
    }
    if (next.do === 'apply') desired = { model: next.model, version: `v${++versions}` };
    if (desired && (next.do === 'apply' || next.do === 'repeat')) await apply(desired);
  };
  for (const next of commands) {
    await act(next);
    await checkInvariants(stack, seen);
  }
  return { ...world, stack, desired, apply };
}

type OnStack = ReturnType<ReturnType<typeof sandboxWorld>['on']>;

/** The invariants at any time. */
async function checkInvariants(stack: OnStack, seen: Set<string>) {
  const observation = await stack.observe();
  const { instances, events } = viewOf(observation);
  const ids = new Set(events.map((event) => event.id));
  expect(ids.size).toBe(events.length);
  for (const id of seen) expect(ids).toContain(id);
  for (const id of ids) seen.add(id);
  for (const part of ['id', 'privateIp', 'publicIp'] as const)
    expect(new Set(instances.map((instance) => instance[part])).size).toBe(instances.length);
  expect(await stack.networks()).toBeLessThanOrEqual(1);
  if (instances.length > 0) expect(await stack.networks()).toBe(1);
  expect(await stack.observe()).toEqual(observation);
}

it.each([0, 1])('any sequence of commands ends in the last desired state, at speed %d', async (speed) => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { maxLength: 14 }), async (commands) => {
      const { stack, clock, desired, inject, apply } = await run(commands, speed);
      clock.advance(longEnough);
      // Retries after injected faults, as a person would.
      await inject({ kind: 'clear' });
      if (desired) await apply(desired);
      clock.advance(longEnough);
      const observation = await stack.observe();
      const { instances } = viewOf(observation);
      expect(observation).toMatchObject(
        desired ? { kind: 'settled', version: desired.version } : { kind: 'absent' },
      );
      expect(instances).toHaveLength(desired ? (models[desired.model]?.[1] ?? 0) : 0);
      expect(instances.every((instance) => instance.state === 'running')).toBe(true);
      expect(await stack.networks()).toBe(desired ? 1 : 0);
    }),
    { numRuns: 300 },
  );
});

const newWorld = () => {
  const world = sandboxWorld();
  return { clock: world.clock, ...world.on(stackNamed('twice')) };
};

it('repeating an apply at any time changes no later observation', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(models.length - 1),
      fc.array(fc.nat(4_000), { maxLength: 6 }),
      async (model, pauses) => {
        const [once, often] = [newWorld(), newWorld()];
        const [document] = models[model] ?? [fixedServers(1)];
        await once.apply(document, 'v1');
        await often.apply(document, 'v1');
        for (const pause of pauses) {
          once.clock.advance(pause);
          often.clock.advance(pause);
          await often.apply(document, 'v1');
          expect(await often.observe()).toEqual(await once.observe());
        }
      },
    ),
    { numRuns: 100 },
  );
});
