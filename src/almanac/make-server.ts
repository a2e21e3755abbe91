import type { Config } from '../basics/config.ts';
import type { Log } from '../basics/log.ts';
import type { MemoryRoom } from '../basics/memory-room.ts';
import { pathPrefix } from '../basics/net/path-prefix.ts';
import { type Actor, authenticate, nameOf, refuseUnlessMayCall } from '../operations/access/access.ts';
import type { AuditLog } from '../operations/audit/audit.ts';
import type { Service } from '../operations/service.ts';
import { listenOnSocket } from '../server/http/agent-socket.ts';
import { InProgress } from '../server/http/in-progress.ts';
import type { Metrics } from '../server/operational/metrics.ts';
import type { RunningRequests } from '../server/operational/running-requests.ts';
import { buildServer } from '../server/server.ts';
import { agentFileBindings } from '../server/shared/agent-files.ts';
import { commandLineBindings } from '../server/shared/command-line.ts';
import { gatewayBindings } from '../server/shared/gateway-handlers.ts';
import { terminalSockets } from '../server/terminal/sockets.ts';
import { v2Bindings } from '../server/v2/bindings.ts';
import { v3Bindings } from '../server/v3/bindings.ts';
import { rateLimits } from './limits.ts';
import { makeLoop } from './make-loop.ts';
import { agentSocketOf } from './make-service.ts';
import { agentFiles, consoleFolder, readCommandLine } from './program-files.ts';
import { version } from './version.ts';

interface Parts {
  service: Service;
  log: Log;
  metrics: Metrics;
  audit: AuditLog;
  memory: MemoryRoom;
  /** Whether the server will stop soon: no new requests should be sent to it. */
  isLeaving: () => boolean;
  running: RunningRequests<Actor>;
}

function makeServer(
  config: Config,
  { service, log, metrics, audit, memory, changes, isLeaving, running }: Parts & { changes: InProgress },
) {
  return buildServer<Actor>({
    bindings: [
      ...v2Bindings(service),
      ...v3Bindings(service, { version, consoleOverHttp: config.console.overHttp }),
      ...gatewayBindings(service, config.console.served),
      ...agentFileBindings<Actor>(agentFiles(() => service.settings.baseUrl)),
      ...commandLineBindings<Actor>(readCommandLine),
    ],
    sockets: terminalSockets(service, (error) => log.error({ err: error }, 'terminal session failed')),
    authenticate: (token) => authenticate(service, token),
    authorize: (actor, { access, method, proof }, subject) =>
      refuseUnlessMayCall(service, actor, { access, proof, readOnly: method === 'GET', ...subject }),
    nameActor: nameOf,
    baseUrl: () => service.settings.baseUrl,
    limits: rateLimits(service, config),
    audit: (call) => audit.record(call),
    changes,
    running,
    ...(config.console.served
      ? { console: { folder: consoleFolder, prefix: () => pathPrefix(service.settings.baseUrl) } }
      : {}),
    logger: log,
    version,
    readiness: async () => (isLeaving() ? 'The server is stopping' : service.database.whyNotReady()),
    metrics,
    memory: { room: memory, accountOf: ({ accountId }) => accountId },
    ...(config.maxLag > 0 ? { overload: { maxLag: config.maxLag } } : {}),
    ...(config.trustedProxies.length > 0 ? { trustProxy: config.trustedProxies } : {}),
  });
}

/** Passes of the loop give way to the changes that callers wait for. */
export function makeWork(config: Config, parts: Parts) {
  const { service, log, metrics } = parts;
  const changes = new InProgress();
  return {
    server: makeServer(config, { ...parts, changes }),
    loop: makeLoop({ service, log, registry: metrics.registry, changes, passes: config.passes }),
  };
}

/** Connections that wait to be accepted. With Node's 511, further ones of a burst are dropped and tried again after a second. */
const backlog = 4096;

export const listenOn = (server: ReturnType<typeof makeServer>, { host, port }: Config): Promise<string> =>
  server.listen({ host, port, backlog }).catch(async (error: unknown) => {
    await server.close(); // it has timers of its own
    throw error;
  });

export async function openAgentSocket(
  config: Config,
  server: ReturnType<typeof makeServer>,
): Promise<() => Promise<void>> {
  const path = agentSocketOf(config);
  return path === null ? async () => {} : listenOnSocket(server, path);
}
