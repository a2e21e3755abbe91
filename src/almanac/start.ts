import type { EndpointChange } from '../basics/calls/endpoints.ts';
import { type Clock, realClock } from '../basics/clock.ts';
import type { Config } from '../basics/config.ts';
import { createLog, type Log, openLogOutput } from '../basics/log.ts';
import { lacksSealingKey } from '../basics/sealing-key.ts';
import type { Actor } from '../operations/access/access.ts';
import type { AccountCredentials } from '../operations/accounts/new-account.ts';
import type { Service } from '../operations/service.ts';
import {
  checkSealingKey,
  hasSealedSecrets,
  startFirstTime,
  wrongKey,
} from '../operations/start/first-start.ts';
import { createMetrics, type Metrics } from '../server/operational/metrics.ts';
import { RunningRequests } from '../server/operational/running-requests.ts';
import type { Database } from '../store/database/database.ts';
import { openDatabase } from '../store/database/open-database.ts';
import { makeCheckpoints, prepareCheckpointFile } from './checkpoints.ts';
import { type AgreedTime, agreeWithDatabase, ownTime } from './database-clock.ts';
import { keepUntilStopped } from './keepers/keep-until-stopped.ts';
import { listenOn, makeWork, openAgentSocket } from './make-server.ts';
import { limitedMemory, makeService } from './make-service.ts';
import {
  measureClock,
  measureDocuments,
  measureLog,
  measureMemory,
  measureRollouts,
  measureStacks,
  measureVendorCalls,
} from './measure.ts';
import { startRecording } from './recording.ts';
import { stopServer } from './stop-server.ts';
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

/**
 * Call it before the keys are read: a missing key file is created only if nothing is sealed with the lost key. Asks for the file
 * again after the database: another server that starts at the same time may have created both in between.
 */
export async function refuseLostKey(config: Config, database: Pick<Database, 'query'>): Promise<void> {
  const lacksKey = () => lacksSealingKey(config.dataDirectory, config.secretKey);
  if (lacksKey() && (await hasSealedSecrets(database)) && lacksKey()) throw wrongKey();
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
  const memory = limitedMemory(config, clock);
  measureMemory(metrics.registry, memory);
  const service = makeService({
    config,
    database,
    clock,
    stopping: stopping.signal,
    memory,
    countCall: measureVendorCalls(metrics.registry),
    countDocument: measureDocuments(metrics.registry),
    ...reports,
  });
  await checkSealingKey(service);
  const firstCredentials = await startFirstTime(service, config.first);
  const { audit, auditMark } = await startRecording(service, reports.auditFailed);
  await warnAboutClients(database, log);
  const running = new RunningRequests<Actor>(({ accountId }) => accountId);
  const { server, loop } = makeWork(config, { service, log, metrics, audit, memory, isLeaving, running });
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
