import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AuditLog, type Call } from '../../../src/operations/audit/audit.ts';
import { checkChains } from '../../../src/operations/audit/audit-chain.ts';
import { OpenMark } from '../../../src/operations/audit/open-mark.ts';
import type { Service } from '../../../src/operations/service.ts';
import { insertAccount } from '../../../src/store/access/accounts.ts';
import { onPostgres } from '../../open-database.ts';
import { World } from '../../world.ts';

let world: World;
let failures: unknown[];
let broken: boolean;
beforeEach(async () => {
  world = await World.open();
  failures = [];
  broken = false;
});
afterEach(() => world.close());

const read = (): Call => ({
  actor: world.actor,
  route: { name: 'v3ListStacks', path: '/v3/alm/stack', access: { action: 'stack:listStacks' } },
  stackId: null,
  named: new Map(),
  readOnly: true,
  denied: false,
  status: 200,
  request: { id: 'request-1', address: '192.0.2.1' },
});

/** A database that cannot be written to for a while. */
const breakable = (): Pick<Service, 'database' | 'clock'> => ({
  clock: world.clock,
  database: {
    ...world.database,
    transaction: (work) =>
      broken ? Promise.reject(new Error('no database')) : world.database.transaction(work),
  },
});

const entries = () =>
  world.database.query
    .selectFrom('audit')
    .select(['account_id', 'action', 'detail'])
    .orderBy('number')
    .execute();
const gaps = async () => (await entries()).filter(({ action }) => action === 'audit-gap');

describe('an outage of the database during which more reads arrive than can wait', () => {
  it('leaves one entry that counts those that are missing, behind those that waited', async () => {
    const log = new AuditLog(breakable(), (error) => failures.push(error));
    broken = true;
    for (let each = 0; each < 10_003; each += 1) await log.record(read());
    await expect(log.record({ ...read(), readOnly: false })).rejects.toThrow('no database');
    broken = false;
    await log.record(read());
    expect(await log.stop()).toBe(true);
    const found = await entries();
    expect(found).toHaveLength(10_002);
    expect(found.at(-2)).toMatchObject({
      action: 'audit-gap',
      detail: expect.stringMatching(/^4 calls from 20\S+ to 20\S+ are missing: the database could not be/),
    });
    for await (const check of checkChains(world.database.query)) expect(check.isIntact).toBe(true);
  });

  it('loses none if the database can be written to when the queue is full', async () => {
    const log = new AuditLog(breakable(), (error) => failures.push(error));
    broken = true;
    for (let each = 0; each < 10_000; each += 1) await log.record(read());
    broken = false;
    await Promise.all([1, 2, 3].map(async () => log.record(read())));
    await log.stop();
    expect((await entries()).length).toBe(10_003);
    expect(await gaps()).toEqual([]);
  });
});

describe('a server that records calls', () => {
  const markOf = () => new OpenMark(world.service, (error) => failures.push(error));
  /** Its timers end with it. */
  const killed = () => {
    const clock = { now: () => world.clock.now(), after: () => () => {} };
    return new OpenMark({ ...world.service, clock }, (error) => failures.push(error));
  };

  it('that was killed leaves an entry in every account when its end is noticed, once', async () => {
    await insertAccount(world.database.query, { id: 'another', name: '', created_at: 0 });
    await killed().start();
    world.clock.advance(100_000);
    const next = markOf();
    await next.start();
    expect((await gaps()).map((entry) => entry.account_id).toSorted()).toEqual(
      ['another', world.actor.accountId].toSorted(),
    );
    expect((await gaps())[0]?.detail).toMatch(
      /^A server ended without a stop between 20\S+ and 20\S+\. Reads/,
    );
    await next.stop(true);
    await killed().start();
    expect(await gaps()).toHaveLength(2);
  });

  it('that stopped leaves no entry, unless it could not store everything', async () => {
    const first = markOf();
    await first.start();
    await first.stop(true);
    const second = markOf();
    await second.start();
    expect(await gaps()).toEqual([]);
    await second.stop(false);
    world.clock.advance(100_000);
    await killed().start();
    expect(await gaps()).toHaveLength(1);
    expect(failures).toEqual([]);
  });

  it.runIf(onPostgres)('is not taken for killed while it runs beside others', async () => {
    const one = markOf();
    await one.start();
    world.clock.advance(80_000);
    const other = markOf();
    await other.start();
    expect(await gaps()).toEqual([]);
    await Promise.all([one.stop(true), other.stop(true)]);
  });
});
