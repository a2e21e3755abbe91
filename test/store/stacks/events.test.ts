import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/store/database/database.ts';
import { addEvents, listEvents, readResourceEvents } from '../../../src/store/stacks/events.ts';
import { openTestDatabase } from '../../open-database.ts';
import { insertAccounts, makeStack } from './make-stack.ts';

let database: Database;
beforeEach(async () => {
  database = await openTestDatabase();
  await insertAccounts(database.query, 'account1');
});
afterEach(() => database.close());

describe('events', () => {
  it('are numbered without gaps and can be read from any point', async () => {
    const { id } = await makeStack(database.query);
    await database.transaction((query) =>
      addEvents(query, id, [
        { at: 1, kind: 'request', message: 'one' },
        { at: 2, kind: 'step', message: 'two' },
      ]),
    );
    await database.transaction((query) =>
      addEvents(query, id, [{ at: 3, kind: 'status', message: 'three' }]),
    );
    const rest = await listEvents(database.query, id, { after: 1, limit: 10 });
    expect(rest.map((event) => [event.number, event.message])).toEqual([
      [2, 'two'],
      [3, 'three'],
    ]);
  });

  it("store a vendor's event once, however often it is read", async () => {
    const { id } = await makeStack(database.query);
    const event = { at: 1, kind: 'resource', message: 'up', vendorEventId: 'e1' } as const;
    expect(await addEvents(database.query, id, [event])).toBe(1);
    expect(await addEvents(database.query, id, [event, { ...event, vendorEventId: 'e2' }])).toBe(1);
    expect(
      (await listEvents(database.query, id, { after: 0, limit: 10 })).map((row) => row.vendor_event_id),
    ).toEqual(['e1', 'e2']);
  });

  it("get the vendor's id of their resource when they are read again, if they were stored without it", async () => {
    const { id } = await makeStack(database.query);
    const event = { at: 1, kind: 'resource', message: 'up' } as const;
    await addEvents(database.query, id, [
      { ...event, vendorEventId: 'e1' },
      { ...event, vendorEventId: 'e2' },
      { ...event, vendorEventId: 'e3', physicalId: 'i-3' },
    ]);
    const again = [
      { ...event, vendorEventId: 'e1', physicalId: 'i-1' },
      { ...event, vendorEventId: 'e2' },
      { ...event, vendorEventId: 'e3', physicalId: 'other' },
    ];
    expect(await addEvents(database.query, id, again)).toBe(0);
    const rows = await listEvents(database.query, id, { after: 0, limit: 10 });
    expect(rows.map((row) => [row.number, row.physical_id])).toEqual([
      [1, 'i-1'],
      [2, null],
      [3, 'i-3'],
    ]);
  });

  it('can be added by the thousands, and again without duplicates', async () => {
    const { id } = await makeStack(database.query);
    const events = Array.from({ length: 10_000 }, (_, index) => ({
      at: index,
      kind: 'resource' as const,
      message: 'up',
      vendorEventId: `e${index}`,
    }));
    expect(await database.transaction((query) => addEvents(query, id, events))).toBe(10_000);
    expect(await database.transaction((query) => addEvents(query, id, events))).toBe(0);
  });

  it('of concurrent writers are all stored, each with a different number', async () => {
    const { id } = await makeStack(database.query);
    const write = (message: string) =>
      database.transaction((query) => addEvents(query, id, [{ at: 1, kind: 'agent', message }]));
    await Promise.all(Array.from({ length: 20 }, (_, index) => write(`m${index}`)));
    const numbers = (await listEvents(database.query, id, { after: 0, limit: 100 })).map(
      (event) => event.number,
    );
    expect(numbers).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  });
});

describe('the events of resources', () => {
  const event = (resource: string, physicalId: string | undefined, status: string) =>
    ({ at: 1, kind: 'resource', message: '', resource, physicalId, status }) as const;
  const read = async (id: string, names: string[], failuresAfter = 0) =>
    (await readResourceEvents(database.query, id, { names, failuresAfter })).map(
      ({ number, resource, physical_id: physicalId }) => [number, resource, physicalId],
    );

  it('are the last of each id and the last failure, of the named resources only', async () => {
    const { id } = await makeStack(database.query);
    await addEvents(database.query, id, [
      event('a', undefined, 'CREATE_IN_PROGRESS'),
      event('a', 'i-1', 'CREATE_FAILED'),
      event('a', 'i-1', 'CREATE_FAILED'),
      event('a', 'i-1', 'DELETE_COMPLETE'),
      event('other', 'i-2', 'CREATE_FAILED'),
      event('b', 'i-3', 'CREATE_COMPLETE'),
    ]);
    const last = [
      [1, 'a', null],
      [4, 'a', 'i-1'],
      [6, 'b', 'i-3'],
    ];
    expect(await read(id, ['a', 'b'])).toEqual([last[0], [3, 'a', 'i-1'], ...last.slice(1)]);
    expect(await read(id, ['a', 'b'], 3)).toEqual(last);
    expect(await read(id, [])).toEqual([]);
  });

  it('are few for a resource that was replaced often: only its last ids count', async () => {
    const { id } = await makeStack(database.query);
    const replaced = Array.from({ length: 200 }, (_, index) => [
      event('a', `i-${index}`, 'CREATE_FAILED'),
      event('a', `i-${index}`, 'DELETE_COMPLETE'),
    ]);
    await addEvents(database.query, id, replaced.flat());
    const found = await read(id, ['a']);
    expect(found.length).toBeLessThan(20);
    expect(found.slice(-3)).toEqual([
      [398, 'a', 'i-198'],
      [399, 'a', 'i-199'],
      [400, 'a', 'i-199'],
    ]);
  });

  it('of more names than fit into one statement are all found, oldest first', async () => {
    const { id } = await makeStack(database.query);
    const names = Array.from({ length: 1200 }, (_, index) => `r${index}`);
    const events = names.toReversed().map((name) => event(name, 'i-1', 'CREATE_COMPLETE'));
    await addEvents(database.query, id, events);
    expect((await read(id, names)).map(([, name]) => name)).toEqual(names.toReversed());
  });
});
