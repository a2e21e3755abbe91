import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/store/database/database.ts';
import { findStackById, listStacks } from '../../../src/store/stacks/stacks.ts';
import { insertVersion } from '../../../src/store/stacks/versions/insert-version.ts';
import { findVersion, readDesiredVersion } from '../../../src/store/stacks/versions.ts';
import { openTestDatabase } from '../../open-database.ts';
import { sampleModel } from '../../vendors/sample-model.ts';
import { insertAccounts, makeStack, noView } from './make-stack.ts';

let database: Database;
beforeEach(async () => {
  database = await openTestDatabase();
  await insertAccounts(database.query, 'account1');
});
afterEach(() => database.close());

describe('rows of stacks', () => {
  it('have their view as a value, stored as JSON text', async () => {
    const view = { ...noView, outputs: [{ key: 'Address', value: '192.0.2.1' }] };
    const { id } = await makeStack(database.query, { view });
    expect(await findStackById(database.query, id)).toMatchObject({ view });
    const [listed] = await listStacks(database.query, 'account1', { language: 'v3' });
    expect(listed).toMatchObject({ view });
    const stored = await database.query.selectFrom('stacks').select('view').executeTakeFirstOrThrow();
    expect(stored.view).toBe(JSON.stringify(view));
  });

  it('with a damaged view are reported by column and id', async () => {
    const { id } = await makeStack(database.query);
    await database.query.updateTable('stacks').set({ view: '{' }).execute();
    await expect(findStackById(database.query, id)).rejects.toThrow(
      `The database is damaged: stacks.view of ${id} is not valid JSON.`,
    );
  });
});

describe('rows of versions', () => {
  it('have their documents as values, stored as JSON text', async () => {
    const { id } = await makeStack(database.query);
    const model = sampleModel();
    const version = { stack_id: id, id: 'v1', created_by: 'root', created_at: 1, model };
    const document = { label: 'größer', list: [1, null] };
    await insertVersion(database.query, { ...version, document, vendor_document: { made: 'here' } });
    expect(await findVersion(database.query, id, 'v1')).toEqual({
      ...version,
      skip_resources: [],
      cancelled_at: null,
      restored_data: {},
      number: 1,
      document,
      size: 36,
      label: 'größer',
      wanted: 1,
      cause: '',
      returned_from: null,
      vendor_document: { made: 'here' },
    });
    const stored = await database.query.selectFrom('versions').selectAll().executeTakeFirstOrThrow();
    expect(stored).toMatchObject({
      document: '{"label":"größer","list":[1,null]}',
      size: 36,
      model: JSON.stringify(model),
      vendor_document: '{"made":"here"}',
    });
    expect((await readDesiredVersion(database.query, { id, desired_version: 'v1' })).id).toBe('v1');
    await expect(readDesiredVersion(database.query, { id, desired_version: 'v2' })).rejects.toThrow(
      `Version v2 of stack ${id} is not in the database.`,
    );
  });
});
