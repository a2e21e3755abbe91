import { hostname } from 'node:os';
import type { Clock } from '../basics/clock.ts';
import { Agent } from './agent.ts';
import type { AppEngine } from './app-engine.ts';
import { type Metadata, openMetadata } from './cloud/metadata.ts';
import { readStackToken } from './cloud/stack-token.ts';
import { Converger } from './deploy/converge.ts';
import { DefaultPage } from './deploy/default-page.ts';
import { Forwarder } from './deploy/forwarder.ts';
import { openReadiness } from './deploy/readiness.ts';
import type { AgentLog } from './log.ts';
import { LogDesk } from './logs/log-desk.ts';
import { AlmanacService } from './service/almanac-service.ts';
import { createReporter } from './service/reporter.ts';
import { addUser } from './service/users.ts';
import type { Settings } from './settings.ts';
import { openStateDirectory, openStateStore } from './state.ts';

interface AgentOptions {
  clock: Clock;
  log: AgentLog;
  settings: Settings;
  engine: AppEngine;
  /** Aborted to stop the agent. */
  stop: AbortSignal;
}

const findInstanceId = async ({ instanceId }: Settings, metadata: Metadata): Promise<string> =>
  instanceId ?? (await metadata.instanceId().catch(() => undefined)) ?? hostname();

/** Creates the agent with all its parts. */
export async function openAgent({ clock, log, settings, engine, stop }: AgentOptions): Promise<Agent> {
  const { stackId, flag, server, region, awsEndpoint: endpoint } = settings;
  const metadata = openMetadata(clock, settings.metadata, settings.cloud);
  const instanceId = await findInstanceId(settings, metadata);
  const directory = openStateDirectory(settings.stateDirectory);
  const store = await openStateStore(directory);
  const aws = { clock, metadata, region, endpoint };
  const readToken = () => readStackToken(settings, aws);
  const instance = { stackId, flag, instanceId };
  const onLogsWanted = () => desk.attend();
  const service = new AlmanacService({ clock, log, server, stackId, readToken, onLogsWanted });
  const desk = new LogDesk({ clock, log, engine, instance, service, stop });
  const application = () => converger.application;
  const reporter = createReporter({ clock, log, service, store, instance, application });
  const deploys = new AbortController();
  stop.addEventListener('abort', () => deploys.abort(), { once: true });
  const forwarder = new Forwarder(clock, settings.listenAddress);
  const readiness = openReadiness(clock, settings.readyFile);
  const defaultPage = new DefaultPage(log, settings.listenAddress);
  const shared = { clock, log, settings, reporter, readiness, forwarder, defaultPage };
  const converger = new Converger({
    ...shared,
    engine,
    store,
    aws,
    instance,
    users: { clock, passwdFile: '/etc/passwd', add: addUser(clock) },
    signal: deploys.signal,
  });
  return new Agent({
    ...shared,
    metadata,
    aws,
    directory,
    service,
    converger,
    abortDeploy: () => deploys.abort(),
  });
}
