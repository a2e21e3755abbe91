import { describe, expect, it } from 'vitest';
import { Failure } from '../../../src/basics/failure.ts';
import { Batches, type Outcome } from '../../../src/operations/agents/batches.ts';

/** Records what each batch contained; `record` decides what comes of it. */
function collecting(record: (items: readonly string[]) => Outcome[] | Promise<Outcome[]>) {
  const seen: string[][] = [];
  const batches = new Batches<string>(async (items) => {
    seen.push([...items]);
    return record(items);
  });
  const send = (...items: string[]) =>
    Promise.all(
      items.map((item) =>
        batches.add(item).then(
          () => 'done',
          (error: Error) => error.message,
        ),
      ),
    );
  return { seen, send };
}

const refused = new Failure('too_many_requests', 'refused');

describe('a batch', () => {
  it('holds everything that arrived together, in order', async () => {
    const { seen, send } = collecting((items) => items.map(() => 'recorded'));
    expect(await send('a', 'b', 'c')).toEqual(['done', 'done', 'done']);
    expect(seen).toEqual([['a', 'b', 'c']]);
  });

  it('is acknowledged only after it is recorded; what arrives in the meantime is in the next one', async () => {
    let commit = () => {};
    const committed = new Promise<void>((resolve) => {
      commit = resolve;
    });
    let acknowledged = 0;
    const { seen, send } = collecting(async (items) => {
      await committed;
      return items.map(() => 'recorded');
    });
    const first = send('a').then(() => (acknowledged += 1));
    await expect.poll(() => seen.length).toBe(1);
    const later = send('b', 'c').then(() => (acknowledged += 1));
    expect(acknowledged).toBe(0);
    commit();
    await Promise.all([first, later]);
    expect(seen).toEqual([['a'], ['b', 'c']]);
  });

  it('fails only the item that is refused', async () => {
    const { send } = collecting((items) => items.map((item) => (item === 'b' ? refused : 'recorded')));
    expect(await send('a', 'b', 'c')).toEqual(['done', 'refused', 'done']);
  });

  it('that fails as a whole is tried again item by item, so that only the cause fails', async () => {
    const { seen, send } = collecting((items) => {
      if (items.includes('b')) throw new Error('cannot be stored');
      return items.map(() => 'recorded');
    });
    expect(await send('a', 'b', 'c')).toEqual(['done', 'cannot be stored', 'done']);
    expect(seen).toEqual([['a', 'b', 'c'], ['a'], ['b'], ['c']]);
  });

  it('is not tried again during an outage of the database', async () => {
    const { seen, send } = collecting(() => {
      throw new Failure('unavailable', 'no database');
    });
    expect(await send('a', 'b')).toEqual(['no database', 'no database']);
    expect(seen).toHaveLength(1);
  });

  it('leaves items that need it a transaction of their own, in their order', async () => {
    const { seen, send } = collecting((items) =>
      items.map((item) => (items.length > 1 && item !== 'b' ? 'alone' : 'recorded')),
    );
    expect(await send('a', 'b', 'c')).toEqual(['done', 'done', 'done']);
    expect(seen).toEqual([['a', 'b', 'c'], ['a'], ['c']]);
  });
});
