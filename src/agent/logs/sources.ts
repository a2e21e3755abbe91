import type { Clock } from '../../basics/clock.ts';
import { pause } from '../../basics/pause.ts';
import { type LogFilter, type LogLine, maxLines } from '../../basics/text/log-line.ts';
import type { Container } from '../../docker-engine/container-types.ts';
import { ifFound } from '../../docker-engine/errors.ts';
import type { Engine } from '../../docker-engine/types.ts';
import { listAppContainers } from '../deploy/app-container.ts';
import type { InstanceIdentity } from '../deployment.ts';
import { type AgentLog, type OwnLine, reasonOf } from '../log.ts';
import { lineCleaner } from './clean-lines.ts';
import type { Outbox } from './outbox.ts';

export interface SourceTools {
  clock: Clock;
  log: AgentLog;
  engine: Engine;
  instance: InstanceIdentity;
}

interface Reading {
  filter: LogFilter;
  outbox: Outbox;
  signal: AbortSignal;
}

/** How often a follower looks for new containers. */
const lookMs = 3000;

const ownLine = ({ time, text }: OwnLine): LogLine => ({
  time,
  source: 'agent',
  container: '',
  stream: 'stdout',
  text,
});

const wantsAgent = ({ source, container }: LogFilter): boolean =>
  source !== 'container' && container === null;

/** The lines of the agent itself, which are already redacted. Returns how to stop following. */
export function readOwnLog({ log }: SourceTools, { filter, outbox }: Reading): () => void {
  if (!wantsAgent(filter)) return () => {};
  const { since, lines, follow } = filter;
  const recent = log.recent().filter(({ time }) => since === null || time > since);
  for (const line of lines > 0 ? recent.slice(-lines) : []) outbox.offer(ownLine(line));
  return follow ? log.watch((line) => outbox.offer(ownLine(line))) : () => {};
}

/** The logs of the containers that the agent runs. */
export class ContainerLogs {
  readonly #tools: SourceTools;
  readonly #reading: Reading;
  readonly #followed = new Set<string>();
  readonly #lastTimes = new Map<string, string>();

  constructor(tools: SourceTools, reading: Reading) {
    this.#tools = tools;
    this.#reading = reading;
  }

  /** Throws if the engine does not answer. */
  async read(): Promise<void> {
    for (const container of await this.#list()) await ifFound(this.#pump(container, this.#reading.filter));
  }

  /** Follows all containers, also those that are started later, until the request is over. */
  async follow(): Promise<void> {
    const { clock } = this.#tools;
    const { filter, outbox, signal } = this.#reading;
    let [isFirst, isNews] = [true, true];
    while (!signal.aborted) {
      try {
        for (const container of await this.#list())
          this.#start(container, isFirst ? filter : { ...filter, lines: maxLines });
        if (isNews) outbox.flush();
        [isFirst, isNews] = [false, false];
      } catch (error) {
        if (!signal.aborted) outbox.flush(reasonOf(error));
        isNews = true;
      }
      await pause(clock, lookMs, signal);
    }
  }

  /** A container that was stopped and started again continues after its last line. */
  #start(container: Container, filter: LogFilter): void {
    const { id } = container;
    if (this.#followed.has(id)) return;
    this.#followed.add(id);
    const last = this.#lastTimes.get(id);
    const request = last === undefined ? filter : { ...filter, since: last, lines: maxLines };
    this.#pump(container, request)
      .catch(() => undefined) // the next look tells
      .finally(() => this.#followed.delete(id));
  }

  async #list(): Promise<Container[]> {
    const { engine, instance } = this.#tools;
    const { source, container } = this.#reading.filter;
    if (source === 'agent') return [];
    const all = await listAppContainers(engine, instance);
    return all.filter(({ name }) => container === null || name === container);
  }

  async #pump({ id, name }: Container, { lines, since, follow }: LogFilter): Promise<void> {
    const { engine, log } = this.#tools;
    const { outbox, signal } = this.#reading;
    const clean = lineCleaner(log);
    for await (const line of engine.containers.logLines(id, { lines, since, follow, signal })) {
      this.#lastTimes.set(id, line.time);
      for (const cleaned of clean({ ...line, source: 'container', container: name }))
        await outbox.put(cleaned);
    }
    this.#lastTimes.set(id, this.#lastTimes.get(id) ?? since ?? '');
  }
}
