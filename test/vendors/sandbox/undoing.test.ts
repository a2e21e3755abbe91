import { describe, expect, it } from 'vitest';
import { fixedServers } from '../sample-model.ts';
import { longEnough, sandboxWorld, stackNamed } from './world.ts';

const start = () => {
  const world = sandboxWorld();
  return { ...world, ...world.on(stackNamed('undoing')) };
};
type Sandbox = ReturnType<typeof start>;

/** Every observation until the stack is no longer busy. */
async function watch({ observe, clock }: Sandbox) {
  const seen = [];
  for (;;) {
    const observation = await observe();
    if (observation.kind !== 'busy') return seen;
    const { undoing, view } = observation;
    seen.push({ undoing, hasFailed: view.events.some(({ state }) => state.endsWith('_FAILED')) });
    clock.advance(observation.lookAgainMs ?? 0);
  }
}

describe('a plan that fails', () => {
  it('is undone from the first failure on, with its reason, until every step is undone', async () => {
    const sandbox = start();
    await sandbox.inject({ kind: 'fail_resource', position: 6, reason: 'The disk is full.' });
    await sandbox.apply(fixedServers(1), 'v1');
    const seen = await watch(sandbox);
    for (const { undoing, hasFailed } of seen) expect(undoing !== undefined).toBe(hasFailed);
    const undone = seen.flatMap(({ undoing }) => undoing ?? []);
    expect(undone.length).toBeGreaterThan(1);
    expect(new Set(undone.map(({ cause }) => cause)).size).toBe(1);
    expect(undone[0]?.cause).toMatch(/: The disk is full\.$/);
    expect(undone[0]?.progress?.done).toBe(0);
    const counts = undone.map(({ progress }) => progress?.done ?? -1);
    expect(counts).toEqual(counts.toSorted((one, other) => one - other));
    expect(await sandbox.observe()).not.toHaveProperty('undoing');
  });

  it('is no longer undone once another plan has taken its place, whatever still fails in it', async () => {
    const sandbox = start();
    await sandbox.inject({ kind: 'fail_resource', position: 8 });
    await sandbox.apply(fixedServers(1), 'v1');
    sandbox.clock.advance(2_600);
    await sandbox.apply(fixedServers(1, { flag: 'Other' }), 'v2');
    const seen = await watch(sandbox);
    expect(seen.some(({ hasFailed }) => hasFailed)).toBe(true);
    expect(seen.filter(({ undoing }) => undoing)).toEqual([]);
  });
});

it('an update that is cancelled, and a deletion that fails, undo nothing', async () => {
  const sandbox = start();
  await sandbox.apply(fixedServers(1), 'v1');
  sandbox.clock.advance(longEnough);
  await sandbox.apply(fixedServers(3), 'v2');
  sandbox.clock.advance(1_000);
  expect(await sandbox.driver.cancelUpdate(sandbox.stack, 'v2')).toEqual({ cancelled: true });
  expect(await sandbox.observe()).not.toHaveProperty('undoing');
  sandbox.clock.advance(longEnough);
  await sandbox.inject({ kind: 'share_resource', withStack: 'mo-other' });
  await sandbox.remove();
  expect((await watch(sandbox)).filter(({ undoing }) => undoing)).toEqual([]);
  expect(await sandbox.observe()).toMatchObject({ kind: 'broken', doing: 'remove' });
});
