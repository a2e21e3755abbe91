import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SignedInUser } from '../../../src/operations/access/users.ts';
import {
  describeOwnTokens,
  endOtherTokens,
  endOwnToken,
} from '../../../src/operations/sign-in/own-tokens.ts';
import { endSession, renewSession } from '../../../src/operations/sign-in/session.ts';
import type { Query } from '../../../src/store/database/database.ts';
import { onPostgres } from '../../open-database.ts';
import { caller, hour, useSessions } from './use-sessions.ts';

const { world, start, actorOf, isValid, renew } = useSessions();

let token: string;
let user: SignedInUser;
beforeEach(async () => {
  await world().database.query.deleteFrom('access_tokens').execute();
  token = await start();
  world().clock.advance(2 * hour);
  user = await actorOf(token);
});

const listed = async (used: string) => describeOwnTokens(world().service, await actorOf(used));
const idOf = async (used: string): Promise<string> =>
  (await listed(used)).find(({ current }) => current)?.id ?? '';
const rows = () => world().database.query.selectFrom('access_tokens').select('hash').execute();

/** Until so many transactions wait for a lock of another one. */
async function waiting(count: number): Promise<void> {
  const { query } = world().database;
  for (;;) {
    const { rows: found } = await sql<{ pid: number }>`select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(query);
    if (found.length >= count) return;
  }
}

/** Starts the renewal first and the end while it runs. SQLite runs one transaction at a time anyway. */
async function endDuringRenewal(end: () => Promise<unknown>): Promise<void> {
  const { database, service } = world();
  const work: Promise<unknown>[] = [];
  const begin = (one: Promise<unknown>) => work.push(one.catch(() => {}));
  const beginBoth = async () => {
    begin(renewSession(service, user));
    if (onPostgres) await waiting(1);
    begin(end());
    if (onPostgres) await waiting(2);
  };
  const holdToken = async (query: Query) => {
    await query
      .updateTable('access_tokens')
      .set({ last_used_at: world().clock.now() })
      .where('hash', '=', user.tokenHash ?? '')
      .execute();
    await beginBoth();
  };
  await (onPostgres ? database.transaction(holdToken) : beginBoth());
  await Promise.all(work);
}

describe('a session that is renewed at the same moment is over after', () => {
  it('signing out', async () => {
    await endDuringRenewal(() => endSession(world().service, user, caller.address));
    expect(await rows()).toEqual([]);
  });

  it('ending it by its id', async () => {
    const id = await idOf(token);
    await endDuringRenewal(() => endOwnToken(world().service, user, id));
    expect(await rows()).toEqual([]);
  });

  it('ending all others from another sign-in', async () => {
    const other = await actorOf(await start());
    await endDuringRenewal(() => endOtherTokens(world().service, other));
    expect(await rows()).toEqual([{ hash: other.tokenHash }]);
  });
});

it.runIf(onPostgres)('a token that is deleted while it is renewed gets no successor', async () => {
  let renewed: Promise<unknown> = Promise.resolve();
  await world().database.transaction(async (query) => {
    await query.deleteFrom('access_tokens').execute();
    renewed = renewSession(world().service, user).catch((error: unknown) => error);
    await waiting(1);
  });
  expect(await renewed).toMatchObject({ kind: 'unauthorized' });
  expect(await rows()).toEqual([]);
});

describe('a renewed session', () => {
  let id: string;
  let next: string;
  beforeEach(async () => {
    id = await idOf(token);
    next = (await renew(token)).token ?? '';
  });

  it('is listed once, with the same id, and is the current one for both of its tokens', async () => {
    for (const used of [token, next])
      expect(await listed(used)).toEqual([expect.objectContaining({ id, current: true })]);
  });

  it('is ended by its id with both of its tokens', async () => {
    await endOwnToken(world().service, await actorOf(next), id);
    expect([await isValid(token), await isValid(next)]).toEqual([false, false]);
  });

  it('stays when a request with its old token ends all other sign-ins', async () => {
    const other = await start();
    expect(await endOtherTokens(world().service, await actorOf(token))).toBe(1);
    expect([await isValid(token), await isValid(next), await isValid(other)]).toEqual([true, true, false]);
  });

  it('counts as one sign-in when another one ends it', async () => {
    expect(await endOtherTokens(world().service, await actorOf(await start()))).toBe(1);
    expect([await isValid(token), await isValid(next)]).toEqual([false, false]);
  });
});
