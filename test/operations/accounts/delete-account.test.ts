import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAccount } from '../../../src/operations/accounts/create-account.ts';
import { deleteAccount, previewDeletion } from '../../../src/operations/accounts/delete-account.ts';
import { forgetData } from '../../../src/operations/data/change-data.ts';
import { deleteStack } from '../../../src/operations/stacks/change/delete-stack.ts';
import { applyTemplate } from '../../../src/operations/stacks/submit/apply-template.ts';
import { storesOfStack } from '../../../src/store/data/stores.ts';
import { userActor } from '../../actors.ts';
import { mysql, withData } from '../../api/data/data-caller.ts';
import { World, written } from '../../world.ts';

let world: World;
beforeEach(async () => {
  world = await World.open();
});
afterEach(() => world.close());

/** An account whose only stack is deleted. */
async function withDeletedStack(data: 'keep' | 'delete') {
  const { id } = await createAccount(world.service, { name: 'Acme', username: 'root', password: null });
  const actor = userActor(id, { userId: id, username: 'root' });
  const template = written(withData({ rds: mysql }));
  const { stackId } = await applyTemplate(world.service, actor, { template });
  await world.settle();
  const conditions = { fingerprint: '', servers: 'replace', data } as const;
  await deleteStack(world.service, actor, { stackId, language: 'v3', conditions });
  await world.settle();
  const rows = await storesOfStack(world.database.query, stackId);
  const store = rows.find(({ kind }) => kind === 'database');
  if (!store) throw new Error('There was a database.');
  return { actor, stackId, store };
}

const accountRow = (id: string) =>
  world.database.query.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();
const auditDetails = async (id: string) =>
  (
    await world.database.query
      .selectFrom('audit')
      .select('detail')
      .where('account_id', '=', id)
      .where('route', '=', 'account delete')
      .execute()
  ).map(({ detail }) => detail);

describe('deleting an account whose stacks left data behind', () => {
  it('is refused with what is kept and where, also as a preview, and nothing changes', async () => {
    const { actor, store } = await withDeletedStack('keep');
    expect(store.state).toBe('kept');
    const message = new RegExp(`${store.id} \\(DatabaseInstance .*: ${store.kept_where}\\)`);
    await expect(deleteAccount(world.service, actor.accountId)).rejects.toThrow(message);
    await expect(previewDeletion(world.service, 'Acme')).rejects.toThrow(message);
    await expect(deleteAccount(world.service, actor.accountId)).rejects.toMatchObject({
      kind: 'conflict',
      description: expect.stringContaining('--forget-data'),
    });
    expect(await accountRow(actor.accountId)).toMatchObject({ suspended_at: null, deleted_at: null });
    expect(await storesOfStack(world.database.query, store.stack_id)).toContainEqual(store);
  });

  it('is done after its users forgot the data', async () => {
    const { actor, store } = await withDeletedStack('keep');
    await forgetData(world.service, actor, store.id);
    const { kept } = await deleteAccount(world.service, actor.accountId);
    expect(kept).toEqual([]);
    expect(await storesOfStack(world.database.query, store.stack_id)).toEqual([]);
  });

  it('is done with forgetData; the reply and the audit log, which remains, say where the data is', async () => {
    const { actor, store } = await withDeletedStack('keep');
    const options = { forgetData: true };
    expect((await previewDeletion(world.service, 'Acme', options)).kept).toEqual([store]);
    const { kept } = await deleteAccount(world.service, actor.accountId, options);
    expect(kept).toEqual([store]);
    const [detail] = await auditDetails(actor.accountId);
    expect(detail).toContain(`forgot ${store.id}`);
    expect(detail).toContain(store.kept_where);
    expect(await accountRow(actor.accountId)).toMatchObject({ deleted_at: expect.any(Number) });
  });

  it('needs no flag if the data was deleted with the stack', async () => {
    const { actor } = await withDeletedStack('delete');
    expect((await deleteAccount(world.service, actor.accountId)).kept).toEqual([]);
    expect(await auditDetails(actor.accountId)).toEqual(['deleted the account']);
  });
});
