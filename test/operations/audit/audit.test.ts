import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AuditLog, type Call } from '../../../src/operations/audit/audit.ts';
import { type ChainCheck, checkChains } from '../../../src/operations/audit/audit-chain.ts';
import type { Service } from '../../../src/operations/service.ts';
import { insertAccount } from '../../../src/store/access/accounts.ts';
import { World } from '../../world.ts';

let world: World;
let log: AuditLog;
let failures: unknown[];
beforeEach(async () => {
  world = await World.open();
  failures = [];
  log = new AuditLog(world.service, (error) => failures.push(error));
});
afterEach(() => world.close());

const callOf = (parts: Partial<Call> = {}): Call => ({
  actor: world.actor,
  route: { name: 'v3DeleteStack', path: '/v3/alm/stack/{stack_id}', access: { action: 'stack:deleteStack' } },
  stackId: null,
  named: new Map(),
  readOnly: false,
  denied: false,
  status: 200,
  request: { id: 'request-1', address: '192.0.2.1' },
  ...parts,
});

const rows = () => world.database.query.selectFrom('audit').selectAll().orderBy('number').execute();
const numbers = async () => (await rows()).map(({ number }) => number);
const recordMany = async (count: number) => {
  for (let each = 0; each < count; each += 1) await log.record(callOf());
};
const check = async (): Promise<ChainCheck[]> => {
  const checks: ChainCheck[] = [];
  for await (const each of checkChains(world.database.query)) checks.push(each);
  return checks;
};
const change = (number: number, values: Record<string, string | number>) =>
  world.database.query.updateTable('audit').set(values).where('number', '=', number).execute();

describe('the audit log', () => {
  it('names the owner of a stack at the time of the call, also after the stack got another one', async () => {
    const stackId = await world.create();
    await log.record(callOf({ stackId }));
    await world.database.query.updateTable('stacks').set({ created_by: 'ann' }).execute();
    await log.record(callOf({ stackId }));
    expect((await rows()).map(({ owner }) => owner)).toEqual(['root', 'ann']);
  });

  it('records actor, action, resource, owner, address and decision', async () => {
    const stackId = await world.create();
    await log.record(callOf({ stackId, status: 403, denied: true }));
    expect(await rows()).toEqual([
      {
        account_id: world.actor.accountId,
        number: 1,
        at: world.clock.now(),
        actor_kind: 'user',
        actor: 'root',
        client_id: 'lg-1',
        client_kind: 'sign-in',
        action: 'stack:deleteStack',
        resource: `mrn:alm:stack:${stackId}`,
        owner: 'root',
        decision: 'denied',
        detail: null,
        token: null,
        route: 'v3DeleteStack',
        status: 403,
        address: '192.0.2.1',
        request_id: 'request-1',
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]);
  });

  it('records the path if a call names no stack, and the declared access if the route has no action', async () => {
    await log.record(callOf({ route: { name: 'v3ListAudit', path: '/v3/audit', access: 'master' } }));
    expect(await rows()).toMatchObject([{ resource: '/v3/audit', action: 'master', owner: '' }]);
  });

  it('stores a change before the caller continues, and a read within a second', async () => {
    await log.record(callOf({ readOnly: true }));
    expect(await numbers()).toEqual([]);
    world.clock.advance(1000);
    await log.flush();
    expect(await numbers()).toEqual([1]);
    await log.record(callOf({ readOnly: true }));
    await log.record(callOf());
    expect(await numbers()).toEqual([1, 2, 3]);
  });

  it('stores reads in batches when many are pending, and the rest when it stops', async () => {
    for (let each = 0; each < 450; each += 1) await log.record(callOf({ readOnly: true }));
    await log.stop();
    expect(await numbers()).toEqual(Array.from({ length: 450 }, (_, index) => index + 1));
    expect(await check()).toMatchObject([{ isIntact: true, entries: 450 }]);
  });

  it('stores what does not fill a batch within a second, so that a busy server makes few transactions', async () => {
    for (let each = 0; each < 450; each += 1) await log.record(callOf({ readOnly: true }));
    await expect.poll(async () => (await numbers()).length).toBe(400);
    world.clock.advance(1000);
    await expect.poll(async () => (await numbers()).length).toBe(450);
  });

  it('numbers entries without gaps when several servers record at once', async () => {
    const logs = [log, ...Array.from({ length: 3 }, () => new AuditLog(world.service, () => {}))];
    await Promise.all(
      Array.from({ length: 40 }, async (_, index) =>
        (logs[index % logs.length] as AuditLog).record(callOf()),
      ),
    );
    expect(await numbers()).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
    expect(await check()).toMatchObject([{ isIntact: true, entries: 40 }]);
  });

  it('fails a change that cannot be recorded, and stores its entry later', async () => {
    let broken = true;
    const database: Service['database'] = {
      ...world.database,
      transaction: (work) =>
        broken ? Promise.reject(new Error('no database')) : world.database.transaction(work),
    };
    const failing = new AuditLog({ database, clock: world.clock }, (error) => failures.push(error));
    await expect(failing.record(callOf())).rejects.toThrow('no database');
    await failing.record(callOf({ readOnly: true }));
    world.clock.advance(1000);
    await expect(failing.flush()).rejects.toThrow('no database');
    expect(failures).toHaveLength(1);
    broken = false;
    await failing.record(callOf());
    expect(await numbers()).toEqual([1, 2, 3]);
  });

  it('drops entries of an account that a restored backup does not contain', async () => {
    const gone = { ...world.actor, accountId: 'gone' };
    await log.record(callOf({ actor: gone }));
    await log.record(callOf());
    expect(await rows()).toMatchObject([{ account_id: world.actor.accountId, number: 1 }]);
  });
});

describe('the audit chain', () => {
  it('is separate for each account', async () => {
    await insertAccount(world.database.query, { id: 'another', name: '', created_at: 0 });
    await recordMany(3);
    await log.record(callOf({ actor: { ...world.actor, accountId: 'another' } }));
    const checks = await check();
    expect(checks.every(({ isIntact }) => isIntact)).toBe(true);
    expect(checks).toHaveLength(2);
  });

  it.each([
    ['the actor', { actor: 'another' }],
    ['the time', { at: 7 }],
    ['the decision', { decision: 'denied' }],
    ['the client', { client_id: 'lg-2' }],
    ['the kind of the client', { client_kind: 'owner' }],
    ['the hash', { hash: '0'.repeat(64) }],
  ])('reveals that %s of an entry was changed', async (_, values) => {
    await recordMany(5);
    await change(3, values);
    expect(await check()).toMatchObject([
      { isIntact: false, number: 3, problem: 'is not what was recorded' },
    ]);
  });

  it('is intact with entries from before clients were recorded, and reveals a client that is added to one', async () => {
    const { accountId: account_id } = world.actor;
    const [action, actor, actor_kind, decision] = ['self', 'root', 'user', 'allowed'] as const;
    const call = { address: '::1', request_id: 'r', resource: '/v3/token', route: 'v3ListOwnTokens' };
    const { address, request_id, resource, route } = call;
    const time = '2030-01-01T00:00:00.000Z';
    const text = `{"account_id":"${account_id}","action":"${action}","actor":"${actor}","actor_kind":"${actor_kind}","address":"${address}","decision":"${decision}","number":1,"owner":"","request_id":"${request_id}","resource":"${resource}","route":"${route}","status":200,"time":"${time}"}`;
    const hash = createHash('sha256').update(text).digest('hex');
    const entry = { ...call, account_id, action, actor, actor_kind, decision, number: 1, owner: '', hash };
    await world.database.query
      .insertInto('audit')
      .values({ ...entry, status: 200, at: Date.parse(time), detail: null })
      .execute();
    await recordMany(2);
    expect(await check()).toMatchObject([{ isIntact: true, entries: 3 }]);
    await change(1, { client_id: 'lg-2' });
    expect(await check()).toMatchObject([{ isIntact: false, number: 1 }]);
  });

  it.each([1, 3])('reveals that entry %i was removed', async (number) => {
    await recordMany(5);
    await world.database.query.deleteFrom('audit').where('number', '=', number).execute();
    expect(await check()).toMatchObject([{ isIntact: false, number, problem: 'is missing' }]);
  });

  it('reveals that two entries were swapped', async () => {
    await recordMany(5);
    await change(2, { number: 99 });
    await change(3, { number: 2 });
    await change(99, { number: 3 });
    expect(await check()).toMatchObject([{ isIntact: false, number: 2 }]);
  });

  it('is verified across many pages', async () => {
    for (let each = 0; each < 2300; each += 1) await log.record(callOf({ readOnly: true }));
    await log.flush();
    expect(await check()).toMatchObject([{ isIntact: true, entries: 2300 }]);
    await change(2250, { actor: 'another' });
    expect(await check()).toMatchObject([{ isIntact: false, number: 2250 }]);
  });
});
