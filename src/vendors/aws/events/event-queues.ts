import type { EventQueueAddress } from '../../../basics/config/aws.ts';
import { EventQueue, type EventTools } from './event-queue.ts';
import { placeOf } from './parse-event.ts';

/** Finds the queue with events about the stack that has this ARN. */
export type FindEventQueue = (arn: string) => EventQueue | undefined;

export interface EventQueueParts extends EventTools {
  addresses: readonly EventQueueAddress[];
  /** A read of a stack is not used for longer than this after it started, unless the read itself takes long. */
  delayMs: number;
}

export function openEventQueues({ addresses, delayMs, ...tools }: EventQueueParts): FindEventQueue {
  const queues = addresses.map((address) => new EventQueue(address, delayMs, tools));
  return (arn) => {
    const place = queues.length > 0 ? placeOf(arn) : undefined;
    return queues.find(
      ({ address }) => address.region === place?.region && address.account === place.account,
    );
  };
}
