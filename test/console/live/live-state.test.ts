import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { expectStream, forgetStream, heard, livenessAt, lost } from '../../../src/console/live/live-state.ts';

const second = 1000;

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  expectStream('stacks');
  expectStream('stack a');
});

afterEach(() => {
  forgetStream('stacks');
  forgetStream('stack a');
  vi.useRealTimers();
});

const pass = (milliseconds: number): number => {
  vi.setSystemTime(Date.now() + milliseconds);
  return Date.now();
};

describe('a page that uses two streams', () => {
  it('is live only when both were heard', () => {
    heard('stacks');
    expect(livenessAt(0)).toEqual({ state: 'reconnecting' });
    heard('stack a');
    expect(livenessAt(0)).toEqual({ state: 'live' });
  });

  it('is stopped when one of them is, however lively the other', () => {
    heard('stack a');
    pass(second);
    lost('stack a');
    const time = pass(60 * second);
    heard('stacks');
    expect(livenessAt(time)).toEqual({ state: 'stopped', since: 0 });
  });

  it('names the time of the stream that stopped first', () => {
    heard('stacks');
    pass(5 * second);
    heard('stack a');
    expect(livenessAt(pass(60 * second))).toEqual({ state: 'stopped', since: 0 });
  });

  it('does not depend on a stream that it uses no more', () => {
    heard('stacks');
    forgetStream('stack a');
    lost('stack a');
    expect(livenessAt(0)).toEqual({ state: 'live' });
  });
});

it('a page without a stream is not live', () => {
  forgetStream('stacks');
  forgetStream('stack a');
  expect(livenessAt(0)).toEqual({ state: 'off' });
});
