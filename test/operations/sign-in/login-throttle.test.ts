import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import type { Failure } from '../../../src/basics/failure.ts';
import { KeyedMutex } from '../../../src/operations/keyed-mutex.ts';
import type { Service } from '../../../src/operations/service.ts';
import { codeRequired } from '../../../src/operations/sign-in/check-code.ts';
import { codePace, passwordPace } from '../../../src/operations/sign-in/login-pace.ts';
import { checkThrottled } from '../../../src/operations/sign-in/login-throttle.ts';
import { eventually } from '../../http.ts';
import { World } from '../../world.ts';

let world: World;
let checks: number;
let timers: MockInstance<World['clock']['after']>;
beforeEach(async () => {
  world = await World.open();
  checks = 0;
  timers = vi.spyOn(world.clock, 'after');
});
afterEach(() => world.close());

type Outcome = 'right' | 'wrong' | number;

/** Another server on the same database, or this one after a restart. */
const otherServer = (): Service => ({ ...world.service, loginMutex: new KeyedMutex() });

async function attempt(
  address: string,
  isRight: boolean,
  { subject = 'user ann', service = world.service, pace = passwordPace } = {},
): Promise<Outcome> {
  try {
    const found = await checkThrottled(service, { subject, address, pace }, async () => {
      checks += 1;
      return isRight ? 'ann' : undefined;
    });
    return found ? 'right' : 'wrong';
  } catch (error) {
    return (error as Failure).retryAfter ?? 0;
  }
}

/** The n-th of many addresses. */
const bot = (n: number): string => `198.18.${n >> 8}.${n & 255}`;
const guess = (address: string, service = world.service) => attempt(address, false, { service });
const signIn = (address: string) => attempt(address, true);

/** Uses up the burst with one guess from each of a hundred addresses. */
const attackFromEverywhere = async () => {
  for (let each = 0; each < 100; each += 1) expect(await guess(bot(each))).toBe('wrong');
};

/** Until so many attempts wait for their turn. */
const untilWaiting = (count: number) =>
  eventually(
    async () => timers.mock.calls.length,
    (found) => found >= count,
  );

describe('guessing from one address', () => {
  it('is blocked after five failures, then twice as long after each further one', async () => {
    for (let each = 0; each < 5; each += 1) expect(await guess('192.0.2.1')).toBe('wrong');
    for (const seconds of [2, 4, 8, 16]) {
      expect(await signIn('192.0.2.1')).toBe(seconds);
      world.clock.advance(seconds * 1000);
      expect(await guess('192.0.2.1')).toBe('wrong');
    }
  });

  it('counts a whole IPv6 /64 network as one address', async () => {
    for (let each = 1; each <= 5; each += 1) await guess(`2001:db8:1:2::${each}`);
    expect(await signIn('2001:db8:1:2:ffff::1')).toBe(2);
    expect(await signIn('2001:db8:1:3::1')).toBe('right');
  });

  it('gains nothing from several servers: after the free attempts one attempt per block is checked', async () => {
    const servers = [world.service, otherServer(), otherServer(), otherServer()];
    for (let each = 0; each < 5; each += 1) await guess('192.0.2.1');
    for (const seconds of [2, 4, 8]) {
      world.clock.advance(seconds * 1000);
      checks = 0;
      await Promise.all(servers.map((service) => guess('192.0.2.1', service)));
      expect(checks).toBe(1);
    }
  });

  it('stays blocked after a restart', async () => {
    for (let each = 0; each < 5; each += 1) await guess('192.0.2.1');
    expect(await attempt('192.0.2.1', true, { service: otherServer() })).toBe(2);
  });
});

describe('the right password without a code', () => {
  const askForCode = (address: string) =>
    checkThrottled(world.service, { subject: 'user ann', address }, () => Promise.reject(codeRequired()));

  it('neither extends the block of the address nor resets its failures', async () => {
    for (let each = 0; each < 5; each += 1) await guess('192.0.2.1');
    world.clock.advance(2_000);
    for (let each = 0; each < 3; each += 1)
      await expect(askForCode('192.0.2.1')).rejects.toThrow('A one-time code is required');
    expect(await guess('192.0.2.1')).toBe('wrong');
    expect(await signIn('192.0.2.1')).toBe(4);
  });

  it('uses up no attempt of other addresses', async () => {
    for (let each = 0; each < 100; each += 1)
      await expect(askForCode('192.0.2.1')).rejects.toThrow('A one-time code is required');
    expect(await guess('192.0.2.2')).toBe('wrong');
    expect(timers).not.toHaveBeenCalled();
  });
});

describe('guessing from many addresses', () => {
  it('does not delay or block an address from which the user signed in within 30 days', async () => {
    expect(await signIn('192.0.2.1')).toBe('right');
    world.clock.advance(29 * 86_400_000);
    await attackFromEverywhere();
    const waiting = [guess(bot(200)), guess(bot(201)), guess(bot(202))];
    await untilWaiting(waiting.length);
    expect(await signIn('192.0.2.1')).toBe('right');
    world.clock.advance(15_000);
    expect(await Promise.all(waiting)).toEqual(['wrong', 'wrong', 'wrong']);
  });

  it('slows the first sign-in from a new address by seconds, and does not refuse it', async () => {
    await attackFromEverywhere();
    let outcome: Outcome | undefined;
    const signedIn = signIn('192.0.2.1').then((result) => (outcome = result));
    await untilWaiting(1);
    world.clock.advance(2_900);
    expect(outcome).toBeUndefined();
    world.clock.advance(100);
    expect(await signedIn).toBe('right');
  });

  it('delays every attempt of unknown addresses by at most 15 seconds, on all servers, and refuses none', async () => {
    await attackFromEverywhere();
    const servers = [world.service, otherServer()];
    const guesses = Array.from({ length: 60 }, (_, each) => guess(bot(300 + each), servers[each % 2]));
    const user = signIn('192.0.2.1');
    await untilWaiting(61);
    expect(checks).toBe(100);
    world.clock.advance(15_000);
    expect(await user).toBe('right');
    expect(await Promise.all(guesses)).toEqual(Array(60).fill('wrong'));
  });

  it('at a code of six digits is refused after twenty failures, then once a minute on all servers', async () => {
    const guessCode = (each: number, service: Service) =>
      attempt(bot(each), false, { subject: 'code of ann', service, pace: codePace });
    const servers = [world.service, otherServer()];
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, (_, each) => guessCode(each, servers[each % 2] ?? world.service)),
    );
    expect(outcomes.filter((outcome) => outcome === 'wrong')).toHaveLength(20);
    world.clock.advance(60_000);
    expect(await guessCode(100, world.service)).toBe('wrong');
    expect(await guessCode(101, world.service)).toBe(60);
  });

  it('is not blocked for other users', async () => {
    await attackFromEverywhere();
    expect(await attempt('192.0.2.1', true, { subject: 'user ben' })).toBe('right');
  });

  it('is allowed at full speed again when it paused for five minutes', async () => {
    await attackFromEverywhere();
    world.clock.advance(300_000);
    await attackFromEverywhere();
  });
});

describe('stored failures', () => {
  const countRows = async () =>
    Number(
      (
        await world.database.query
          .selectFrom('login_failures')
          .select((select) => select.fn.countAll().as('rows'))
          .executeTakeFirstOrThrow()
      ).rows,
    );

  it('are at most about twenty thousand, the latest, whatever names are guessed', async () => {
    const now = world.clock.now();
    const old = Array.from({ length: 25_000 }, (_, each) => ({
      subject: `row ${each}`,
      failures: 1,
      blocked_until: 0,
      noted_at: now - 30_000 + each,
    }));
    for (let from = 0; from < old.length; from += 500)
      await world.database.query
        .insertInto('login_failures')
        .values(old.slice(from, from + 500))
        .execute();
    for (let each = 0; each < 100; each += 1) await attempt('192.0.2.1', false, { subject: `user ${each}` });
    expect(await countRows()).toBeLessThanOrEqual(20_200);
    const kept = await world.database.query.selectFrom('login_failures').select('subject').execute();
    const subjects = new Set(kept.map(({ subject }) => subject));
    expect([subjects.has('row 24999'), subjects.has('row 0')]).toEqual([true, false]);
  });

  const fill = async (count: number, blockedUntil: (each: number) => number) => {
    const rows = Array.from({ length: count }, (_, each) => ({
      subject: `row ${each}`,
      failures: 5,
      blocked_until: blockedUntil(each),
      noted_at: world.clock.now() + 1,
    }));
    for (let from = 0; from < count; from += 500)
      await world.database.query
        .insertInto('login_failures')
        .values(rows.slice(from, from + 500))
        .execute();
  };
  const failWithManyNames = async () => {
    for (let each = 0; each < 100; each += 1) await attempt('192.0.2.9', false, { subject: `user ${each}` });
  };

  it('of a blocked address are kept however many names are guessed', async () => {
    for (let each = 0; each < 5; each += 1) await guess('192.0.2.1');
    await fill(25_000, () => 0);
    await failWithManyNames();
    expect(await signIn('192.0.2.1')).toBe(2);
    expect(await countRows()).toBeLessThanOrEqual(20_200);
  });

  it('are bounded even if all are blocked: those whose block ends first are deleted', async () => {
    const now = world.clock.now();
    await fill(25_000, (each) => now + 60_000 + each);
    await failWithManyNames();
    expect(await countRows()).toBeLessThanOrEqual(20_200);
    const kept = await world.database.query.selectFrom('login_failures').select('subject').execute();
    const subjects = new Set(kept.map(({ subject }) => subject));
    expect([subjects.has('row 24999'), subjects.has('row 0')]).toEqual([true, false]);
  });

  it('are deleted a day after the last failure', async () => {
    await guess('192.0.2.1');
    world.clock.advance(86_500_000);
    for (let each = 0; each < 100; each += 1) await attempt('192.0.2.1', false, { subject: `user ${each}` });
    expect(await countRows()).toBe(200);
  });
});
