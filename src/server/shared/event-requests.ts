import type { Static } from 'typebox';
import type * as contract from '../../contract/v3/stacks.ts';
import type { Actor } from '../../operations/access/access.ts';
import type { Service } from '../../operations/service.ts';
import { readEvents } from '../../operations/stacks/read/describe-stack.ts';
import { estimateStack } from '../../operations/stacks/read/estimate.ts';
import { followEvents } from '../../operations/stacks/read/follow-events.ts';
import { eventStream } from './event-stream.ts';
import { presentEstimate, presentEvent } from './present-stack.ts';

type Language = 'v2' | 'v3';

interface Asked<Route extends { query: unknown }> {
  actor: Actor;
  params: { stack_id: string };
  query: Static<Extract<Route['query'], object>>;
}

const eventsPerPage = 1000;

/** What happens to a stack is asked for in both versions of the interface, each of its own stacks. */

export async function answerEvents(
  service: Service,
  language: Language,
  { actor, params, query }: Asked<typeof contract.listEvents>,
) {
  const page = { after: query.after ?? 0, limit: query.limit ?? eventsPerPage };
  const events = await readEvents(service, actor, { stackId: params.stack_id, language, ...page });
  return events.map(presentEvent);
}

export async function answerEventStream(
  service: Service,
  language: Language,
  asked: Asked<typeof contract.followEvents> & { headers: { 'last-event-id'?: string } },
) {
  const { actor, params, query, headers } = asked;
  const last = headers['last-event-id'] ?? '';
  // Whatever a client made of it: only a number was ever given.
  const after = /^\d{1,15}$/.test(last) ? Number(last) : (query.after ?? 0);
  const hungUp = new AbortController();
  const signal = AbortSignal.any([hungUp.signal, service.stopping]);
  const batches = await followEvents(service, actor, { stackId: params.stack_id, language, after, signal });
  return eventStream(batches, () => hungUp.abort());
}

export async function answerEstimate(
  service: Service,
  language: Language,
  { actor, params, query }: Asked<typeof contract.estimateStack>,
) {
  const request = { stackId: params.stack_id, language, operation: query.operation };
  return presentEstimate(await estimateStack(service, actor, request));
}
