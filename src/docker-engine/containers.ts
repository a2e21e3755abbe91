import type { Clock } from '../basics/clock.ts';
import { type Connection, encodePath } from './connection.ts';
import { containerBody } from './container-body.ts';
import type { ContainerSpec, Containers } from './container-types.ts';
import { inspectedFrom, listedFrom, type RawInspected, type RawListed } from './container-view.ts';
import { EngineError, ifFound } from './errors.ts';
import { execCalls } from './exec.ts';
import { FrameReader } from './frames.ts';
import { labelQuery } from './labels.ts';
import { logLines } from './log-lines.ts';
import { networkCalls } from './networks.ts';
import { packFiles, readFirstFile } from './tar.ts';

const pathOf = (container: string, rest: string): string => `/containers/${encodePath(container)}${rest}`;

const notModified = 304;

async function remove(connection: Connection, container: string, force: boolean): Promise<boolean> {
  try {
    const query = { force: String(force), v: 'true' };
    const status = await ifFound(connection.status({ method: 'DELETE', path: pathOf(container, ''), query }));
    return status !== undefined;
  } catch (error) {
    if (error instanceof EngineError && /removal of .* already in progress/i.test(error.message))
      return false;
    throw error;
  }
}

async function create(connection: Connection, spec: ContainerSpec): Promise<string> {
  const call = { method: 'POST', path: '/containers/create', query: { name: spec.name } } as const;
  const { Id: id } = await connection.json<{ Id: string }>({ ...call, json: containerBody(spec) });
  try {
    const networks = networkCalls(connection);
    for (const attachment of (spec.networks ?? []).slice(1)) await networks.connect(attachment, id);
  } catch (error) {
    await remove(connection, id, true);
    throw error;
  }
  return id;
}

async function logs(connection: Connection, container: string, lines: number): Promise<string> {
  const query = { stdout: 'true', stderr: 'true', tail: String(lines) };
  const bytes = await connection.bytes({ method: 'GET', path: pathOf(container, '/logs'), query });
  const frames = new FrameReader().push(bytes);
  return Buffer.concat(frames.map(({ data }) => data)).toString();
}

async function wait(connection: Connection, container: string, signal?: AbortSignal): Promise<number> {
  const call = { method: 'POST', path: pathOf(container, '/wait'), idleTimeoutMs: 0, signal } as const;
  return (await connection.json<{ StatusCode: number }>(call)).StatusCode;
}

interface RawStats {
  cpu_stats?: { cpu_usage?: { total_usage?: number } };
}

/** A container that does not run has no usage, or zeros. The response for one that is being removed is empty. */
async function cpuTime(connection: Connection, container: string): Promise<number | undefined> {
  const query = { stream: 'false', 'one-shot': 'true' };
  const call = { method: 'GET', path: pathOf(container, '/stats'), query } as const;
  const body = (await ifFound(connection.bytes(call)))?.toString().trim();
  const stats = body ? (JSON.parse(body) as RawStats) : undefined;
  return stats?.cpu_stats?.cpu_usage?.total_usage || undefined;
}

type Lifecycle = Pick<Containers, 'create' | 'start' | 'stop' | 'kill' | 'remove' | 'rename' | 'wait'>;

const lifecycleCalls = (connection: Connection): Lifecycle => ({
  create: (spec) => create(connection, spec),
  start: async (container) =>
    (await connection.status({ method: 'POST', path: pathOf(container, '/start') })) !== notModified,
  stop: async (container, seconds) => {
    const query = { t: String(seconds) };
    const idleTimeoutMs = (seconds + 60) * 1000;
    const call = { method: 'POST', path: pathOf(container, '/stop'), query, idleTimeoutMs } as const;
    return (await connection.status(call)) !== notModified;
  },
  kill: async (container, signal) =>
    void (await connection.status({ method: 'POST', path: pathOf(container, '/kill'), query: { signal } })),
  remove: (container, options) => remove(connection, container, options?.force ?? false),
  rename: async (container, name) =>
    void (await connection.status({ method: 'POST', path: pathOf(container, '/rename'), query: { name } })),
  wait: (container, signal) => wait(connection, container, signal),
});

export const containerCalls = (connection: Connection, clock: Clock): Containers => ({
  ...lifecycleCalls(connection),
  ...execCalls(connection, clock),
  inspect: async (container) => {
    const call = { method: 'GET', path: pathOf(container, '/json') } as const;
    const raw = await ifFound(connection.json<RawInspected>(call));
    return raw && inspectedFrom(raw);
  },
  list: async (labels) => {
    const query = { all: 'true', ...labelQuery(labels) };
    return (await connection.json<RawListed[]>({ method: 'GET', path: '/containers/json', query })).map(
      listedFrom,
    );
  },
  cpuTime: (container) => cpuTime(connection, container),
  logs: (container, lines) => logs(connection, container, lines),
  logLines: (container, request) => logLines(connection, pathOf(container, '/logs'), request),
  putFiles: async (container, files) => {
    const archive = await packFiles(files, clock.now());
    const path = pathOf(container, '/archive');
    await connection.status({ method: 'PUT', path, query: { path: '/' }, archive });
  },
  readFile: async (container, path) => {
    const call = { method: 'GET', path: pathOf(container, '/archive'), query: { path } } as const;
    const archive = await ifFound(connection.bytes(call));
    return archive && readFirstFile(archive);
  },
});
