import { Failure } from '../../basics/failure.ts';
import { earlier, type LogFilter, maxLines, parseLogTime } from '../../basics/text/log-line.ts';
import type { QueryOf } from '../../contract/route.ts';
import type * as logs from '../../contract/v3/logs.ts';
import type { Actor } from '../../operations/access/access.ts';
import { awaitLogRequests, takeLogs } from '../../operations/logs/agent-logs.ts';
import { followLogs } from '../../operations/logs/follow-logs.ts';
import { readLogs } from '../../operations/logs/read-logs.ts';
import type { Service } from '../../operations/service.ts';
import { type Handlers, reply } from '../http/binding.ts';
import { replyWithEvents } from './event-stream.ts';

type LogHandlers = Handlers<typeof logs.logRoutes, Actor>;
type Query = QueryOf<typeof logs.readLogs>;
type Read = Awaited<ReturnType<typeof readLogs>>;
type News = Parameters<Parameters<typeof followLogs>[2]['follower']['take']>[0][number];

const defaultLines = 100;

function sinceOf({ since }: Query): string | null {
  if (!since) return null;
  const time = parseLogTime(since);
  if (time !== undefined) return time;
  const message = 'must be a time such as 2030-01-01T00:00:00Z';
  throw new Failure('invalid_request', `since ${message}`, { problems: [{ path: 'since', message }] });
}

const filterOf = (query: Query): Omit<LogFilter, 'follow'> => ({
  source: query.source ?? null,
  container: query.container || null,
  lines: query.lines ?? defaultLines,
  since: sinceOf(query),
});

/** Lines of other instances may have been on their way when the connection was lost. */
const overlapMs = 3_000;

function resumedAfter(lastId: string | undefined): Pick<LogFilter, 'since' | 'lines'> | undefined {
  const time = parseLogTime(lastId ?? '');
  return time === undefined ? undefined : { since: earlier(time, overlapMs), lines: maxLines };
}

const placeOf = (stackId: string, { flag, instance_id }: Query) => ({
  stackId,
  instances: { flag, instanceId: instance_id },
});

const presentLine = ({ time, instanceId, flag, source, container, stream, text }: Read['lines'][number]) => ({
  time,
  instance_id: instanceId,
  flag,
  source,
  container,
  stream,
  text,
});

const presentInstance = ({ instanceId, flag, state, message }: Read['instances'][number]) => ({
  instance_id: instanceId,
  flag,
  state,
  message,
});

const eventText = (name: string, data: object, id = ''): string =>
  `${id}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

function textOf(news: News): string {
  switch (news.kind) {
    case 'line':
      return eventText('line', presentLine(news.line), `id: ${news.line.time}\n`);
    case 'instance':
      return eventText('instance', presentInstance(news.logs));
    case 'gap':
      return eventText('gap', { instance_id: news.instanceId, lines: news.count, why: news.why });
  }
}

const agentLogHandlers = (service: Service): Pick<LogHandlers, 'listLogRequests' | 'sendLogs'> => ({
  listLogRequests: async ({ actor, query }) => {
    const known = (query.known ?? '').split(',').filter((id) => id !== '');
    const question = { stackId: query.stack_id, instanceId: query.instance_id, known };
    const { requests, over } = await awaitLogRequests(service, actor, question);
    return {
      over: [...over],
      requests: requests.map(({ id, source, container, lines, since, follow }) => ({
        request_id: id,
        source,
        container,
        lines,
        since,
        follow,
      })),
    };
  },
  sendLogs: async ({ actor, body }) => ({
    wanted: await takeLogs(service, actor, {
      stackId: body.stack_id,
      instanceId: body.instance_id,
      requestId: body.request_id,
      batch: body.batch,
      lines: body.lines,
      leftOut: body.left_out ?? 0,
      isLast: body.last ?? false,
      problem: body.problem ?? '',
    }),
  }),
});

export const logHandlers = (service: Service): LogHandlers => ({
  ...agentLogHandlers(service),
  readLogs: async ({ actor, params, query }) => {
    const request = { ...placeOf(params.stack_id, query), filter: filterOf(query) };
    const { lines, instances, leftOut } = await readLogs(service, actor, request);
    return reply({
      headers: { 'cache-control': 'no-store' },
      body: { lines: lines.map(presentLine), instances: instances.map(presentInstance), left_out: leftOut },
    });
  },
  followLogs: async ({ actor, params, query, headers }) => {
    const filter = { ...filterOf(query), ...resumedAfter(headers['last-event-id']) };
    const request = { ...placeOf(params.stack_id, query), filter };
    return replyWithEvents(textOf, (follower) => followLogs(service, actor, { ...request, follower }));
  },
});
