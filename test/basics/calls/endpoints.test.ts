import { beforeEach, describe, expect, it } from 'vitest';
import { type EndpointChange, Endpoints } from '../../../src/basics/calls/endpoints.ts';
import { isSilence } from '../../../src/basics/calls/is-silence.ts';
import { VirtualClock } from '../../../src/basics/clock.ts';

let clock: VirtualClock;
let changes: EndpointChange[];
let endpoints: Endpoints;
beforeEach(() => {
  clock = new VirtualClock();
  changes = [];
  endpoints = new Endpoints({ clock, onChange: (change) => changes.push(change) });
});

const target = (account: string) => ({ vendor: 'aws', host: 'ec2.example', account });
const isAsked = (account: string): boolean => {
  try {
    endpoints.enter(target(account));
    return true;
  } catch {
    return false;
  }
};

describe('an address that does not answer', () => {
  it('is not asked again before a pause, and the error says since when and until when', () => {
    endpoints.enter(target('a'));
    endpoints.failed(target('a'));
    expect(() => endpoints.enter(target('a'))).toThrow(
      'ec2.example has not answered since 00:00:00 UTC; it is asked again at 00:00:02 UTC',
    );
    expect(endpoints.count()).toEqual(new Map([['aws', 1]]));
    expect(changes).toEqual([{ ...target('a'), isSilent: true, isShared: false }]);
  });

  it('is asked by one caller after the pause, while the others still fail at once', () => {
    endpoints.failed(target('a'));
    clock.advance(2_000);
    expect([isAsked('a'), isAsked('a')]).toEqual([true, false]);
  });

  it('gets a longer pause after each attempt, up to a minute', () => {
    const pauses = Array.from({ length: 8 }, () => {
      endpoints.failed(target('a'));
      for (let seconds = 1; ; seconds += 1) {
        clock.advance(1_000);
        if (isAsked('a')) return seconds;
      }
    });
    expect(pauses).toEqual([2, 4, 8, 16, 32, 60, 60, 60]);
  });

  it('gets no longer pause for calls that began before its silence was known', () => {
    for (let call = 0; call < 5; call += 1) endpoints.failed(target('a'));
    clock.advance(2_000);
    expect(isAsked('a')).toBe(true);
  });

  it('is asked as before when the attempt is answered', () => {
    endpoints.failed(target('a'));
    clock.advance(2_000);
    endpoints.enter(target('a'));
    endpoints.answered(target('a'));
    expect([isAsked('a'), isAsked('a')]).toEqual([true, true]);
    expect(changes.at(-1)).toMatchObject({ isSilent: false });
    expect(endpoints.count().size).toBe(0);
  });

  it('may be asked by the next caller if the attempt ended before it was clear', () => {
    endpoints.failed(target('a'));
    clock.advance(2_000);
    endpoints.enter(target('a'));
    endpoints.unclear(target('a'));
    expect(isAsked('a')).toBe(true);
  });

  it('is asked again after one connection that could not be made at once, and not after two', () => {
    endpoints.failed(target('a'), false);
    expect(isAsked('a')).toBe(true);
    expect([changes, endpoints.count().size]).toEqual([[], 0]);
    endpoints.failed(target('a'), false);
    expect(isAsked('a')).toBe(false);
    expect(changes).toMatchObject([{ isSilent: true }]);
  });

  it('is forgotten when nobody asks for long', () => {
    endpoints.failed(target('a'));
    clock.advance(700_000);
    expect(endpoints.count().size).toBe(0);
  });
});

describe('the silence that one account meets', () => {
  it('keeps no other account from asking', () => {
    for (let call = 0; call < 20; call += 1) {
      endpoints.failed(target('a'));
      clock.advance(61_000);
    }
    expect(isAsked('b')).toBe(true);
  });

  it('is not everybody’s when another account was answered between two failures', () => {
    endpoints.failed(target('a'));
    clock.advance(1_000);
    endpoints.answered(target('c'));
    clock.advance(1_000);
    endpoints.failed(target('b'));
    expect([isAsked('b'), isAsked('c')]).toEqual([false, true]);
  });

  it('is everybody’s when a second account meets it, and ends for everybody with one answer', () => {
    endpoints.failed(target('a'));
    endpoints.failed(target('b'));
    expect(isAsked('c')).toBe(false);
    clock.advance(2_000);
    expect([isAsked('c'), isAsked('a')]).toEqual([true, false]);
    endpoints.answered(target('c'));
    expect([isAsked('a'), isAsked('b'), isAsked('c')]).toEqual([true, true, true]);
  });
});

describe('an error', () => {
  const withCode = (code: string) => Object.assign(new Error(code), { code });

  it.each(['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT'])('%s is silence, also as a cause', (code) => {
    expect(isSilence(withCode(code))).toBe(true);
    expect(isSilence(new TypeError('fetch failed', { cause: withCode(code) }))).toBe(true);
  });

  it.each([withCode('ECONNRESET'), withCode('AccessDenied'), new TypeError('a bug'), 'a text'])(
    '%s is none: the next attempt may be answered',
    (error) => {
      expect(isSilence(error)).toBe(false);
    },
  );
});
