import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { storesOfStack } from '../../../src/store/data/stores.ts';
import { migrate } from '../../../src/store/database/migrate.ts';
import { mysql, withData } from '../../api/data/data-caller.ts';
import { World } from '../../world.ts';

let world: World;
beforeEach(async () => {
  world = await World.open();
});
afterEach(() => world.close());

/** The schema of 0034, as a server before the ledger left it: nothing is known of stores, and no stack is due. */
async function goBack(): Promise<void> {
  const { query } = world.database;
  const later = [
    'version_submitters',
    'tracked_layers',
    'paused_stacks',
    'deploy_hooks',
    'hook_deliveries',
    'account_secrets',
    'secret_uses',
    'passkeys',
    'used_challenges',
  ];
  for (const table of later) await sql.raw(`drop table ${table}`).execute(query);
  for (const statement of [
    'drop index stacks_by_lane',
    'drop index stacks_due_lanes',
    'create index stacks_due on stacks (next_at)',
    'alter table access_tokens drop column proved_at',
    'drop table rollouts',
    'alter table agents drop column app_digest',
    'drop table app_instances',
    ...['health', 'health_reason', 'undoing', 'undoing_progress', 'replaces_servers'].map(
      (column) => `alter table stacks drop column ${column}`,
    ),
    'alter table versions drop column cause',
    'alter table versions drop column returned_from',
    'drop table data_stores',
    'drop table data_releases',
    'alter table versions drop column cancelled_at',
    'alter table versions drop column restored_data',
    "alter table versions add column replaced_data text not null default '[]'",
    "delete from kysely_migration where name >= '0035_data_stores'",
  ])
    await sql.raw(statement).execute(query);
  for (const { id, view } of await query.selectFrom('stacks').select(['id', 'view']).execute()) {
    const { stores: _, ...known } = JSON.parse(view) as Record<string, unknown>;
    await query
      .updateTable('stacks')
      .set({ view: JSON.stringify(known), next_at: null })
      .where('id', '=', id)
      .execute();
  }
}

const upgrade = () => migrate(world.database.query, world.database.engine);
const storesOf = async (stackId: string) =>
  (await storesOfStack(world.database.query, stackId))
    .map(({ kind, state, resource }) => ({ kind, state, resource }))
    .toSorted((one, other) => one.kind.localeCompare(other.kind));

describe('a database from before the ledger', () => {
  it('gets its stores with the next pass over each stack, and a deleted stack is not looked at', async () => {
    const stackId = await world.create(withData({ rds: mysql }));
    const deleted = await world.create();
    await world.settle();
    await world.delete(deleted);
    await world.settle();
    const before = await storesOf(stackId);
    expect(before.map(({ kind }) => kind)).toEqual(['database', 'disk']);
    await goBack();
    await upgrade();
    expect(await storesOf(stackId)).toEqual([]);
    await world.settle();
    expect(await storesOf(stackId)).toEqual(before);
    expect(await storesOf(deleted)).toEqual([]);
    expect((await world.describe(stackId)).status).toBe('CREATE_COMPLETE');
  });

  it('loses no database to an update that comes before the first pass: the step is not taken', async () => {
    const stackId = await world.create(withData({ rds: mysql }));
    await world.settle();
    const before = await world.inTheCloud();
    await goBack();
    await upgrade();
    await world.update(stackId, withData(), {});
    await world.settle();
    expect(await world.inTheCloud()).toEqual(before);
    expect((await world.row(stackId)).status_reason).toContain('removes data that no request released');
    await world.update(stackId, withData(), { data: 'keep' });
    await world.settle();
    expect((await world.describe(stackId)).status).toBe('UPDATE_COMPLETE');
    expect(await storesOf(stackId)).toContainEqual(
      expect.objectContaining({ kind: 'database', state: 'kept' }),
    );
  });
});
