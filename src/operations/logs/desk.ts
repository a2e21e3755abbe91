import { Failure } from '../../basics/failure.ts';
import type { Service } from '../service.ts';
import { type LogNotice, type LogPart, type LogRequest, readNotice, readPart } from './notices.ts';

/** An announced request is repeated this often, and forgotten after some repetitions are missing: its server is gone. */
export const renewMs = 5_000;
const forgetMs = 3 * renewMs;
const rememberMs = 60_000;
/** Callers of one stack at a time: an agent does not serve more. */
export const maxRequestsPerStack = 10;
/** How long an agent's question is held while nothing changes. */
const holdMs = 20_000;
/** Beyond this, questions are answered at once. */
const maxHeldPerStack = 2_000;

interface Announced {
  request: LogRequest;
  expiresAt: number;
}

interface Held {
  stackId: string;
  check: () => void;
}

const hasSameIds = (requests: readonly LogRequest[], known: ReadonlySet<string>): boolean =>
  requests.length === known.size && requests.every(({ id }) => known.has(id));

/**
 * The requests for logs that are open on any server of the database. Nothing is stored: their server repeats them while they
 * are open, so that a server that was restarted knows them again soon.
 */
export class LogDesk {
  readonly #service: Service;
  readonly #announced = new Map<string, Announced>();
  /** Ids of requests that were withdrawn, for some time: agents stop at once, and do not wait for a renewal. */
  readonly #withdrawn = new Map<string, number>();
  readonly #held = new Set<Held>();
  readonly #receivers = new Map<string, (part: LogPart) => void>();

  constructor(service: Service) {
    this.#service = service;
    service.database.listen('log-request', (payload) => this.#hear(readNotice(payload)));
    service.database.listen('log-lines', (payload) => this.#pass(readPart(payload)));
  }

  /** Cheap: every poll of every agent asks this. */
  isWanted(stackId: string): boolean {
    return this.#announced.size > 0 && this.#ofStack(stackId).length > 0;
  }

  wasWithdrawn(requestId: string): boolean {
    return this.#withdrawn.has(requestId);
  }

  find(requestId: string): LogRequest | undefined {
    const found = this.#announced.get(requestId);
    return found && found.expiresAt > this.#service.clock.now() ? found.request : undefined;
  }

  /** Throws if the stack already has too many. */
  requireRoom(stackId: string): void {
    if (this.#ofStack(stackId).length >= maxRequestsPerStack)
      throw new Failure(
        'too_many_requests',
        `Stack ${stackId} already has ${maxRequestsPerStack} readers of its logs`,
        {
          description: 'Stop one of them and try again.',
          retryAfter: 5,
        },
      );
  }

  /** Receives what agents send for the request, to whichever server. Returns how to stop. */
  receive(requestId: string, receiver: (part: LogPart) => void): () => void {
    this.#receivers.set(requestId, receiver);
    return () => void this.#receivers.delete(requestId);
  }

  announce(request: LogRequest): Promise<void> {
    return this.#notify({ kind: 'wanted', request });
  }

  withdraw(requestId: string): Promise<void> {
    return this.#notify({ kind: 'over', requestId });
  }

  /** The requests for an instance, as soon as they are others than its agent knows, or after some time. */
  async awaitChange(
    stackId: string,
    instanceId: string,
    known: ReadonlySet<string>,
  ): Promise<readonly LogRequest[]> {
    const current = () => this.#ofStack(stackId).filter(({ instances }) => instances.includes(instanceId));
    if (!hasSameIds(current(), known) || this.#isFull(stackId)) return current();
    await this.#hold(stackId, () => !hasSameIds(current(), known));
    return current();
  }

  #hold(stackId: string, isOver: () => boolean): Promise<void> {
    const { clock, stopping } = this.#service;
    return new Promise((resolve) => {
      const end = () => {
        cancel();
        this.#held.delete(held);
        stopping.removeEventListener('abort', end);
        resolve();
      };
      const held: Held = { stackId, check: () => void (isOver() && end()) };
      const cancel = clock.after(holdMs, end);
      this.#held.add(held);
      stopping.addEventListener('abort', end);
      if (stopping.aborted) end();
    });
  }

  #isFull(stackId: string): boolean {
    return [...this.#held].filter((held) => held.stackId === stackId).length >= maxHeldPerStack;
  }

  #ofStack(stackId: string): LogRequest[] {
    const now = this.#service.clock.now();
    return [...this.#announced.values()]
      .filter(({ request, expiresAt }) => request.stackId === stackId && expiresAt > now)
      .map(({ request }) => request);
  }

  #notify(notice: LogNotice): Promise<void> {
    return this.#service.database.notify('log-request', JSON.stringify(notice));
  }

  #hear(notice: LogNotice): void {
    const now = this.#service.clock.now();
    for (const [id, { expiresAt }] of this.#announced) if (expiresAt <= now) this.#announced.delete(id);
    for (const [id, expiresAt] of this.#withdrawn) if (expiresAt <= now) this.#withdrawn.delete(id);
    if (notice.kind === 'over') {
      this.#announced.delete(notice.requestId);
      this.#withdrawn.set(notice.requestId, now + rememberMs);
    } else this.#announced.set(notice.request.id, { request: notice.request, expiresAt: now + forgetMs });
    for (const held of this.#held) held.check();
  }

  #pass(part: LogPart): void {
    this.#receivers.get(part.requestId)?.(part);
  }
}

const desks = new WeakMap<Service, LogDesk>();

export const logDeskOf = (service: Service): LogDesk => {
  const desk = desks.get(service) ?? new LogDesk(service);
  desks.set(service, desk);
  return desk;
};
