import { Type } from 'typebox';
import { logSources, logStreams, maxLines } from '../../basics/text/log-line.ts';
import { route } from '../route.ts';
import { identifier, identifierOrEmpty, optionalIdentifier } from './schemas/identifier.ts';
import { stackParams } from './schemas/stack.ts';

const logStates = ['waiting', 'sending', 'complete', 'unavailable', 'silent', 'failed', 'gone'] as const;

const source = Type.Unsafe<(typeof logSources)[number]>(
  Type.String({ enum: [...logSources], description: 'Who wrote the line.' }),
);
const stream = Type.Unsafe<(typeof logStreams)[number]>(Type.String({ enum: [...logStreams] }));
const time = (description: string) => Type.String({ format: 'date-time', description });

const logLine = Type.Object(
  {
    time: time('When it was written, with nanoseconds. As text, lines sort by time.'),
    instance_id: Type.String(),
    flag: Type.String({ description: 'Layer of the instance.' }),
    source,
    container: Type.String({ description: 'Name of the container. Empty for lines of the agent.' }),
    stream,
    text: Type.String({ description: 'Without escape codes. Secrets are replaced; long lines are cut.' }),
  },
  { $id: 'LogLine' },
);

const instanceLogs = Type.Object(
  {
    instance_id: Type.String(),
    flag: Type.String(),
    state: Type.Unsafe<(typeof logStates)[number]>(
      Type.String({
        enum: [...logStates],
        description:
          '`waiting`: was asked. `sending`: more may follow. `complete`: has sent what was asked for. `unavailable`: has no ' +
          'agent, or one that cannot send logs. `silent`: does not answer. `failed`: could not read them. `gone`: left the stack.',
      }),
    ),
    message: Type.String({ description: 'What is wrong, and what to do. Empty if nothing is.' }),
  },
  { $id: 'InstanceLogs' },
);

const logQuery = Type.Object({
  flag: optionalIdentifier('Only instances of this layer.'),
  instance_id: optionalIdentifier('Only this instance.'),
  container: optionalIdentifier('Only lines of the container with this name.'),
  source: Type.Optional(source),
  lines: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: maxLines,
      description: 'The last lines of each container and of each agent. Default: 100.',
    }),
  ),
  since: Type.Optional(time('Only lines after this time.')),
});

const lineExample = {
  time: '2030-01-01T00:00:00.123456789Z',
  instance_id: 'i-0123456789abcdef0',
  flag: 'web01',
  source: 'container',
  container: 'i-0123456789abcdef0-app-7-1a2b3c',
  stream: 'stdout',
  text: 'GET /healthz 200 3 ms',
};

export const readLogs = route({
  name: 'v3ReadLogs',
  asksVendor: true,
  method: 'GET',
  path: '/v3/alm/stack/{stack_id}/logs',
  access: { action: 'stack:readLogs' },
  summary: 'Read the logs of a stack',
  description:
    'The last lines of the agents and of the containers that they run, for stacks of both versions. Agents are asked when they ' +
    'poll, so the answer can take 10 seconds; after 25 seconds it says which instances are silent. Nothing is stored. See docs/logs.md.',
  tag: 'Logs',
  params: stackParams,
  query: logQuery,
  bodyKind: 'none',
  replies: {
    200: {
      description: 'The lines in the order of time, and what each instance has answered.',
      schema: Type.Object(
        {
          lines: Type.Array(logLine),
          instances: Type.Array(instanceLogs),
          left_out: Type.Integer({ description: 'Older lines that did not fit into the answer.' }),
        },
        { $id: 'Logs' },
      ),
    },
  },
  examples: {
    reply: {
      lines: [lineExample],
      instances: [{ instance_id: 'i-0123456789abcdef0', flag: 'web01', state: 'complete', message: '' }],
      left_out: 0,
    },
  },
});

export const followLogs = route({
  name: 'v3FollowLogs',
  asksVendor: true,
  method: 'GET',
  path: '/v3/alm/stack/{stack_id}/logs/stream',
  access: { action: 'stack:readLogs' },
  summary: 'Stream the logs of a stack',
  description:
    'The last lines, then new ones, as server-sent events: `line` (a LogLine), `instance` (an InstanceLogs, whenever it changes) and ' +
    '`gap` (`{"instance_id", "lines", "why"}`: lines are missing here; `lines` is null if their number is unknown). The id of an event is the time of its line. ' +
    'To resume, set `Last-Event-ID` to the last id; a line may be repeated. Ends after 15 minutes at the latest; reconnect to continue.',
  tag: 'Logs',
  params: stackParams,
  query: logQuery,
  headers: Type.Object({
    'last-event-id': Type.Optional(Type.String({ description: 'Id of the last event received.' })),
  }),
  bodyKind: 'none',
  replies: { 200: { description: 'The stream.', schema: null, contentType: 'text/event-stream' } },
});

const stackId = identifier('Stack id. A stack token is valid for its own stack only.');
const requestId = identifier('Id of the request.');

export const listLogRequests = route({
  name: 'v3ListLogRequests',
  method: 'GET',
  path: '/v3/alm/agent/log_requests',
  access: 'agent',
  summary: 'Wait for requests for logs',
  description:
    'The open requests for logs of an instance. If they are those in `known`, the answer waits for a change, for at most 20 seconds. ' +
    'Call it when the configuration comes with `alm-logs: wanted`, and again while there are requests.',
  tag: 'Agents',
  query: Type.Object({
    stack_id: stackId,
    instance_id: identifier('Instance the agent runs on.'),
    known: Type.Optional(
      Type.String({
        maxLength: 1000,
        description: 'Ids of the requests it already serves, separated by commas.',
      }),
    ),
  }),
  bodyKind: 'none',
  replies: {
    200: {
      description: 'The requests.',
      schema: Type.Object(
        {
          requests: Type.Array(
            Type.Object({
              request_id: requestId,
              source: Type.Union([source, Type.Null()], { description: 'Null: both.' }),
              container: Type.Union([Type.String(), Type.Null()], { description: 'Null: all.' }),
              lines: Type.Integer({ description: 'The last lines of each container and of the agent.' }),
              since: Type.Union([Type.String(), Type.Null()], { description: 'Only lines after this time.' }),
              follow: Type.Boolean({ description: 'Send later lines too, until the request is gone.' }),
            }),
          ),
          over: Type.Array(Type.String(), {
            description:
              'Ids of known requests that are over. One that is only missing may be listed again within 10 seconds, after a restart of a server.',
          }),
        },
        { $id: 'LogRequests' },
      ),
    },
  },
});

export const sendLogs = route({
  name: 'v3SendLogs',
  method: 'POST',
  path: '/v3/alm/agent/logs',
  access: 'agent',
  summary: 'Send logs',
  description: 'Send messages of one request one after the other. The lines are passed on and not stored.',
  tag: 'Agents',
  bodyKind: 'fields',
  body: Type.Object({
    stack_id: stackId,
    instance_id: identifier('Instance the agent runs on.'),
    request_id: requestId,
    batch: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Number of the message: one more each time. Repeat it when a message is sent again.',
    }),
    lines: Type.Array(
      Type.Object({
        time: Type.String({
          pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{9}Z$',
          description: 'In UTC, with nanoseconds.',
        }),
        source,
        container: identifierOrEmpty('Name of the container.'),
        stream,
        text: Type.String(),
      }),
      { maxItems: maxLines },
    ),
    left_out: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Lines left out before these.',
      }),
    ),
    last: Type.Optional(Type.Boolean({ description: 'Nothing follows.' })),
    problem: Type.Optional(Type.String({ description: 'Why the agent cannot send more.' })),
  }),
  replies: {
    200: {
      description: 'Whether the request is still open.',
      schema: Type.Object({ wanted: Type.Boolean() }, { $id: 'LogsTaken' }),
    },
  },
});

export const logRoutes = [readLogs, followLogs, listLogRequests, sendLogs] as const;
