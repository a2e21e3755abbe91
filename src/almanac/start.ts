import { realClock } from '../basics/clock.ts';
import type { Config } from '../basics/config.ts';
import { createLog, type Log } from '../basics/log.ts';
import { lacksSealingKey } from '../basics/sealing-key.ts';
import {
  type Actor,
  authenticate,
  type DeclaredAccess,
  nameOf,
  refuseUnlessMayCall,
} from '../operations/access/access.ts';
import { AuditLog } from '../operations/audit/audit.ts';
import type { Service } from '../operations/service.ts';
import {
  checkSealingKey,
  type FirstCredentials,
  refuseIfSealed,
  startFirstTime,
} from '../operations/start/first-start.ts';
import { listenOnSocket } from '../server/http/agent-socket.ts';
import { createMetrics, type Metrics } from '../server/http/metrics.ts';
import { makeRateLimits } from '../server/http/rate-limit.ts';
import { buildServer } from '../server/server.ts';
import { agentFileBindings } from '../server/shared/agent-files.ts';
import { commandLineBindings } from '../server/shared/command-line.ts';
import { gatewayBindings } from '../server/shared/gateway-bindings.ts';
import { terminalSockets } from '../server/terminal/sockets.ts';
import { v2Bindings } from '../server/v2/bindings.ts';
import { v3Bindings } from '../server/v3/bindings.ts';
import type { Database } from '../store/database/database.ts';
import { readMeta } from '../store/database/meta.ts';
import { openDatabase } from '../store/database/open-database.ts';
import { makeLoop } from './make-loop.ts';
import { agentSocketOf, makeService } from './make-service.ts';
import { measureStacks, measureVendorCalls } from './measure.ts';
import { agentFiles, readCommandLine } from './program-files.ts';
import { version } from './version.ts';

export interface Almanac {
  url: string;
  service: Service;
  /** Only on the very first start. */
  firstCredentials: FirstCredentials | null;
  /** Finishes what is under way, gives back the leases, closes the database. */
  stop(): Promise<void>;
}

interface Parts {
  service: Service;
  log: Log;
  metrics: Metrics;
  audit: AuditLog;
}

/** To be asked before the keys are read: a missing file is made only where nothing needs the one that was there. */
export async function refuseLostKey(config: Config, database: Database): Promise<void> {
  if (lacksSealingKey(config.dataDirectory, config.secretKey)) await refuseIfSealed(database);
}

/** Agents ask on behalf of one stack; however many there are, the people of the account are not held up by them. */
const allowanceOf = (actor: Actor, { access }: { access: DeclaredAccess }): string => {
  if (actor.kind === 'stack') return `stack ${actor.stackId}`;
  return access === 'agent' ? `agents of ${actor.accountId}` : `account ${actor.accountId}`;
};

function makeServer(config: Config, { service, log, metrics, audit }: Parts) {
  return buildServer<Actor>({
    bindings: [
      ...v2Bindings(service),
      ...v3Bindings(service),
      ...gatewayBindings(service),
      ...agentFileBindings<Actor>(agentFiles(() => service.settings.baseUrl)),
      ...commandLineBindings<Actor>(readCommandLine),
    ],
    sockets: terminalSockets(service, (error) => log.error({ err: error }, 'a terminal failed')),
    authenticate: (token) => authenticate(service, token),
    authorize: (actor, route, subject) =>
      refuseUnlessMayCall(service, actor, { access: route.access, ...subject }),
    nameActor: nameOf,
    limits: makeRateLimits({
      clock: service.clock,
      perActor: config.rateLimit,
      perStranger: config.tokenRateLimit,
      allowanceOf,
    }),
    audit: (call) => audit.record(call),
    logger: log,
    version,
    readiness: async () => {
      await readMeta(service.database.query, 'first_account');
      return null;
    },
    metrics,
    ...(config.trustedProxies.length > 0 ? { trustProxy: config.trustedProxies } : {}),
  });
}

function makeMetrics(config: Config, database: Database): Metrics {
  const metrics = createMetrics();
  if (config.metricsOfStacks) measureStacks(metrics.registry, database);
  return metrics;
}

/** Brings a whole Almanac up: store, first account, reconciler, HTTP. */
export async function startAlmanac(
  config: Config,
  log: Log = createLog({ level: config.logLevel }),
): Promise<Almanac> {
  const database = await openDatabase(config.databaseUrl);
  try {
    await refuseLostKey(config, database);
    const stopping = new AbortController();
    const metrics = makeMetrics(config, database);
    const service = makeService(config, database, realClock, {
      stopping: stopping.signal,
      countCall: measureVendorCalls(metrics.registry),
    });
    await checkSealingKey(service);
    const firstCredentials = await startFirstTime(service, config.first);
    const audit = new AuditLog(service, (error) => log.error({ err: error }, 'calls could not be recorded'));
    const parts = { service, log, metrics, audit };
    const server = makeServer(config, parts);
    const loop = makeLoop({ service, log, registry: metrics.registry });
    const url = await server.listen({ host: config.host, port: config.port });
    // Port 0 takes any free one, which is known only now.
    if (config.baseUrl.endsWith(':0')) service.settings.baseUrl = url;
    const agentSocket = agentSocketOf(config);
    const closeSocket = agentSocket === null ? null : await listenOnSocket(server, agentSocket);
    loop.start();
    const stop = async () => {
      stopping.abort();
      await closeSocket?.();
      await server.close();
      await audit.stop();
      await loop.stop();
      await database.close();
    };
    return { url, service, firstCredentials, stop };
  } catch (error) {
    await database.close();
    throw error;
  }
}
