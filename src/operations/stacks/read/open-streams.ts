import type { Service } from '../../service.ts';
import { AccountFeeds } from './account/account-feeds.ts';
import { EventFeed } from './event-feed.ts';
import { StreamSlots } from './stream-slots.ts';

/** The open streams of a server. All kinds of them share the limits. */
interface OpenStreams {
  events: EventFeed;
  stacks: AccountFeeds;
  slots: StreamSlots;
}

const streamsByService = new WeakMap<Service, OpenStreams>();

export const streamsOf = (service: Service): OpenStreams => {
  const streams = streamsByService.get(service) ?? {
    events: new EventFeed(service),
    stacks: new AccountFeeds(service),
    slots: new StreamSlots(service),
  };
  streamsByService.set(service, streams);
  return streams;
};
