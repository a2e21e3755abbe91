import { expect, it } from 'vitest';
import type { Bucket, Fleet, FleetStack } from './fleet.ts';

/** What a cloud shows, counted there and not by Almanac. */
interface CountedCloud {
  networks(): Promise<number>;
  /** The stack of each server, from its tag, in any order. */
  serverOwners(): Promise<string[]>;
  /** Everything that was not there before the first stack. */
  leftovers(): Promise<string[]>;
  /** The ids of all stacks that were ever created there, in any order: one twice was created twice. */
  created(): Promise<string[]>;
}

interface KilledLife {
  stacks: readonly FleetStack[];
  /** Called when a test runs: hooks start them. */
  fleet: () => Fleet;
  cloud: () => CountedCloud;
  /** Runs when all stacks have ended a phase of their lives. */
  report: (phase: 'creation' | 'update' | 'deletion') => void | Promise<void>;
}

/** Only a hang reaches it: stacks that are stuck fail earlier. */
const timeout = 3_600_000;

/** Simulators and rate limits slow down with the number of stacks in a region. */
export const spread = (buckets: readonly Bucket[], total: number): FleetStack[] =>
  Array.from({ length: total }, (_, number) => {
    const bucket = buckets[number % buckets.length] as Bucket;
    return { number, bucket, stackId: '' };
  });

/** Declares three tests: all stacks are created, updated and deleted, with the server killed ten times. */
export function killedLife({ stacks, fleet, cloud, report }: KilledLife): void {
  const total = stacks.length;
  const moments = (shares: readonly number[]): number[] => shares.map((share) => Math.ceil(share * total));
  const expectServers = async (each: number): Promise<void> => {
    const wanted = stacks.flatMap(({ stackId }) => Array.from({ length: each }, () => stackId));
    expect((await cloud().serverOwners()).toSorted()).toEqual(wanted.toSorted());
  };
  // One test uses what the test before it made, so that a repetition of one alone shows nothing.
  const options = { timeout, retry: 0 };

  it('all stacks are created, with the server killed four times', options, async () => {
    fleet().killAt('CreateStack', moments([0.1, 0.35, 0.6, 0.85]));
    await fleet().forEach(stacks, fleet().create);
    await fleet().waitUntil({ CREATE_COMPLETE: total });
    expect(await cloud().networks()).toBe(total);
    await expectServers(1);
    await report('creation');
  });

  it('all stacks are updated, with the server killed three times', options, async () => {
    fleet().killAt('UpdateStack', moments([0.15, 0.5, 0.85]));
    await fleet().forEach(stacks, fleet().update);
    await fleet().waitUntil({ UPDATE_COMPLETE: total });
    expect(await cloud().networks()).toBe(total);
    await expectServers(2);
    await report('update');
  });

  it(
    'all stacks are deleted, with the server killed three times, without leftovers, duplicates or stuck stacks',
    options,
    async () => {
      fleet().killAt('DeleteStack', moments([0.15, 0.5, 0.85]));
      await fleet().forEach(stacks, fleet().remove);
      await fleet().waitUntil({});
      expect(fleet().kills).toBe(10);
      await report('deletion');
      expect(await cloud().leftovers()).toEqual([]);
      expect((await cloud().created()).toSorted()).toEqual(stacks.map(({ stackId }) => stackId).toSorted());
    },
  );
}
