import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { type Clock, realClock } from '../basics/clock.ts';
import type { Config } from '../basics/config.ts';
import { createLog, type Log } from '../basics/log.ts';
import { readSealingKey } from '../basics/sealing-key.ts';
import { sealerWithKey } from '../basics/secret.ts';
import { type Actor, authenticate, nameOf, refuseUnlessMayCall } from '../operations/access.ts';
import { checkSealingKey, type FirstCredentials, startFirstTime } from '../operations/first-start.ts';
import type { Service } from '../operations/service.ts';
import { Turns } from '../operations/turns.ts';
import { connectVendor } from '../operations/vendor-access.ts';
import { Loop } from '../reconcile/loop.ts';
import { reconcileStack } from '../reconcile/reconcile-stack.ts';
import { createMetrics } from '../server/metrics.ts';
import { buildServer } from '../server/server.ts';
import { v2Bindings } from '../server/v2/bindings.ts';
import { v3Bindings } from '../server/v3/bindings.ts';
import type { Database } from '../store/database.ts';
import { openDatabase } from '../store/open-database.ts';
import { readMeta } from '../store/meta.ts';
import { storedSandboxCloud } from '../store/sandbox-cloud.ts';
import { makeVendors } from '../vendors/index.ts';
import { noFaults, type SandboxFaults, type SandboxStack } from '../vendors/sandbox/cloud.ts';
import { measureReconciling } from './measure.ts';
import { version } from './version.ts';

export interface Almanac {
  url: string;
  service: Service;
  /** Only on the very first start. */
  firstCredentials: FirstCredentials | null;
  /** Finishes what is under way, gives back the leases, closes the database. */
  stop(): Promise<void>;
}

export function makeService(
  config: Config,
  database: Database,
  clock: Clock,
  stopping: AbortSignal = new AbortController().signal,
): Service {
  const sandboxCloud = storedSandboxCloud<SandboxStack, SandboxFaults>(database, noFaults);
  return {
    database,
    clock,
    stopping,
    turns: new Turns(),
    sealer: sealerWithKey(readSealingKey(config.dataDirectory, config.secretKey)),
    vendors: makeVendors({ clock, sandboxCloud, sandboxSpeed: config.sandboxSpeed }),
    settings: {
      passwordGrantOnV2: config.passwordGrantOnV2,
      baseUrl: config.baseUrl,
      instancesByFlag: config.instancesByFlag,
    },
  };
}

function makeServer(service: Service, log: Log, metrics: ReturnType<typeof createMetrics>) {
  return buildServer<Actor>({
    bindings: [...v2Bindings(service), ...v3Bindings(service)],
    authenticate: (token) => authenticate(service, token),
    authorize: (actor, route, apiVersion) => refuseUnlessMayCall(actor, route.access, apiVersion),
    nameActor: nameOf,
    logger: log,
    version,
    readiness: async () => {
      await readMeta(service.database.query, 'first_account');
      return null;
    },
    metrics,
  });
}

function makeLoop(service: Service, log: Log, metrics: ReturnType<typeof createMetrics>): Loop {
  const tools = {
    ...service,
    connect: (stack: Parameters<typeof connectVendor>[1]) => connectVendor(service, stack),
  };
  return new Loop({
    database: service.database,
    clock: service.clock,
    owner: `${hostname()} ${process.pid} ${randomUUID()}`,
    reconcile: (claim) => reconcileStack(tools, claim),
    passed: measureReconciling(metrics.registry, service.database),
    failed: (error, claim) => log.error({ err: error, stack_id: claim?.id }, 'a reconcile pass failed'),
  });
}

/** Brings a whole Almanac up: store, first account, reconciler, HTTP. */
export async function startAlmanac(
  config: Config,
  log: Log = createLog({ level: config.logLevel }),
): Promise<Almanac> {
  const database = await openDatabase(config.databaseUrl);
  try {
    const stopping = new AbortController();
    const service = makeService(config, database, realClock, stopping.signal);
    await checkSealingKey(service);
    const firstCredentials = await startFirstTime(service, config.first);
    const metrics = createMetrics();
    const server = makeServer(service, log, metrics);
    const loop = makeLoop(service, log, metrics);
    const url = await server.listen({ host: config.host, port: config.port });
    // Port 0 takes any free one, which is known only now.
    if (config.baseUrl.endsWith(':0')) service.settings.baseUrl = url;
    loop.start();
    const stop = async () => {
      stopping.abort();
      await server.close();
      await loop.stop();
      await database.close();
    };
    return { url, service, firstCredentials, stop };
  } catch (error) {
    await database.close();
    throw error;
  }
}
