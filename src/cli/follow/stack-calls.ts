import type { IncomingMessage } from 'node:http';
import type { SuccessOf } from '../../contract/route.ts';
import type {
  describeV2Stack,
  estimateV2Stack,
  followV2Events,
  listV2Events,
} from '../../contract/v2/stacks.ts';
import type { listRollouts } from '../../contract/v3/rollouts.ts';
import type { describeStack, estimateStack, followEvents, listEvents } from '../../contract/v3/stacks.ts';
import type { Context } from '../command.ts';
import { ApiError } from '../net/api-error.ts';

export type StackEvent = SuccessOf<typeof listEvents>[number];
export type Estimate = SuccessOf<typeof estimateStack>;
export type Rollout = SuccessOf<typeof listRollouts>['rollouts'][number];
type Described = SuccessOf<typeof describeStack>;

/** Current state of a stack, as far as a wait needs it. */
export interface StackState {
  status: string;
  /** Reason of a failure; may be empty. */
  reason: string;
  /** The current version; v2 does not report it. */
  versionId?: string | undefined;
  /** Unknown of a stack that is gone. */
  nickname?: string | undefined;
  outputs: readonly { OutputKey: string; OutputValue: string }[];
  configuration?: object | undefined;
  /** What v2 and older servers do not say. */
  health?: Described['health'] | undefined;
  healthReason?: string | undefined;
  doing?: Described['doing'] | undefined;
  doingReason?: string | undefined;
}

const eventsPerPage = 1000;

/** Calls for one stack, in the API version of the command. */
export class StackCalls {
  readonly #context: Pick<Context, 'api' | 'version'>;
  readonly #params: { stack_id: string };
  readonly #signal: AbortSignal;

  constructor(context: Pick<Context, 'api' | 'version'>, stackId: string, signal: AbortSignal) {
    this.#context = context;
    this.#params = { stack_id: stackId };
    this.#signal = signal;
  }

  async describe(): Promise<StackState> {
    const { api, version } = this.#context;
    const input = { params: this.#params, signal: this.#signal };
    if (version === 'v3') {
      const { body } = await api.call<typeof describeStack>('GET', '/v3/alm/stack/{stack_id}', input);
      return { ...commonOf(body), ...applicationOf(body), versionId: body.version_id };
    }
    const { body } = await api.call<typeof describeV2Stack>('GET', '/v2/alm/stack/{stack_id}', input);
    const [stack] = body;
    if (!stack) throw new Error('The service returned an empty stack description');
    return commonOf(stack);
  }

  /** The newest rollouts of both API versions. Older servers have none. */
  async rollouts(): Promise<readonly Rollout[]> {
    const input = { params: this.#params, signal: this.#signal };
    try {
      const path = '/v3/alm/stack/{stack_id}/rollouts';
      const { body } = await this.#context.api.call<typeof listRollouts>('GET', path, input);
      return body.rollouts ?? [];
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return [];
      throw error;
    }
  }

  /** All events after this number, from all pages. */
  async events(after: number): Promise<StackEvent[]> {
    const found: StackEvent[] = [];
    for (;;) {
      const page = await this.#page(found.at(-1)?.event_id ?? after);
      found.push(...page);
      // A page without newer events is the last one, even when it is full.
      const last = found.at(-1)?.event_id ?? after;
      if (page.length < eventsPerPage || last <= after) return found;
    }
  }

  /** Server-sent events: those after this number, then new ones as they happen. */
  stream(after: number): Promise<IncomingMessage> {
    const { api, version } = this.#context;
    const headers = { 'last-event-id': String(after) };
    const input = { params: this.#params, headers, signal: this.#signal };
    return version === 'v3'
      ? api.stream<typeof followEvents>('GET', '/v3/alm/stack/{stack_id}/events/stream', input)
      : api.stream<typeof followV2Events>('GET', '/v2/alm/stack/{stack_id}/events/stream', input);
  }

  async estimate(): Promise<Estimate> {
    const { api, version } = this.#context;
    const input = { params: this.#params, signal: this.#signal };
    const reply =
      version === 'v3'
        ? await api.call<typeof estimateStack>('GET', '/v3/alm/stack/{stack_id}/estimate', input)
        : await api.call<typeof estimateV2Stack>('GET', '/v2/alm/stack/{stack_id}/estimate', input);
    return reply.body;
  }

  async #page(after: number): Promise<StackEvent[]> {
    const { api, version } = this.#context;
    const input = { params: this.#params, query: { after, limit: eventsPerPage }, signal: this.#signal };
    const reply =
      version === 'v3'
        ? await api.call<typeof listEvents>('GET', '/v3/alm/stack/{stack_id}/events', input)
        : await api.call<typeof listV2Events>('GET', '/v2/alm/stack/{stack_id}/events', input);
    return reply.body;
  }
}

const commonOf = (stack: {
  nickname: string;
  stack_status: string;
  stack_status_reason: string;
  stack_outputs: StackState['outputs'];
  configuration: object;
}): StackState => ({
  nickname: stack.nickname,
  status: stack.stack_status,
  reason: stack.stack_status_reason,
  outputs: stack.stack_outputs,
  configuration: stack.configuration,
});

const applicationOf = (stack: Described): Partial<StackState> => ({
  health: stack.health,
  healthReason: stack.health_reason,
  doing: stack.doing,
  doingReason: stack.doing_reason,
});
