import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resumeAccount, setQuota, suspendAccount } from '../../src/operations/accounts/change-account.ts';
import { createAccount } from '../../src/operations/accounts/create-account.ts';
import { deleteAccount, previewDeletion } from '../../src/operations/accounts/delete-account.ts';
import { cancelUpdate } from '../../src/operations/stacks/change/cancel-update.ts';
import { deleteStack } from '../../src/operations/stacks/change/delete-stack.ts';
import { rollBack } from '../../src/operations/stacks/change/roll-back.ts';
import { readVersions } from '../../src/operations/stacks/read/read-versions.ts';
import { applyTemplate } from '../../src/operations/stacks/submit/apply-template.ts';
import { tableNames } from '../../src/store/database/backup.ts';
import { userActor } from '../actors.ts';
import { oneServer, World, written } from '../world.ts';

let world: World;
let accountId: string;
beforeEach(async () => {
  world = await World.open();
  accountId = world.actor.accountId;
});
afterEach(() => world.close());

describe('a suspension during work on stacks', () => {
  it('a creation, an update and a deletion in progress run to their end', async () => {
    const [updated, deleted] = [await world.create(), await world.create()];
    await world.settle();
    const created = await world.create(oneServer(2));
    await world.update(updated, oneServer(3));
    await world.delete(deleted);
    await world.advance(1);
    await suspendAccount(world.service, accountId);
    await world.settle();
    const statuses = await Promise.all(
      [created, updated, deleted].map(async (id) => (await world.row(id)).status),
    );
    expect(statuses).toEqual(['CREATE_COMPLETE', 'UPDATE_COMPLETE', 'DELETE_COMPLETE']);
    expect(Object.keys(await world.inTheCloud()).toSorted()).toEqual([created, updated].toSorted());
  });

  it('complete stacks stay as they are, and a new stack is refused until the account is resumed', async () => {
    const stackId = await world.create(oneServer(2));
    await world.settle();
    const before = await world.inTheCloud();
    await suspendAccount(world.service, accountId);
    await expect(world.create()).rejects.toThrow('The account is suspended; ask the operator');
    await world.advance(60);
    expect(await world.inTheCloud()).toEqual(before);
    await resumeAccount(world.service, accountId);
    await world.update(stackId, oneServer(1));
    await world.settle();
    expect((await world.describe(stackId)).status).toBe('UPDATE_COMPLETE');
  });
});

describe('the quota of versions', () => {
  const versionsOf = async (stackId: string) =>
    (await readVersions(world.service, world.actor, { stackId })).map(({ id }) => id);

  it('the oldest versions are deleted with their secrets, and the rest can be restored', async () => {
    await setQuota(world.service, accountId, { versions: 5 });
    const stackId = await world.create();
    await world.settle();
    const [first = ''] = await versionsOf(stackId);
    for (let each = 2; each <= 9; each += 1) {
      await world.update(stackId, oneServer(each));
      await world.settle();
    }
    const kept = await versionsOf(stackId);
    expect(kept).toHaveLength(5);
    expect(kept).not.toContain(first);
    const secrets = await world.database.query.selectFrom('version_secrets').select('version_id').execute();
    for (const { version_id } of secrets) expect(kept).toContain(version_id);
    const conditions = { fingerprint: '', servers: 'replace' } as const;
    await rollBack(world.service, world.actor, { stackId, versionId: kept.at(-1) ?? '', conditions });
    await world.settle();
    expect((await world.describe(stackId)).status).toBe('UPDATE_COMPLETE');
    await expect(rollBack(world.service, world.actor, { stackId, versionId: first })).rejects.toThrow(
      `Version ${first} does not exist`,
    );
  });

  it('the version that the stack reached last is never deleted, so a cancelled update can go back to it', async () => {
    await setQuota(world.service, accountId, { versions: 5 });
    const stackId = await world.create();
    await world.settle();
    const { settled_version: settled } = await world.row(stackId);
    for (let each = 2; each <= 12; each += 1) await world.update(stackId, oneServer(each));
    expect(await versionsOf(stackId)).toContain(settled);
    expect((await versionsOf(stackId)).length).toBe(5);
    await cancelUpdate(world.service, world.actor, { stackId });
    await world.settle();
    expect(await world.row(stackId)).toMatchObject({ status: 'UPDATE_COMPLETE', settled_version: settled });
    expect(world.errors).toEqual([]);
  });
});

describe('deleting an account', () => {
  /** Every row of every table that mentions one of the texts. */
  async function mentions(...texts: string[]): Promise<string[]> {
    const found = new Set<string>();
    for (const table of tableNames) {
      const { rows } = await sql`select * from ${sql.table(table)}`.execute(world.database.query);
      if (texts.some((text) => JSON.stringify(rows).includes(text))) found.add(table);
    }
    return [...found];
  }

  const makeTenant = async () => {
    const { id } = await createAccount(world.service, { name: 'Acme', username: 'root', password: null });
    return userActor(id, { userId: id, username: 'root' });
  };

  it('is refused while it has a stack, even one whose deletion failed', async () => {
    const actor = await makeTenant();
    const { stackId } = await applyTemplate(world.service, actor, { template: written(oneServer()) });
    await world.settle();
    await expect(deleteAccount(world.service, actor.accountId)).rejects.toThrow(`not deleted: ${stackId} (`);
    await expect(previewDeletion(world.service, 'Acme')).rejects.toThrow(stackId);
    const account = await world.database.query
      .selectFrom('accounts')
      .selectAll()
      .where('id', '=', actor.accountId)
      .executeTakeFirst();
    expect(account).toMatchObject({ suspended_at: null, deleted_at: null });
    expect(Object.keys(await world.inTheCloud())).toEqual([stackId]);
  });

  it('leaves only its own row and its audit log, and nothing of other accounts is touched', async () => {
    const own = await world.create();
    const actor = await makeTenant();
    const { stackId } = await applyTemplate(world.service, actor, { template: written(oneServer()) });
    await world.settle();
    const conditions = { fingerprint: '', servers: 'replace' } as const;
    await deleteStack(world.service, actor, { stackId, language: 'v3', conditions });
    await world.settle();
    const { rows } = await deleteAccount(world.service, actor.accountId);
    expect(Object.fromEntries(rows)).toMatchObject({ users: 1, api_clients: 1, stacks: 1, versions: 1 });
    expect(await mentions(actor.accountId)).toEqual(['accounts', 'audit']);
    expect(await mentions(stackId)).toEqual([]);
    expect((await world.describe(own)).status).toBe('CREATE_COMPLETE');
    await expect(applyTemplate(world.service, actor, { template: written(oneServer()) })).rejects.toThrow();
  });
});
