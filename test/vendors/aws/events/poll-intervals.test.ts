import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../../src/basics/clock.ts';
import type { EventQueue } from '../../../../src/vendors/aws/events/event-queue.ts';
import { observe } from '../../../../src/vendors/aws/observe.ts';
import { makeRegion } from '../../../../src/vendors/aws/region.ts';
import { cannedClients, cannedStack, cannedWorld } from '../canned-clients.ts';

const id = 'mo-1-a-tk';
const pollMs = 5000;

interface Queue {
  works: boolean;
  heardJustNow: boolean;
}

/** When a stack in this status is looked at again. */
async function nextLook(StackStatus: string, queue?: Queue): Promise<number | undefined> {
  const clock = new VirtualClock(6_000_000);
  const stack = cannedStack(id, {}, { StackStatus, CreationTime: new Date(clock.now()) });
  const found: Pick<EventQueue, 'receiveWith' | 'mayWait' | 'heardJustNow'> = {
    receiveWith: () => {},
    mayWait: () => queue?.works === true && !queue.heardJustNow,
    heardJustNow: () => queue?.heardJustNow === true,
  };
  const region = makeRegion({
    name: 'eu-west-1',
    clients: cannedClients(cannedWorld({ stacks: [stack] })),
    clock,
    role: null,
    pollMs,
    eventQueueOf: () => (queue ? (found as EventQueue) : undefined),
  });
  const seen = await observe(region, { id, accountId: 'account', region: 'eu-west-1' });
  return seen.kind === 'busy' || seen.kind === 'settled' ? seen.lookAgainMs : undefined;
}

describe('the next look at a stack', () => {
  it.each([
    ['a changing stack without a queue is after the poll interval', 'CREATE_IN_PROGRESS', undefined, pollMs],
    [
      'a changing stack whose queue does not work is after the poll interval',
      'UPDATE_IN_PROGRESS',
      { works: false, heardJustNow: false },
      pollMs,
    ],
    [
      'a changing stack whose queue works is after twelve poll intervals, in case an event is lost',
      'CREATE_IN_PROGRESS',
      { works: true, heardJustNow: false },
      12 * pollMs,
    ],
    [
      'a changing stack that may have been read before an event is after the poll interval',
      'CREATE_IN_PROGRESS',
      { works: true, heardJustNow: true },
      pollMs,
    ],
    [
      'an idle stack is left to the survey of all stacks, with a queue too',
      'CREATE_COMPLETE',
      { works: true, heardJustNow: false },
      undefined,
    ],
    [
      'an idle stack that may have been read before an event is after the poll interval',
      'CREATE_COMPLETE',
      { works: true, heardJustNow: true },
      pollMs,
    ],
  ])('at %s', async (_, status, queue, expected) => {
    expect(await nextLook(status, queue)).toBe(expected);
  });
});
