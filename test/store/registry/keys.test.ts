import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deleteRowsOfAccount } from '../../../src/store/database/account-owned.ts';
import type { Database } from '../../../src/store/database/database.ts';
import { openDatabase } from '../../../src/store/database/open-database.ts';
import {
  activateNextKey,
  deleteOldKeys,
  insertRegistryKey,
  listRegistryKeys,
  type RegistryKeyRow,
} from '../../../src/store/registry/keys.ts';
import { makeTestPlace, type TestPlace } from '../../open-database.ts';
import { insertAccounts } from '../stacks/make-stack.ts';

let place: TestPlace;
let database: Database;
beforeEach(async () => {
  place = await makeTestPlace();
  database = await openDatabase(place.url);
});
afterEach(async () => {
  await database.close();
  await place.remove();
});

const key = (id: string, state: RegistryKeyRow['state'], created_at = 1): RegistryKeyRow => ({
  id,
  sealed_key: 'sealed',
  certificate: 'pem',
  state,
  created_at,
});
const states = async () => (await listRegistryKeys(database.query)).map(({ id, state }) => [id, state]);

describe('keys of registry tokens', () => {
  it('have one current key, whichever server inserts it first', async () => {
    const inserted = await Promise.all(
      ['a', 'b', 'c'].map((id) => insertRegistryKey(database.query, key(id, 'current'))),
    );
    expect(inserted.filter(Boolean)).toHaveLength(1);
    expect(await states()).toHaveLength(1);
  });

  it('change the current key to the next one, and keep the old one until it is deleted', async () => {
    await insertRegistryKey(database.query, key('a', 'current', 1));
    expect(await database.transaction(activateNextKey)).toBe(false);
    expect(await insertRegistryKey(database.query, key('b', 'next', 2))).toBe(true);
    expect(await insertRegistryKey(database.query, key('c', 'next', 3))).toBe(false);
    expect(await database.transaction(activateNextKey)).toBe(true);
    expect(await states()).toEqual([
      ['b', 'current'],
      ['a', 'old'],
    ]);
    expect(await deleteOldKeys(database.query)).toEqual(['a']);
    expect(await states()).toEqual([['b', 'current']]);
  });
});

describe('the index of the registry', () => {
  it('loses the repositories and images of a deleted account, and no others', async () => {
    const { query } = database;
    await insertAccounts(query, 'account1', 'account2');
    for (const account_id of ['account1', 'account2']) {
      const name = `${account_id}/app`;
      const times = { created_at: 1, updated_at: 1 };
      await query
        .insertInto('registry_repositories')
        .values({ name, account_id, description: '', visibility: 'private', ...times })
        .execute();
      const image = { tag: '1', digest: 'sha256:1', media_type: '', size: 1, platforms: '[]', pushed_by: '' };
      await query
        .insertInto('registry_images')
        .values({ ...image, repository: name, pushed_at: 1, pulled_at: null })
        .execute();
    }
    await deleteRowsOfAccount(query, 'account1');
    const images = await query.selectFrom('registry_images').select('repository').execute();
    const repositories = await query.selectFrom('registry_repositories').select('name').execute();
    expect([images, repositories]).toEqual([[{ repository: 'account2/app' }], [{ name: 'account2/app' }]]);
  });
});
