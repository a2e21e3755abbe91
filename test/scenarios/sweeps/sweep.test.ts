import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ReconcileTools } from '../../../src/reconcile/tools.ts';
import { claimDueSweep, listSweptStacks } from '../../../src/store/stacks/schedule/sweeps.ts';
import { World } from '../../world.ts';
import { counted, withSurvey } from './watched-tools.ts';

let world: World;
beforeEach(async () => {
  world = await World.open();
});
afterEach(async () => {
  expect(world.errors).toEqual([]);
  await world.close();
});

const sweeps = () => world.database.query.selectFrom('sweeps').selectAll().execute();
const sweptOf = async (stack: string) => (await world.row(stack)).swept;

/** A complete stack that a sweep has seen, and a pass after that. */
const resting = async (): Promise<string> => {
  const stack = await world.create();
  await world.settle();
  await world.advance(302);
  return stack;
};

/** Copies of a stack and of its part of the simulated cloud. */
async function copyStack(id: string, times: number): Promise<void> {
  const { database } = world;
  const stack = await database.query
    .selectFrom('stacks')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const cloud = await database.query
    .selectFrom('sandbox_stacks')
    .selectAll()
    .where('stack_id', '=', id)
    .executeTakeFirstOrThrow();
  await database.transaction(async (query) => {
    for (let copy = 0; copy < times; copy += 1) {
      const copyId = `${id}-${String(copy).padStart(4, '0')}`;
      await query
        .insertInto('stacks')
        .values({ ...stack, id: copyId })
        .execute();
      await query
        .insertInto('sandbox_stacks')
        .values({ ...cloud, stack_id: copyId })
        .execute();
    }
  });
}

describe('settled stacks of a vendor that surveys many at once', () => {
  it('take no pass and no more queries when there are 1,000 of them than when there is one', async () => {
    const stack = await resting();
    const one = counted(world.tools);
    await world.advance(601, world.worker('one', one.tools));
    await copyStack(stack, 1000);
    const many = counted(world.tools);
    await world.advance(601, world.worker('many', many.tools));
    expect(one.counts.passes).toBe(0);
    expect(many.counts).toEqual(one.counts);
  });

  it('are looked at alone at long intervals, not all at the same time', async () => {
    const stack = await resting();
    const other = await resting();
    const [first, second] = [await world.row(stack), await world.row(other)];
    const days = ((first.next_at ?? 0) - world.clock.now()) / 86_400_000;
    expect(days).toBeGreaterThan(3);
    expect(days).toBeLessThan(8);
    expect(Math.abs((second.next_at ?? 0) - (first.next_at ?? 0))).toBeGreaterThan(60_000);
  });

  it('are looked at again if they changed between their last pass and the first sweep', async () => {
    const stack = await world.create();
    await world.settle();
    expect(await sweptOf(stack)).toBe('');
    await world.database.query.deleteFrom('sandbox_stacks').execute();
    await world.advance(301);
    expect((await world.describe(stack)).status).toBe('CREATE_FAILED');
    expect(await sweptOf(stack)).toBeNull();
  });

  it('wake only those that changed', async () => {
    const changed = await resting();
    const same = await resting();
    await world.database.query.deleteFrom('sandbox_stacks').where('stack_id', '=', changed).execute();
    const { counts, tools } = counted(world.tools);
    await world.advance(301, world.worker('w', tools));
    expect((await world.describe(changed)).statusReason).toMatch(/deleted outside Almanac/);
    expect(counts.passes).toBe(1);
    expect((await world.describe(same)).status).toBe('CREATE_COMPLETE');
  });

  it('show an outage of the cloud, and rest again when it is over', async () => {
    const stack = await resting();
    await world.fault({ kind: 'unreachable', seconds: 400 });
    await world.advance(310);
    expect((await world.describe(stack)).statusReason).toMatch(/cannot be reached/);
    expect(await sweptOf(stack)).toBeNull();
    await world.advance(200);
    expect((await world.describe(stack)).statusReason).toBe('');
    expect(await sweptOf(stack)).not.toBeNull();
  });

  it('leave the sweep when they are deleted, and a sweep without stacks ends', async () => {
    const stack = await resting();
    expect(await sweeps()).toHaveLength(1);
    await world.delete(stack);
    await world.settle();
    await world.advance(301);
    expect(await sweeps()).toEqual([]);
  });
});

describe('a sweep', () => {
  it('is done by one server; if that is killed, another one does it after the lease', async () => {
    await resting();
    world.clock.advance(300_000);
    const claim = (owner: string) => {
      const now = world.clock.now();
      return claimDueSweep(world.database, { owner, now, until: now + 30_000 });
    };
    const [one, two] = await Promise.all([claim('one'), claim('two')]);
    expect([one, two].filter(Boolean)).toHaveLength(1);
    expect(await claim('three')).toBeUndefined();
    world.clock.advance(31_000);
    expect(await claim('four')).toMatchObject({ lease_owner: 'four' });
  });

  it('that fails once wakes nothing, and is repeated soon', async () => {
    const stack = await resting();
    const { next_at: before } = await world.row(stack);
    let failures = 1;
    const tools = withSurvey(world.tools, (survey) => ({
      ...survey,
      async look(stacks, stopping) {
        failures -= 1;
        if (failures >= 0) throw new Error('a bug');
        return survey.look(stacks, stopping);
      },
    }));
    await world.advance(310, world.worker('failing', tools));
    expect(world.errors.splice(0)).toEqual([new Error('a bug')]);
    expect((await world.row(stack)).next_at).toBe(before);
    expect(await sweeps()).toMatchObject([{ troubles: 0, lease_owner: '' }]);
  });

  it('does not undo what a pass wrote while it looked', async () => {
    const stack = await resting();
    const tools = withSurvey(world.tools, (survey) => ({
      ...survey,
      async look(stacks, stopping) {
        await world.database.query.updateTable('stacks').set({ swept: null }).execute();
        await survey.look(stacks, stopping);
        return new Map();
      },
    }));
    await world.advance(301, world.worker('slow', tools));
    expect(await sweptOf(stack)).toBeNull();
    expect((await world.describe(stack)).status).toBe('CREATE_COMPLETE');
  });

  it('reads its stacks from an index alone, in pages', async () => {
    const stack = await resting();
    await copyStack(stack, 3);
    const [sweep] = await sweeps();
    const place = sweep ?? expect.fail('no sweep');
    const page = await listSweptStacks(world.database.query, place, { after: stack, limit: 2 });
    expect(page.map(({ id }) => id)).toEqual([`${stack}-0000`, `${stack}-0001`]);
    if (world.database.engine !== 'sqlite') return;
    const plan = await sql<{ detail: string }>`explain query plan select id, swept from stacks
      where account_id = 'a' and vendor = 'v' and credential_id = 'c' and region = 'r' and swept is not null and id > 'x'
      order by id limit 5`.execute(world.database.query);
    expect(plan.rows.map(({ detail }) => detail)).toEqual([
      expect.stringContaining('USING COVERING INDEX stacks_swept'),
    ]);
  });
});

it('a vendor without a survey has its settled stacks looked at alone, every five minutes', async () => {
  const stack = await world.create();
  const { tools } = world;
  const alone: ReconcileTools = {
    ...tools,
    connect: async (place) => {
      const { survey: _, ...driver } = await tools.connect(place);
      return driver;
    },
  };
  await world.settle(world.worker('alone', alone));
  expect(await sweptOf(stack)).toBeNull();
  const { next_at: next } = await world.row(stack);
  expect((next ?? 0) - world.clock.now()).toBeLessThanOrEqual(300_000);
});
