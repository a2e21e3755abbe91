import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/basics/clock.ts';
import { Sequence, SharedRead } from '../../../src/vendors/shared/shared-read.ts';

/** Readings that end when they are told to. */
function slowReadings() {
  const clock = new VirtualClock();
  const waiting: { end: (value: string) => void; fail: (reason: Error) => void }[] = [];
  let begun = 0;
  const reading = new SharedRead(clock, new Sequence(), () => {
    begun += 1;
    return new Promise<string>((end, fail) => waiting.push({ end, fail }));
  });
  return { clock, reading, waiting, begun: () => begun };
}

const value = async (got: Promise<{ value: string }>): Promise<string> => (await got).value;

describe('a shared reading', () => {
  it('is one for all who ask while it is under way', async () => {
    const { reading, waiting, begun } = slowReadings();
    const all = [reading.get(0), reading.get(0), reading.get(5000)].map(value);
    waiting[0]?.end('seen');
    expect(await Promise.all(all)).toEqual(['seen', 'seen', 'seen']);
    expect(begun()).toBe(1);
  });

  it('serves until it is older than allowed, counted from its end', async () => {
    const { clock, reading, waiting, begun } = slowReadings();
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
    expect(begun()).toBe(2);
  });

  it('that began before is not waited for by who wants none but a new one', async () => {
    const { clock, reading, waiting } = slowReadings();
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

  it('is not kept when it fails', async () => {
    const { reading, waiting } = slowReadings();
    const failing = reading.get(0);
    waiting[0]?.fail(new Error('no way'));
    await expect(failing).rejects.toThrow('no way');
    const next = value(reading.get(60_000));
    waiting[1]?.end('better');
    expect(await next).toBe('better');
  });

  it('is begun anew once it is known to be out of date', async () => {
    const { reading, waiting } = slowReadings();
    const first = value(reading.get(0));
    waiting[0]?.end('old');
    await first;
    reading.forget();
    const second = value(reading.get(60_000));
    waiting[1]?.end('new');
    expect(await second).toBe('new');
  });

  it('has an order among the writings', async () => {
    const order = new Sequence();
    const reading = new SharedRead(new VirtualClock(), order, async () => 'seen');
    const before = order.next();
    const seen = await reading.get(0);
    const after = order.next();
    expect(before < seen.order && seen.order < after).toBe(true);
  });
});
