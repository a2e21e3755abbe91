import { pause } from '../../basics/pause.ts';
import { reasonOf } from '../log.ts';
import type { AlmanacService, AskedLogs } from '../service/almanac-service.ts';
import { Outbox } from './outbox.ts';
import { ContainerLogs, readOwnLog, type SourceTools } from './sources.ts';

export interface DeskTools extends SourceTools {
  service: Pick<AlmanacService, 'listLogRequests' | 'sendLogs'>;
  /** Aborted when the agent stops. */
  stop: AbortSignal;
}

interface Served {
  controller: AbortController;
  /** Since when the service does not list it; null: it does. */
  missingSince: number | null;
}

const maxServed = 10;
/** After the last request the agent keeps asking for this long: the next request is served without delay. */
const attentiveMs = 60_000;
/** A service that was just restarted lists the requests of others again after some seconds. */
const missingMs = 10_000;
const shortPauseMs = 200;
const longPauseMs = 3000;

/** Serves requests for logs. Does nothing until the service says that there is one. */
export class LogDesk {
  readonly #tools: DeskTools;
  readonly #served = new Map<string, Served>();
  #isAttentive = false;

  constructor(tools: DeskTools) {
    this.#tools = tools;
  }

  /** Asks for requests until there have been none for some time. */
  attend = (): void => {
    if (this.#isAttentive || this.#tools.stop.aborted) return;
    this.#isAttentive = true;
    this.#attend()
      .catch((error: unknown) => this.#tools.log(`cannot serve logs: ${reasonOf(error)}`))
      .finally(() => {
        this.#isAttentive = false;
      });
  };

  async #attend(): Promise<void> {
    const { clock, stop } = this.#tools;
    let lastUse = clock.now();
    while (!stop.aborted && (this.#served.size > 0 || clock.now() - lastUse < attentiveMs)) {
      const isCurrent = await this.#ask();
      if (this.#served.size > 0) lastUse = clock.now();
      await pause(clock, isCurrent ? shortPauseMs : longPauseMs, stop);
    }
    for (const id of this.#served.keys()) this.#end(id);
  }

  /** False: the service could not be asked, or lists less than is served. */
  async #ask(): Promise<boolean> {
    const { service, instance, stop } = this.#tools;
    try {
      const known = [...this.#served.keys()];
      const { requests, over } = await service.listLogRequests(instance.instanceId, known, stop);
      for (const id of over) this.#end(id);
      for (const request of requests) if (!this.#served.has(request.request_id)) this.#begin(request);
      return this.#endMissing(new Set(requests.map((request) => request.request_id)));
    } catch {
      return this.#endMissing(new Set());
    }
  }

  #endMissing(listed: ReadonlySet<string>): boolean {
    const now = this.#tools.clock.now();
    let isCurrent = true;
    for (const [id, served] of this.#served) {
      served.missingSince = listed.has(id) ? null : (served.missingSince ?? now);
      if (served.missingSince === null) continue;
      isCurrent = false;
      if (now - served.missingSince < missingMs) continue;
      this.#end(id);
    }
    return isCurrent;
  }

  #end(id: string): void {
    this.#served.get(id)?.controller.abort();
    this.#served.delete(id);
  }

  #begin(request: AskedLogs): void {
    if (this.#served.size >= maxServed) return;
    const controller = new AbortController();
    this.#served.set(request.request_id, { controller, missingSince: null });
    this.#serve(request, controller.signal).catch((error: unknown) =>
      this.#tools.log(`cannot serve logs: ${reasonOf(error)}`),
    );
  }

  async #serve({ request_id, ...filter }: AskedLogs, signal: AbortSignal): Promise<void> {
    const { clock, service, instance } = this.#tools;
    const ids = { request_id, instance_id: instance.instanceId };
    const outbox = new Outbox({
      clock,
      signal,
      send: (message) => service.sendLogs({ ...ids, ...message }, signal),
    });
    const reading = { filter, outbox, signal };
    const stopOwnLog = readOwnLog(this.#tools, reading);
    const containers = new ContainerLogs(this.#tools, reading);
    const collecting = (filter.follow ? containers.follow() : containers.read()).then(
      () => outbox.end(),
      (error: unknown) => outbox.end(reasonOf(error)),
    );
    try {
      await outbox.run();
    } finally {
      stopOwnLog();
      await collecting;
    }
  }
}
