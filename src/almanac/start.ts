import type { EndpointChange } from '../basics/calls/endpoints.ts';
import { type Clock, realClock } from '../basics/clock.ts';
import type { Config } from '../basics/config.ts';
import { createLog, type Log, openLogOutput } from '../basics/log.ts';
import { pathPrefix } from '../basics/net/path-prefix.ts';
import { lacksSealingKey } from '../basics/sealing-key.ts';
import { type Actor, authenticate, nameOf, refuseUnlessMayCall } from '../operations/access/access.ts';
import type { AccountCredentials } from '../operations/accounts/new-account.ts';
import type { AuditLog } from '../operations/audit/audit.ts';
import type { Service } from '../operations/service.ts';
import {
  checkSealingKey,
  hasSealedSecrets,
  startFirstTime,
  wrongKey,
} from '../operations/start/first-start.ts';
import { listenOnSocket } from '../server/http/agent-socket.ts';
import { InProgress } from '../server/http/in-progress.ts';
import { createMetrics, type Metrics } from '../server/operational/metrics.ts';
import { RunningRequests } from '../server/operational/running-requests.ts';
import { buildServer } from '../server/server.ts';
import { agentFileBindings } from '../server/shared/agent-files.ts';
import { commandLineBindings } from '../server/shared/command-line.ts';
import { gatewayBindings } from '../server/shared/gateway-handlers.ts';
import { terminalSockets } from '../server/terminal/sockets.ts';
import { v2Bindings } from '../server/v2/bindings.ts';
import { v3Bindings } from '../server/v3/bindings.ts';
import type { Database } from '../store/database/database.ts';
import { openDatabase } from '../store/database/open-database.ts';
import { makeCheckpoints, prepareCheckpointFile } from './checkpoints.ts';
import { type AgreedTime, agreeWithDatabase, ownTime } from './database-clock.ts';
import { keepUntilStopped } from './keepers/keep-until-stopped.ts';
import { rateLimits } from './limits.ts';
import { makeLoop } from './make-loop.ts';
import { agentSocketOf, makeService } from './make-service.ts';
import {
  measureClock,
  measureDocuments,
  measureLog,
  measureRollouts,
  measureStacks,
  measureVendorCalls,
} from './measure.ts';
import { agentFiles, consoleFolder, readCommandLine } from './program-files.ts';
import { startRecording } from './recording.ts';
import { stopServer } from './stop-server.ts';
import { version } from './version.ts';
import { warnAboutClients } from './warn-about-clients.ts';
import { warnAboutHttp } from './warn-about-http.ts';

export interface Almanac {
  url: string;
  service: Service;
  hasConsole: boolean;
  running: RunningRequests<Actor>;
  log: Log;
  /** Only on the very first start. */
  firstCredentials: AccountCredentials | null;
  /** Ends running requests and passes, gives the leases back and closes the database, all within a limit of time. */
  stop(): Promise<void>;
}

interface Parts {
  service: Service;
  log: Log;
  metrics: Metrics;
  audit: AuditLog;
  /** Whether the server will stop soon: no new requests should be sent to it. */
  isLeaving: () => boolean;
  running: RunningRequests<Actor>;
}

/**
 * Call it before the keys are read: a missing key file is created only if nothing is sealed with the lost key. Asks for the file
 * again after the database: another server that starts at the same time may have created both in between.
 */
export async function refuseLostKey(config: Config, database: Pick<Database, 'query'>): Promise<void> {
  const lacksKey = () => lacksSealingKey(config.dataDirectory, config.secretKey);
  if (lacksKey() && (await hasSealedSecrets(database)) && lacksKey()) throw wrongKey();
}

function makeServer(
  config: Config,
  { service, log, metrics, audit, changes, isLeaving, running }: Parts & { changes: InProgress },
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
    ...(config.maxLag > 0 ? { overload: { maxLag: config.maxLag } } : {}),
    ...(config.trustedProxies.length > 0 ? { trustProxy: config.trustedProxies } : {}),
  });
}

/** Passes of the loop give way to the changes that callers wait for. */
function makeWork(config: Config, parts: Parts) {
  const { service, log, metrics } = parts;
  const changes = new InProgress();
  return {
    server: makeServer(config, { ...parts, changes }),
    loop: makeLoop({ service, log, registry: metrics.registry, changes, passes: config.passes }),
  };
}

function makeMetrics(config: Config, database: Database, around: Surroundings): Metrics {
  const { droppedLines, skewMs, clock } = around;
  const metrics = createMetrics();
  measureLog(metrics.registry, droppedLines);
  measureClock(metrics.registry, skewMs);
  if (config.metricsOfStacks) {
    measureStacks(metrics.registry, database);
    measureRollouts(metrics.registry, database, clock.now());
  }
  return metrics;
}

type Surroundings = Logging & AgreedTime;

interface Logging {
  log: Log;
  droppedLines: () => number;
}

function logToStandardOutput({ logLevel: level }: Config): Logging {
  const { stream: destination, droppedLines } = openLogOutput();
  return { log: createLog({ level, destination }), droppedLines };
}

/** Servers on one PostgreSQL use its time; a clock that is given is used as it is. */
const timeFor = async (database: Database, log: Log, clock?: Clock): Promise<AgreedTime> =>
  clock || database.engine === 'sqlite'
    ? ownTime(clock ?? realClock)
    : agreeWithDatabase(database, realClock, log);

/** Starts the server: database, first account, reconcile loop, HTTP. */
export async function startAlmanac(config: Config, log?: Log, clock?: Clock): Promise<Almanac> {
  const logging = log ? { log, droppedLines: () => 0 } : logToStandardOutput(config);
  warnAboutHttp(config, logging.log);
  await prepareCheckpointFile(config.audit.checkpointFile);
  const database = await openDatabase(config.databaseUrl, config.listenDatabaseUrl);
  try {
    const time = await timeFor(database, logging.log, clock);
    return await startOn(database, config, { ...logging, ...time }).catch((error: unknown) => {
      time.stopClock();
      throw error;
    });
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Connections that wait to be accepted. With Node's 511, further ones of a burst are dropped and tried again after a second. */
const backlog = 4096;

const listenOn = (server: ReturnType<typeof makeServer>, { host, port }: Config): Promise<string> =>
  server.listen({ host, port, backlog }).catch(async (error: unknown) => {
    await server.close(); // it has timers of its own
    throw error;
  });

async function openAgentSocket(
  config: Config,
  server: ReturnType<typeof makeServer>,
): Promise<() => Promise<void>> {
  const path = agentSocketOf(config);
  return path === null ? async () => {} : listenOnSocket(server, path);
}

/** Failures that no request shows. */
const reportTo = (log: Log) => ({
  auditFailed: (error: unknown) => log.error({ err: error }, 'failed to write the audit log'),
  checkpointFailed: (error: unknown) =>
    log.error({ err: error }, 'failed to write checkpoints of the audit log'),
  eventQueueChanged: (queue: string, reason?: string) => {
    if (reason === undefined) return log.info({ queue }, 'receiving events of CloudFormation again');
    log.warn({ queue, reason }, 'cannot receive events of CloudFormation; polling stacks instead');
  },
  endpointChanged: ({ isSilent, isShared, account, vendor, host }: EndpointChange) => {
    const about = { vendor, host, ...(isShared ? {} : { account_id: account }) };
    if (!isSilent) return log.info(about, 'the cloud answers again');
    log.warn(about, 'the cloud does not answer; calls to it fail at once until an attempt succeeds');
  },
});

async function startOn(database: Database, config: Config, around: Surroundings): Promise<Almanac> {
  const { log, clock } = around;
  await refuseLostKey(config, database);
  const stopping = new AbortController();
  const leaving = new AbortController();
  const isLeaving = () => leaving.signal.aborted;
  const metrics = makeMetrics(config, database, around);
  const reports = reportTo(log);
  const service = makeService({
    config,
    database,
    clock,
    stopping: stopping.signal,
    countCall: measureVendorCalls(metrics.registry),
    countDocument: measureDocuments(metrics.registry),
    ...reports,
  });
  await checkSealingKey(service);
  const firstCredentials = await startFirstTime(service, config.first);
  const { audit, auditMark } = await startRecording(service, reports.auditFailed);
  await warnAboutClients(database, log);
  const running = new RunningRequests<Actor>(({ accountId }) => accountId);
  const { server, loop } = makeWork(config, { service, log, metrics, audit, isLeaving, running });
  const url = await listenOn(server, config);
  // Port 0 means any free port, which is known only now.
  if (config.baseUrl.endsWith(':0')) service.settings.baseUrl = url;
  const checkpoints = await makeCheckpoints(config, service, { metrics, failed: reports.checkpointFailed });
  const closeSocket = await openAgentSocket(config, server);
  loop.start();
  checkpoints.start();
  const stopKeeping = keepUntilStopped(config, service, log);
  const parts = { service, server, loop, audit, auditMark, checkpoints, closeSocket, stopKeeping };
  const stop = () => stopServer({ ...parts, leaving, stopping, around, stop: config.stop });
  return { url, service, hasConsole: config.console.served, firstCredentials, running, log, stop };
}
