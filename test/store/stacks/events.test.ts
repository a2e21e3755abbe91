import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/store/database/database.ts';
import { addEvents, listEvents } from '../../../src/store/stacks/events.ts';
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
