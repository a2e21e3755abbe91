import { backOff } from '../../../basics/back-off.ts';
import { withoutCallLimit } from '../../../basics/calls/call-limit.ts';
import type { Clock } from '../../../basics/clock.ts';
import type { EventQueueAddress } from '../../../basics/config/aws.ts';
import { pause } from '../../../basics/pause.ts';
import type { Clients } from '../clients.ts';
import { errorName, observeAws } from '../errors.ts';
import { parseEvent } from './parse-event.ts';

export interface EventTools {
  clock: Clock;
  stopping: AbortSignal;
  /** Schedules a look at a stack, if there is one of this id in the region. */
  lookAt: (stack: { id: string; region: string; at: number }) => Promise<void>;
  /** Receiving began to fail, with the reason and what to do, or (without a reason) works again. */
  report: (queueUrl: string, reason?: string) => void;
}

/** Shorter than the timeout of requests. */
const waitSeconds = 15;
const retry = { first: 5_000, max: 300_000 };
/** Longer than the poll interval of idle stacks. A key with which no stack is read any more is not used any more. */
const keyExpiresMs = 900_000;

const isMissing = (error: unknown): boolean => /QueueDoesNotExist|NonExistentQueue/.test(errorName(error));

/** What went wrong and what to do. A missing permission already says so. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  return isMissing(error.cause)
    ? `${error.message} Create the queue from docs/vendors/aws-events.yaml, or remove its URL from ALM_AWS_EVENT_QUEUES.`
    : error.message;
}

/**
 * Events about the stacks of one AWS account in one region. An event says only that a stack should be looked at. If events
 * arrive, changing stacks are polled less often.
 */
export class EventQueue {
  readonly address: EventQueueAddress;
  readonly #tools: EventTools;
  /** A look sooner after an event may use a cached read from before it. */
  readonly #delayMs: number;
  #key: { clients: Clients; usedAt: number } | undefined;
  #failures = 0;
  #lastEventAt: number | undefined;
  /** Stacks that wait for events, with the time of the poll that ends their wait. All wait equally long: the soonest is first. */
  readonly #waiting = new Map<string, number>();

  constructor(address: EventQueueAddress, delayMs: number, tools: EventTools) {
    this.address = address;
    this.#delayMs = delayMs;
    this.#tools = tools;
  }

  /** Receives with this key, which has just read a stack of the account, unless another key already does. */
  receiveWith(clients: Clients): void {
    const isNew = this.#key === undefined;
    if (isNew || this.#failures > 0 || this.#key?.clients === clients)
      this.#key = { clients, usedAt: this.#tools.clock.now() };
    if (isNew) void withoutCallLimit(() => this.#run());
  }

  /**
   * Whether a changing stack may wait for an event. Only if receiving works and an event has arrived, which shows that
   * the rule works. Not right after an event: the stack may have been read before it. `forMs`: until it is polled anyway.
   */
  mayWait(stackId: string, forMs: number): boolean {
    const works = this.#failures === 0 && this.#lastEventAt !== undefined && !this.heardJustNow();
    this.#forgetPolled();
    this.#waiting.delete(stackId);
    if (works) this.#waiting.set(stackId, this.#tools.clock.now() + forMs);
    return works;
  }

  /** Another server may have received the event of a stack, or polled it, so no call here would end its wait. */
  #forgetPolled(): void {
    for (const [id, polledAt] of this.#waiting) {
      if (polledAt > this.#tools.clock.now()) return;
      this.#waiting.delete(id);
    }
  }

  /** Whether there was an event so recently that a stack may have been read before it. */
  heardJustNow(): boolean {
    return this.#tools.clock.now() - (this.#lastEventAt ?? -Infinity) < this.#delayMs;
  }

  async #run(): Promise<void> {
    const { clock, stopping } = this.#tools;
    for (let key = this.#key; key && !stopping.aborted; key = this.#key) {
      if (clock.now() - key.usedAt > keyExpiresMs) break;
      try {
        await this.#receive(key.clients);
        this.#succeeded();
      } catch (error) {
        if (stopping.aborted) break;
        await this.#failed(error);
        await pause(clock, backOff(this.#failures - 1, retry), stopping);
      }
    }
    this.#key = undefined;
    this.#lastEventAt = undefined;
  }

  async #receive(clients: Clients): Promise<void> {
    const sqs = await clients.sqs();
    const QueueUrl = this.address.url;
    const request = { QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: waitSeconds };
    const { Messages = [] } = await observeAws(() =>
      sqs.receiveMessage(request, { abortSignal: this.#tools.stopping }),
    );
    for (const { Body = '', ReceiptHandle } of Messages) {
      await this.#handle(Body);
      // Only now: if the look could not be scheduled, SQS delivers the message again.
      await observeAws(() => sqs.deleteMessage({ QueueUrl, ReceiptHandle }));
    }
  }

  async #handle(body: string): Promise<void> {
    const { region, account } = this.address;
    const event = parseEvent(body);
    if (event?.region !== region || event.account !== account) return;
    this.#lastEventAt = this.#tools.clock.now();
    if (event.stackId) await this.#lookAt(event.stackId, this.#lastEventAt + this.#delayMs);
  }

  async #lookAt(id: string, at: number): Promise<void> {
    await this.#tools.lookAt({ id, region: this.address.region, at });
    this.#waiting.delete(id);
  }

  #succeeded(): void {
    if (this.#failures > 0) this.#tools.report(this.address.url);
    this.#failures = 0;
  }

  /** Reports the first of several failures. Stacks that wait for events are polled again at once. */
  async #failed(error: unknown): Promise<void> {
    this.#failures += 1;
    this.#lastEventAt = undefined;
    if (this.#failures === 1) this.#tools.report(this.address.url, reasonOf(error));
    this.#forgetPolled();
    for (const id of this.#waiting.keys())
      await this.#lookAt(id, this.#tools.clock.now()).catch(() => undefined);
  }
}
