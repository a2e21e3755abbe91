import { setImmediate as turn } from 'node:timers/promises';
import { it } from 'vitest';
import { type LogLine, logTime } from '../../../src/basics/text/log-line.ts';
import type { Actor } from '../../../src/operations/access/access.ts';
import { reportAgentStatus } from '../../../src/operations/agents/agent-report.ts';
import { areLogsWanted, awaitLogRequests, takeLogs } from '../../../src/operations/logs/agent-logs.ts';
import { followLogs } from '../../../src/operations/logs/follow-logs.ts';
import type { LogNews } from '../../../src/operations/logs/log-queue.ts';
import type { LogRequest } from '../../../src/operations/logs/notices.ts';
import { readLogs } from '../../../src/operations/logs/read-logs.ts';
import type { Service } from '../../../src/operations/service.ts';
import { stackActor } from '../../actors.ts';
import { onPostgres } from '../../open-database.ts';
import { World } from '../../world.ts';

/** Notifications of PostgreSQL arrive some time after they were sent; tests that look at once need SQLite. */
export const onSqlite = it.skipIf(onPostgres);

const everything = { source: null, container: null, lines: 100, since: null };

export const line = (text: string, ms = 0): LogLine => ({
  time: logTime(Date.UTC(2030, 0, 1) + ms),
  source: 'container',
  container: 'shop',
  stream: 'stdout',
  text,
});

/** A caller who follows logs. */
export class TestFollower {
  readonly news: LogNews[] = [];
  takesMore = true;
  heartbeats = 0;
  isEnded = false;
  isDropped = false;

  take(items: readonly LogNews[]): boolean {
    this.news.push(...items);
    return this.takesMore;
  }

  heartbeat(): void {
    this.heartbeats += 1;
  }

  end(): void {
    this.isEnded = true;
  }

  drop(): void {
    this.isDropped = true;
  }

  get texts(): string[] {
    return this.news.flatMap((item) => (item.kind === 'line' ? item.line.text : []));
  }

  /** The last state of each instance. */
  get states(): Record<string, string> {
    return Object.fromEntries(
      this.news.flatMap((item) =>
        item.kind === 'instance' ? [[item.logs.instanceId, item.logs.state]] : [],
      ),
    );
  }
}

/** A stack, and agents that the test plays itself, with a clock that the test moves. */
export class LogWorld {
  readonly world: World;
  readonly stackId: string;
  /** Another server on the same database. */
  readonly otherServer: Service;
  #batch = 0;

  private constructor(world: World, stackId: string) {
    this.world = world;
    this.stackId = stackId;
    this.otherServer = { ...world.service };
    // It listens from its first question on.
    this.isWanted(this.otherServer);
  }

  static async open(): Promise<LogWorld> {
    const world = await World.open();
    const stackId = await world.create();
    await world.settle();
    return new LogWorld(world, stackId);
  }

  close = () => this.world.close();

  get agent(): Actor {
    return stackActor(this.world.actor.accountId, this.stackId);
  }

  /** An agent on a server that was installed by hand. */
  report = (instanceId: string, sendsLogs: boolean | undefined) =>
    reportAgentStatus(this.world.service, this.agent, {
      stackId: this.stackId,
      agentId: `agent of ${instanceId}`,
      instanceId,
      status: 'uptodate',
      sendsLogs,
    });

  read = (instanceId: string, server = this.world.service) =>
    readLogs(server, this.world.actor, {
      stackId: this.stackId,
      instances: { instanceId },
      filter: everything,
    });

  follow = (instanceId: string, follower: TestFollower, server = this.world.service) =>
    followLogs(server, this.world.actor, {
      stackId: this.stackId,
      instances: { instanceId },
      filter: everything,
      follower,
    });

  isWanted = (server = this.world.service): boolean => areLogsWanted(server, this.stackId);

  requests = async (instanceId: string, known: string[] = [], server = this.world.service) =>
    (await this.question(instanceId, known, server)).requests;

  question = (instanceId: string, known: string[], server = this.world.service) =>
    awaitLogRequests(server, this.agent, { stackId: this.stackId, instanceId, known });

  /** Waits until the request was announced, without moving the clock. */
  async request(instanceId: string, server = this.world.service): Promise<LogRequest> {
    for (;;) {
      const [request] = this.isWanted(server) ? await this.requests(instanceId, [], server) : [];
      if (request) return request;
      await turn();
    }
  }

  send = (
    { id }: Pick<LogRequest, 'id'>,
    lines: LogLine[],
    { server = this.world.service, instanceId = 'i-1', ...rest }: SendOptions = {},
  ) =>
    takeLogs(server, this.agent, {
      stackId: this.stackId,
      instanceId,
      requestId: id,
      batch: ++this.#batch,
      lines,
      leftOut: 0,
      isLast: false,
      problem: '',
      ...rest,
    });

  /** Moves the clock in steps, so that what a step causes happens before the next. */
  async advance(seconds: number): Promise<void> {
    for (let step = 0; step < seconds; step += 1) {
      this.world.clock.advance(1000);
      for (let turns = 0; turns < 20; turns += 1) await turn();
    }
  }
}

interface SendOptions {
  server?: Service;
  instanceId?: string;
  batch?: number;
  isLast?: boolean;
  leftOut?: number;
  problem?: string;
}
