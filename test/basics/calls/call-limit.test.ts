import { beforeEach, describe, expect, it } from 'vitest';
import {
  callEndpoint,
  extendCallLimit,
  type LimitOptions,
  sharedWork,
  waitForShared,
  withCallLimit,
  withoutCallLimit,
} from '../../../src/basics/calls/call-limit.ts';
import { Endpoints } from '../../../src/basics/calls/endpoints.ts';
import { ServerStops, Silent, Unreachable } from '../../../src/basics/calls/unreachable.ts';
import { VirtualClock } from '../../../src/basics/clock.ts';

let clock: VirtualClock;
let stopping: AbortController;
let options: LimitOptions;
beforeEach(() => {
  clock = new VirtualClock();
  stopping = new AbortController();
  const endpoints = new Endpoints({ clock });
  options = { clock, ms: 10_000, stopping: stopping.signal, account: 'a', endpoints };
});

const cloud = { vendor: 'aws', host: 'ec2.example' };
const never = () => new Promise<never>(() => {});
const callNever = () => callEndpoint(cloud, never);

describe('work that calls a vendor', () => {
  it('fails when nobody answers in time, and says who did not', async () => {
    const work = withCallLimit(options, callNever);
    clock.advance(10_000);
    await expect(work).rejects.toThrow(new Unreachable('ec2.example did not answer within 10 seconds'));
  });

  it('aborts its calls, and can make no other one', async () => {
    let aborted = false;
    let later: Promise<unknown> = Promise.resolve();
    const work = withCallLimit(options, async () => {
      const call = callEndpoint(cloud, (signal) => {
        signal?.addEventListener('abort', () => (aborted = true));
        return never();
      });
      later = call.catch(() => callEndpoint({ vendor: 'aws', host: 'rds.example' }, async () => 'made'));
      return later;
    });
    clock.advance(10_000);
    await expect(work).rejects.toThrow(Unreachable);
    await expect(later).rejects.toThrow(Unreachable);
    expect(aborted).toBe(true);
  });

  it('goes on while it gets answers', async () => {
    const work = withCallLimit(options, async () => {
      for (let call = 0; call < 5; call += 1) {
        await callEndpoint(cloud, async () => 'an answer');
        clock.advance(9_000);
      }
      return 'done';
    });
    expect(await work).toBe('done');
  });

  it('may take longer for a call that is known to', async () => {
    let answer: (text: string) => void = () => {};
    const work = withCallLimit(options, () => {
      extendCallLimit(60_000);
      return callEndpoint(cloud, () => new Promise<string>((resolve) => (answer = resolve)));
    });
    clock.advance(59_000);
    answer('done');
    expect(await work).toBe('done');
  });

  it('ends soon after a stop, without a word about the vendor', async () => {
    const work = withCallLimit(options, callNever);
    stopping.abort();
    clock.advance(2_000);
    await expect(work).rejects.toThrow(ServerStops);
    expect(options.endpoints.count().size).toBe(0);
  });

  it('leaves work alone that it began and that goes on', async () => {
    let call: Promise<string> = Promise.resolve('');
    let answer: (text: string) => void = () => {};
    const work = withCallLimit(options, () => {
      call = withoutCallLimit(() =>
        callEndpoint(cloud, () => new Promise<string>((resolve) => (answer = resolve))),
      );
      return never();
    });
    clock.advance(10_000);
    await expect(work).rejects.toThrow(Unreachable);
    answer('later');
    expect(await call).toBe('later');
  });
});

describe('work that several wait for', () => {
  /** Takes this long, with an answer every nine seconds. */
  const slowList = async (pages: number) => {
    for (let page = 0; page < pages; page += 1) {
      await callEndpoint(cloud, async () => 'a page');
      clock.advance(9_000);
      await Promise.resolve();
    }
    return 'a list';
  };

  it('ends neither with the work that began it nor that of those who wait, while it gets answers', async () => {
    let start = () => {};
    const started = new Promise<void>((resolve) => (start = resolve));
    let list = Promise.resolve('');
    const first = withCallLimit(options, async () => {
      list = sharedWork(async () => {
        await started;
        return slowList(5);
      });
      return waitForShared(list);
    });
    const second = withCallLimit({ ...options, isPatient: true }, () => waitForShared(list));
    start();
    await expect(first).rejects.toThrow(Unreachable);
    expect(await second).toBe('a list');
  });
});

it('after a call without an answer, the next work fails at once', async () => {
  const work = withCallLimit(options, callNever);
  clock.advance(10_000);
  await expect(work).rejects.toThrow(Unreachable);
  await expect(withCallLimit(options, callNever)).rejects.toThrow(Silent);
});
