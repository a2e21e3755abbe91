import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cancelUpdate } from '../../src/operations/stacks/change/cancel-update.ts';
import { readEvents } from '../../src/operations/stacks/read/describe-stack.ts';
import { estimateStack } from '../../src/operations/stacks/read/estimate.ts';
import { followStacks, type StackSubscription } from '../../src/operations/stacks/read/follow-stacks.ts';
import { summarizeStacks } from '../../src/operations/stacks/read/summarize-stacks.ts';
import { nextDueTime } from '../../src/store/stacks/schedule/claim.ts';
import type { StackRow } from '../../src/store/stacks/stacks.ts';
import { eventually } from '../http.ts';
import { oneServer, World } from '../world.ts';

let world: World;
beforeEach(async () => {
  world = await World.open();
  // Past successes, from which times are expected.
  const stack = await world.create();
  await world.settle();
  await world.update(stack, oneServer(2));
  await world.settle();
});
afterEach(async () => {
  expect(world.errors).toEqual([]);
  await world.close();
});

const eventsOf = (stackId: string) =>
  readEvents(world.service, world.actor, { stackId, language: 'v3', after: 0, limit: 1000 });

/** What readers see of a stack at one moment. */
async function look(stackId: string) {
  const { status, doing, doingReason: reason } = await world.describe(stackId);
  const { stacks } = await summarizeStacks(world.service, world.actor, {});
  const { p50, elapsed } = await estimateStack(world.service, world.actor, { stackId, language: 'v3' });
  const events = await eventsOf(stackId);
  return {
    status,
    doing,
    reason,
    expected: stacks.find(({ id }) => id === stackId)?.expected ?? null,
    p50,
    elapsed,
    hasFailed: events.some(({ status: state }) => state.endsWith('_FAILED')),
    done: Number(/(\d+) of \d+/.exec(reason)?.[1] ?? Number.NaN),
  };
}

type Moment = Awaited<ReturnType<typeof look>>;

/** Every state after a pass, until the operation has ended, or until the condition is met. */
async function watch(stackId: string, until: (moment: Moment) => boolean = () => false): Promise<Moment[]> {
  const worker = world.worker('watcher');
  const seen: Moment[] = [];
  for (;;) {
    await worker.runDue();
    const moment = await look(stackId);
    seen.push(moment);
    if (until(moment) || !moment.status.endsWith('_IN_PROGRESS')) return seen;
    const next = (await nextDueTime(world.database.query, world.clock.now())) ?? 0;
    world.clock.advance(Math.max(1, next - world.clock.now()));
  }
}

const isUndone = ({ doing }: Moment): boolean => doing === 'undoing';

const [layer] = oneServer().configurations;
const twoLayers = { ...oneServer(), configurations: [layer, { ...layer, flag: 'api0' }] };

/** A stack whose first version is complete and whose second one fails. */
async function failingUpdate(): Promise<string> {
  const stack = await world.create();
  await world.settle();
  await world.fault({ kind: 'fail_resource', position: 4, reason: 'no more of these' }, stack);
  await world.update(stack, twoLayers);
  return stack;
}

async function failingCreation(): Promise<string> {
  await world.fault({ kind: 'fail_resource', position: 5, reason: 'no more of these' });
  return world.create();
}

describe('while the vendor undoes', () => {
  const cases = [
    { what: 'a failed creation', fails: failingCreation, before: 'creating', word: 'removed', end: 'CREATE' },
    { what: 'a failed update', fails: failingUpdate, before: 'updating', word: 'undone', end: 'UPDATE' },
  ];
  it.each(cases)(
    '$what, the stack says so from the first failed event on, with the cause and the progress, and without a time; it ends failed',
    async ({ fails, before, word, end }) => {
      const stack = await fails();
      const seen = await watch(stack);
      const running = seen.slice(0, -1);
      expect(running.filter(isUndone).length).toBeGreaterThan(1);
      for (const moment of running) {
        expect(moment.doing).toBe(moment.hasFailed ? 'undoing' : before);
        expect(moment.expected === null).toBe(moment.hasFailed);
        expect(moment.p50 === null).toBe(moment.hasFailed);
        expect(moment.elapsed).not.toBeNull();
      }
      const undone = running.filter(isUndone);
      for (const { reason } of undone)
        expect(reason).toMatch(new RegExp(`: no more of these.*\\d+ of \\d+ ${word}`));
      const progress = undone.map(({ done }) => done);
      expect(progress[0]).toBe(0);
      expect(progress.at(-1)).toBeGreaterThan(0);
      expect(progress).toEqual(progress.toSorted((one, other) => one - other));
      expect(seen.at(-1)).toMatchObject({ status: `${end}_FAILED`, doing: '', reason: '' });
    },
  );

  it.each(cases)(
    '$what, one event says so, with the cause and the version that failed',
    async ({ fails, end }) => {
      const stack = await fails();
      const { versionId } = await world.describe(stack);
      await watch(stack);
      const said = (await eventsOf(stack)).filter(({ message }) => message.startsWith('The vendor undoes'));
      expect(said).toMatchObject([{ kind: 'step', version_id: versionId }]);
      expect(said[0]?.message).toMatch(/because it failed: .*: no more of these$/);
      expect(said[0]?.message).toContain(end === 'CREATE' ? 'the creation' : 'the update');
    },
  );

  it('an update, a newer version waits, and the cause and the event stay those of the version that failed', async () => {
    const stack = await failingUpdate();
    const { versionId: failed } = await world.describe(stack);
    await watch(stack, ({ hasFailed }) => hasFailed);
    await world.update(stack, oneServer(2));
    expect(await look(stack)).toMatchObject({ doing: 'undoing' });
    await world.settle();
    expect(await look(stack)).toMatchObject({ status: 'UPDATE_COMPLETE', doing: '', reason: '' });
    const said = (await eventsOf(stack)).filter(({ message }) => message.startsWith('The vendor undoes'));
    expect(said.map(({ version_id: version }) => version)).toEqual([failed]);
  });

  it('a creation, an outage of the vendor does not hide it', async () => {
    const stack = await failingCreation();
    const before = (await watch(stack, isUndone)).at(-1);
    await world.fault({ kind: 'unreachable', seconds: 1 }, stack);
    await world.advance(0.5);
    const { doing, reason, expected } = await look(stack);
    expect({ doing, reason, expected }).toEqual({ doing: 'undoing', reason: before?.reason, expected: null });
    await world.settle();
    expect(await look(stack)).toMatchObject({ status: 'CREATE_FAILED', doing: '' });
  });

  it('a creation, a deletion is what is being done', async () => {
    const stack = await failingCreation();
    await watch(stack, isUndone);
    await world.delete(stack);
    const seen = await watch(stack);
    expect(new Set(seen.map(({ doing }) => doing))).toEqual(new Set(['deleting', '']));
    expect(seen.at(-1)).toMatchObject({ status: 'DELETE_COMPLETE' });
  });
});

it('a cancelled update is not undone because of a failure: the stack returns', async () => {
  const stack = await world.create();
  await world.settle();
  await world.update(stack, oneServer(4));
  await world.advance(0.5);
  await cancelUpdate(world.service, world.actor, { stackId: stack });
  const seen = await watch(stack);
  expect(seen.filter(isUndone)).toEqual([]);
  expect(seen[0]).toMatchObject({ doing: 'returning' });
});

it('the stream of all stacks tells that a stack is undone, how far that is, and its end', async () => {
  const stack = await failingCreation();
  const happened: Pick<StackRow, 'undoing' | 'undoing_progress'>[] = [];
  let heartbeats = 0;
  const follower: StackSubscription['follower'] = {
    take: (changes) => {
      for (const change of changes)
        if (change.kind === 'alive') heartbeats += 1;
        else if (change.kind === 'stack' && change.stack.id === stack) happened.push(change.stack);
      return true;
    },
    heartbeat: () => {},
    end: () => {},
    drop: () => {},
  };
  await followStacks(world.service, world.actor, { after: undefined, follower });
  /** A round that began before may end after the change without having seen it. */
  const becomes = (expected: Pick<StackRow, 'undoing' | 'undoing_progress'>) =>
    eventually(
      async () => {
        world.clock.advance(5_000);
        return happened.at(-1);
      },
      (last) => last?.undoing === expected.undoing && last.undoing_progress === expected.undoing_progress,
    );
  await eventually(async () => heartbeats > 0, Boolean);
  await watch(stack, isUndone);
  const { undoing, undoing_progress } = await world.row(stack);
  expect([undoing, undoing_progress]).not.toContain('');
  await becomes({ undoing, undoing_progress });
  await world.settle();
  await becomes({ undoing: '', undoing_progress: '' });
});
