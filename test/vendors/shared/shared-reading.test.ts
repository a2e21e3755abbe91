import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/basics/clock.ts';
import { Order, SharedReading } from '../../../src/vendors/shared/shared-reading.ts';

/** Reads that the test ends. */
function slowReads() {
  const clock = new VirtualClock();
  const waiting: { end: (value: string) => void; fail: (reason: Error) => void }[] = [];
  let started = 0;
  const reading = new SharedReading(clock, new Order(), () => {
    started += 1;
    return new Promise<string>((end, fail) => waiting.push({ end, fail }));
  });
  return { clock, reading, waiting, started: () => started };
}

const value = async (got: Promise<{ value: string }>): Promise<string> => (await got).value;

describe('a shared reading', () => {
  it('serves all callers while it is in progress', async () => {
    const { reading, waiting, started } = slowReads();
    const all = [reading.get(0), reading.get(0), reading.get(5000)].map(value);
    waiting[0]?.end('seen');
    expect(await Promise.all(all)).toEqual(['seen', 'seen', 'seen']);
    expect(started()).toBe(1);
  });

  it('is used until it is older than allowed, measured from its end', async () => {
    const { clock, reading, waiting, started } = slowReads();
    const first = value(reading.get(0));
    clock.advance(9000);
    waiting[0]?.end('first');
    expect(await first).toBe('first');
    clock.advance(3000);
    expect(await value(reading.get(4000))).toBe('first');
    const second = value(reading.get(2000));
    await Promise.resolve();
    await Promise.resolve();
    await Promise.resolve();
    waiting[1]?.end('second');
    expect(await second).toBe('second');
    expect(started()).toBe(2);
  });

  it('that started earlier is not used by a caller that requires a new one', async () => {
    const { clock, reading, waiting } = slowReads();
    const first = value(reading.get(0));
    clock.advance(1);
    const second = value(reading.get(0));
    waiting[0]?.end('old');
    expect(await first).toBe('old');
    await Promise.resolve();
    await Promise.resolve();
    await Promise.resolve();
    waiting[1]?.end('new');
    expect(await second).toBe('new');
  });

  it('is not cached when it fails', async () => {
    const { reading, waiting } = slowReads();
    const failing = reading.get(0);
    waiting[0]?.fail(new Error('failed'));
    await expect(failing).rejects.toThrow('failed');
    const next = value(reading.get(60_000));
    waiting[1]?.end('better');
    expect(await next).toBe('better');
  });

  it('is started again after it is dropped as out of date', async () => {
    const { reading, waiting } = slowReads();
    const first = value(reading.get(0));
    waiting[0]?.end('old');
    await first;
    reading.forget();
    const second = value(reading.get(60_000));
    waiting[1]?.end('new');
    expect(await second).toBe('new');
  });

  it('has its place in the order of reads and writes', async () => {
    const order = new Order();
    const reading = new SharedReading(new VirtualClock(), order, async () => 'seen');
    const before = order.next();
    const seen = await reading.get(0);
    const after = order.next();
    expect(before < seen.order && seen.order < after).toBe(true);
  });
});
