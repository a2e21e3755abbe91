import type { QueryOf, SuccessOf } from '../../../contract/route.ts';
import type { followLogs, readLogs } from '../../../contract/v3/logs.ts';
import type { Context } from '../../command.ts';
import type { Connection } from '../../follow/connection.ts';
import { messagesOf } from '../../follow/messages.ts';

export type Logs = SuccessOf<typeof readLogs>;
export type LogLine = Logs['lines'][number];
export type InstanceLogs = Logs['instances'][number];

interface Gap {
  instance_id: string;
  lines: number | null;
  why: string;
}

export type LogNews =
  | { kind: 'line'; line: LogLine }
  | { kind: 'instance'; logs: InstanceLogs }
  | { kind: 'gap'; gap: Gap };

/** Longer than the service waits for agents. */
const timeoutSeconds = 60;
/** Lines that may be repeated after a lost connection are fewer. */
const maxSeen = 5000;

function queryOf({ args }: Context): QueryOf<typeof readLogs> {
  const [flag, instance_id, container] = [args.text('flag'), args.text('instance'), args.text('container')];
  const [source, since] = [args.text('source') as LogLine['source'] | undefined, args.text('since')];
  return {
    lines: args.number('lines') ?? 100,
    ...(flag === undefined ? {} : { flag }),
    ...(instance_id === undefined ? {} : { instance_id }),
    ...(container === undefined ? {} : { container }),
    ...(source === undefined ? {} : { source }),
    ...(since === undefined ? {} : { since }),
  };
}

export const callLogs = (context: Context, stackId: string) =>
  context.api.call<typeof readLogs>('GET', '/v3/alm/stack/{stack_id}/logs', {
    params: { stack_id: stackId },
    query: queryOf(context),
    timeoutSeconds,
  });

const newsOf = (event: string, data: string): LogNews[] => {
  switch (event) {
    case 'line':
      return [{ kind: 'line', line: JSON.parse(data) as LogLine }];
    case 'instance':
      return [{ kind: 'instance', logs: JSON.parse(data) as InstanceLogs }];
    case 'gap':
      return [{ kind: 'gap', gap: JSON.parse(data) as Gap }];
    default:
      return []; // of a later release
  }
};

/** Remembers the last lines: after a lost connection some are sent again. */
class SeenLines {
  readonly #keys = new Set<string>();

  isNew(line: LogLine): boolean {
    const key = JSON.stringify([line.instance_id, line.source, line.container, line.time, line.text]);
    if (this.#keys.has(key)) return false;
    this.#keys.add(key);
    const [oldest] = this.#keys;
    if (this.#keys.size > maxSeen && oldest !== undefined) this.#keys.delete(oldest);
    return true;
  }
}

export interface FollowOptions {
  stackId: string;
  connection: Connection;
  signal: AbortSignal;
}

/** Yields each line once, reconnecting as often as needed. Ends only by throwing. */
export async function* streamLogs(
  context: Context,
  { stackId, connection, signal }: FollowOptions,
): AsyncGenerator<LogNews> {
  const seen = new SeenLines();
  let lastId = '';
  const open = () =>
    context.api.stream<typeof followLogs>('GET', '/v3/alm/stack/{stack_id}/logs/stream', {
      params: { stack_id: stackId },
      query: queryOf(context),
      headers: lastId === '' ? {} : { 'last-event-id': lastId },
      signal,
    });
  for (;;) {
    const body = await connection.retry(open);
    try {
      for await (const { id, event, data } of messagesOf(connection.read(body))) {
        lastId = id ?? lastId;
        for (const news of newsOf(event ?? '', data))
          if (news.kind !== 'line' || seen.isNew(news.line)) yield news;
      }
    } catch (error) {
      if (signal.aborted) throw error;
      // The stream broke. The next attempt to open it shows whether the connection is lost.
    } finally {
      body.destroy();
    }
    await connection.backOff();
  }
}
