import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  deleteAccessToken,
  deleteExpiredAccessTokens,
  findAccessToken,
  findUserByLogin,
  insertAccessToken,
  insertUser,
} from '../../../src/store/access/accounts.ts';
import { findCredential, saveCredential } from '../../../src/store/access/credentials.ts';
import type { Database } from '../../../src/store/database/database.ts';
import { readMeta, setMetaOnce } from '../../../src/store/database/meta.ts';
import { countStacksByStatus, findStack, listStacks } from '../../../src/store/stacks/stacks.ts';
import { insertVersion } from '../../../src/store/stacks/versions/insert-version.ts';
import {
  insertVersionSecrets,
  readDocuments,
  readVersionSecrets,
} from '../../../src/store/stacks/versions.ts';
import { openTestDatabase } from '../../open-database.ts';
import { sampleModel } from '../../vendors/sample-model.ts';
import { insertAccounts, makeStack } from './make-stack.ts';

let database: Database;
beforeEach(async () => {
  database = await openTestDatabase();
  await insertAccounts(database.query, 'account1', 'account2');
});
afterEach(() => database.close());

describe('stacks', () => {
  it('are found only by their own account', async () => {
    const { id } = await makeStack(database.query);
    expect(await findStack(database.query, 'account1', id)).toMatchObject({ id });
    expect(await findStack(database.query, 'account2', id)).toBeUndefined();
    expect(await listStacks(database.query, 'account2', { language: 'v3' })).toEqual([]);
  });

  it('are listed newest first, page by page, without deleted ones', async () => {
    for (const [id, created_at] of [
      ['a', 1],
      ['b', 2],
      ['c', 2],
      ['d', 3],
    ] as const)
      await makeStack(database.query, { id, created_at });
    await makeStack(database.query, { id: 'gone', deleted_at: 5 });
    await makeStack(database.query, { id: 'other language', language: 'v2' });
    const first = await listStacks(database.query, 'account1', { language: 'v3', limit: 2 });
    const last = first.at(-1);
    const rest = await listStacks(database.query, 'account1', {
      language: 'v3',
      after: { createdAt: last?.created_at ?? 0, id: last?.id ?? '' },
    });
    expect([...first, ...rest].map((row) => row.id)).toEqual(['d', 'c', 'b', 'a']);
  });

  it('are filtered by status, vendor and nickname', async () => {
    await makeStack(database.query, {
      id: 'a',
      status: 'CREATE_FAILED',
      nickname: 'blue',
      vendor: 'sandbox',
    });
    await makeStack(database.query, { id: 'b' });
    for (const filter of [{ status: 'CREATE_FAILED' }, { nickname: 'blue' }, { vendor: 'sandbox' }] as const)
      expect(
        (await listStacks(database.query, 'account1', { language: 'v3', ...filter })).map((row) => row.id),
      ).toEqual(['a']);
    expect(await countStacksByStatus(database.query)).toHaveLength(2);
  });
});

describe('versions', () => {
  it('are numbered in order of insertion, with separate secrets', async () => {
    const { id } = await makeStack(database.query);
    const version = {
      stack_id: id,
      document: {},
      model: sampleModel(),
      vendor_document: {},
      created_by: 'root',
      created_at: 1,
    };
    await insertVersion(database.query, { ...version, id: 'v1' });
    await insertVersion(database.query, { ...version, id: 'v2', document: { a: 1 } });
    const rows = await database.query
      .selectFrom('versions')
      .select(['id', 'number'])
      .orderBy('number')
      .execute();
    expect(rows).toEqual([
      { id: 'v1', number: 1 },
      { id: 'v2', number: 2 },
    ]);
    expect(await readDocuments(database.query, ['v2', 'none'])).toEqual(new Map([['v2', { a: 1 }]]));
    await insertVersionSecrets(database.query, 'v1', new Map([['web/git', 'sealed']]));
    expect(await readVersionSecrets(database.query, 'v1')).toEqual(new Map([['web/git', 'sealed']]));
  });
});

describe('accounts', () => {
  it('let the master user log in by name, e-mail address or as root, and others by name only', async () => {
    const user = { account_id: 'account1', password_hash: 'h', created_at: 1 };
    await insertUser(database.query, {
      ...user,
      id: 'u1',
      username: 'boss',
      email: 'boss@example.test',
      master: 1,
    });
    await insertUser(database.query, {
      ...user,
      id: 'u2',
      username: 'ann',
      email: 'ann@example.test',
      master: 0,
    });
    const idOf = async (login: string) => (await findUserByLogin(database.query, 'account1', login))?.id;
    expect(
      await Promise.all(['boss', 'boss@example.test', 'root', 'ann', 'ann@example.test'].map(idOf)),
    ).toEqual(['u1', 'u1', 'u1', 'u2', undefined]);
    expect(await findUserByLogin(database.query, 'account2', 'boss')).toBeUndefined();
  });

  it('keep a token until it expires or its client revokes it', async () => {
    const token = {
      account_id: 'account1',
      kind: 'user',
      subject: 'u1',
      client_id: 'c1',
      client_kind: 'owner',
      issued_at: 1,
    } as const;
    await insertAccessToken(database.query, { ...token, hash: 'h1', id: 't1', expires_at: 100 });
    await insertAccessToken(database.query, { ...token, hash: 'h2', id: 't2', expires_at: 200 });
    expect(await findAccessToken(database.query, 'h1', 100)).toBeUndefined();
    await deleteAccessToken(database.query, 'h2', 'another client');
    expect(await findAccessToken(database.query, 'h2', 100)).toMatchObject({ subject: 'u1' });
    await deleteAccessToken(database.query, 'h2', 'c1');
    expect(await findAccessToken(database.query, 'h2', 100)).toBeUndefined();
    await deleteExpiredAccessTokens(database.query, 1000);
    expect(await database.query.selectFrom('access_tokens').selectAll().execute()).toEqual([]);
  });

  it('overwrite a credential that is saved again', async () => {
    const credential = {
      account_id: 'account1',
      vendor: 'aws',
      id: 'K',
      driver: 'aws',
      label: 'a',
      sealed_secret: 's',
      updated_at: 1,
    };
    await saveCredential(database.query, credential);
    await saveCredential(database.query, { ...credential, label: 'b' });
    expect(
      await findCredential(database.query, { accountId: 'account1', vendor: 'aws', id: 'K' }),
    ).toMatchObject({ label: 'b' });
    expect(
      await findCredential(database.query, { accountId: 'account2', vendor: 'aws', id: 'K' }),
    ).toBeUndefined();
  });
});

describe('meta', () => {
  it('is set by exactly one of many concurrent callers', async () => {
    const winners = await Promise.all(
      Array.from({ length: 5 }, (_, index) => setMetaOnce(database.query, 'k', `${index}`)),
    );
    expect(winners.filter(Boolean)).toHaveLength(1);
    expect(await readMeta(database.query, 'k')).toBe(String(winners.indexOf(true)));
  });
});

describe('transactions', () => {
  it('are rolled back when they fail', async () => {
    const failing = database.transaction(async (query) => {
      await setMetaOnce(query, 'half', 'done');
      throw new Error('stop');
    });
    await expect(failing).rejects.toThrow('stop');
    expect(await readMeta(database.query, 'half')).toBeUndefined();
  });

  it('with the same lock run one after another', async () => {
    let inside = 0;
    const enter = () =>
      database.transaction(async (query) => {
        await database.lock(query, 'door');
        inside += 1;
        await readMeta(query, 'x');
        expect(inside).toBe(1);
        inside -= 1;
      });
    await Promise.all(Array.from({ length: 5 }, enter));
  });

  it('can notify listeners', async () => {
    const received = new Promise((resolve) => database.listen('stack-due', resolve));
    await database.notify('stack-due', 'mo-1');
    expect(await received).toBe('mo-1');
  });
});
