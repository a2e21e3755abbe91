import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/basics/clock.ts';
import { Sequence, SharedRead } from '../../../src/vendors/shared/shared-read.ts';

/** Reads that the test ends explicitly. */
function manualReads() {
  const clock = new VirtualClock();
  const waiting: { end: (value: string) => void; fail: (reason: Error) => void }[] = [];
  let started = 0;
  const reading = new SharedRead(clock, new Sequence(), () => {
    started += 1;
    return new Promise<string>((end, fail) => waiting.push({ end, fail }));
  });
  return { clock, reading, waiting, started: () => started };
}

const value = async (result: Promise<{ value: string }>): Promise<string> => (await result).value;

describe('a shared read', () => {
  it('starts one read for all concurrent callers', async () => {
    const { reading, waiting, started } = manualReads();
    const all = [reading.get(0), reading.get(0), reading.get(5000)].map(value);
    waiting[0]?.end('seen');
    expect(await Promise.all(all)).toEqual(['seen', 'seen', 'seen']);
    expect(started()).toBe(1);
  });

  it('reuses a value until it is older than allowed, counted from the end of the read', async () => {
    const { clock, reading, waiting, started } = manualReads();
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

  it('starts a new read for a caller that accepts only a read started now', async () => {
    const { clock, reading, waiting } = manualReads();
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

  it('does not cache a failed read', async () => {
    const { reading, waiting } = manualReads();
    const failing = reading.get(0);
    waiting[0]?.fail(new Error('connection lost'));
    await expect(failing).rejects.toThrow('connection lost');
    const next = value(reading.get(60_000));
    waiting[1]?.end('better');
    expect(await next).toBe('better');
  });

  it('reads again after its value is forgotten', async () => {
    const { reading, waiting } = manualReads();
    const first = value(reading.get(0));
    waiting[0]?.end('old');
    await first;
    reading.forget();
    const second = value(reading.get(60_000));
    waiting[1]?.end('new');
    expect(await second).toBe('new');
  });

  it('numbers reads and writes in one sequence', async () => {
    const sequence = new Sequence();
    const reading = new SharedRead(new VirtualClock(), sequence, async () => 'seen');
    const before = sequence.next();
    const seen = await reading.get(0);
    const after = sequence.next();
    expect(before < seen.order && seen.order < after).toBe(true);
  });
});
