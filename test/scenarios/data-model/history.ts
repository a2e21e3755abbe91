import { expect } from 'vitest';
import { storeName } from '../../../src/model/names.ts';
import { leaseMs } from '../../../src/reconcile/loop.ts';
import { releasesOfStack } from '../../../src/store/data/releases.ts';
import { existingStores } from '../../../src/store/data/stores.ts';
import { deleteRowsOfStack } from '../../../src/store/database/account-owned.ts';
import { readDesiredModel } from '../../../src/store/stacks/versions.ts';
import type { World } from '../../world.ts';
import { Crash, dyingTools } from '../crash.ts';
import { Checker } from './check.ts';
import type { Random } from './random.ts';
import { type Acting, actAtRandom, randomTemplate } from './requests.ts';

/** One server works, or two at the same time, or one that is killed before or after any of its acts. */
async function workAWhile({ world, random }: Acting): Promise<void> {
  const crash = { act: 1 + random.below(8), moment: random.of(['before', 'after'] as const) };
  const isKilled = random.isTrue(0.2);
  const first = world.worker('one', isKilled ? dyingTools(world.tools, crash).tools : world.tools);
  if (random.isTrue(0.3)) await Promise.all([first.runDue(), world.worker('two').runDue()]);
  else await first.runDue();
  world.clock.advance(isKilled ? leaseMs + 1 : random.of([50, 500, 1_000, 3_000, 9_000, 30_000]));
}

/** Names of databases whose protection is in force. */
async function protectedStores({ world, stackId }: Acting): Promise<Set<string>> {
  const { query } = world.database;
  const { model } = await readDesiredModel(query, await world.row(stackId));
  const names = model.databases.filter(({ deletionProtection }) => deletionProtection);
  const isProtected = new Set(names.map(({ name }) => storeName(name)));
  const stores = await existingStores(query, stackId);
  return new Set(
    stores
      .filter(({ kind, name, state }) => kind === 'database' && state === 'in_use' && isProtected.has(name))
      .map(({ id }) => id),
  );
}

const releasesIn = async ({ world, stackId }: Acting): Promise<Set<string>> =>
  new Set(
    (await releasesOfStack(world.database.query, stackId)).map(({ store, intent }) => `${store} ${intent}`),
  );

/** No request releases a protected store. */
async function request(acting: Acting): Promise<string> {
  const guarded = await protectedStores(acting);
  const before = await releasesIn(acting);
  const said = await actAtRandom(acting);
  for (const release of await releasesIn(acting))
    if (!before.has(release)) expect(guarded.has(release.split(' ')[0] ?? ''), said).toBe(false);
  return said;
}

/** Lives one random life of one stack and checks it all the time. Returns what happened. */
export async function liveOnce(world: World, random: Random): Promise<string[]> {
  world.errors.length = 0;
  const stackId = await world.create(randomTemplate(random));
  const checker = new Checker(world, stackId);
  const acting = { world, stackId, random };
  const story: string[] = [];
  const steps = 4 + random.below(14);
  try {
    for (let step = 0; step < steps; step += 1) {
      story.push(await request(acting));
      await checker.check();
      for (let turns = random.below(5); turns > 0; turns -= 1) {
        await workAWhile(acting);
        await checker.check();
      }
      if (random.isTrue(0.3)) {
        await world.settle();
        await checker.checkSettled();
        story.push(`settled: ${(await world.row(stackId)).status}`);
      }
    }
    world.clock.advance(60_000);
    await world.settle();
    await checker.checkSettled();
    expect(world.errors.filter((error) => !(error instanceof Crash))).toEqual([]);
    return story;
  } catch (error) {
    const { status, status_reason: reason } = await world.row(stackId);
    throw new Error(`After ${JSON.stringify([...story, status, reason], null, 1)}`, { cause: error });
  } finally {
    const { query } = world.database;
    await query.deleteFrom('sandbox_stacks').where('stack_id', '=', stackId).execute();
    await query.deleteFrom('sandbox_faults').execute();
    await deleteRowsOfStack(query, stackId);
  }
}
