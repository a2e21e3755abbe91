import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { realClock } from '../../basics/clock.ts';
import type { Config } from '../../basics/config.ts';
import { pause } from '../../basics/pause.ts';
import { replaceFile } from '../../basics/replace-file.ts';
import { openEngine } from '../../docker-engine/engine.ts';
import { forgetRegistry, recordRegistry } from '../../operations/registry/address.ts';
import { claimFile } from '../../store/database/sqlite/claim.ts';
import { withDatabase } from '../backup-commands.ts';
import { removeLeftover, startContainer } from './registry-container.ts';
import { findRegistryProgram, startProcess, stopLeftover } from './registry-process.ts';
import type { RunningRegistry, StartRegistry } from './running-registry.ts';
import { listenAddress, localUrl, readUpPlan, type UpPlan } from './up-plan.ts';
import { type RegistryVerb, withService } from './verb.ts';
import { isTaken, waitUntilReady } from './wait-until-ready.ts';
import { defaultPlaces, prepareRegistry } from './write-config.ts';

const defaultImage = 'docker.io/library/registry:2';

const print = (...lines: string[]): void => void process.stdout.write(`${lines.join('\n')}\n`);

const nothingToRun = (socket: string): Error =>
  new Error(
    [
      `A registry is not installed, and there is no container engine at ${socket}. Install one of these:`,
      '  Debian, Ubuntu:    apt install docker-registry',
      '  other systems:     the program "registry" of the CNCF distribution project, in a directory of the PATH',
      '  container engine:  Docker or Podman; its socket in ALM_DOCKER_SOCKET',
    ].join('\n'),
  );

const closingSeconds = 5;

/** A process that ends loses its command line before it closes its ports: after a leftover, the port may be free only soon. */
async function refuseTaken({ host, port }: UpPlan, hadLeftover: boolean): Promise<void> {
  const deadline = realClock.now() + (hadLeftover ? closingSeconds * 1000 : 0);
  while ((await isTaken(host, port)) && realClock.now() < deadline) await pause(realClock, 50);
  if (await isTaken(host, port))
    throw new Error(
      `Another program listens on ${host}:${port}. Choose another port: almanac registry up --listen ${host}:<port>`,
    );
}

async function startRegistry(
  { docker: { socket } }: Config,
  plan: UpPlan,
  registry: StartRegistry,
): Promise<RunningRegistry> {
  const program = plan.image === null ? await findRegistryProgram() : null;
  if (program === null && !existsSync(socket)) throw nothingToRun(socket);
  const hadLeftover = await stopLeftover(registry);
  if (program !== null) {
    await refuseTaken(plan, hadLeftover);
    return startProcess(program, registry);
  }
  const engine = openEngine({ socketPath: socket, clock: realClock });
  await removeLeftover(engine, registry.folder);
  await refuseTaken(plan, hadLeftover);
  return startContainer(engine, plan.image ?? defaultImage, registry);
}

/** Resolves at the first signal. A second one ends the program at once. */
function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    let isFirst = true;
    const onSignal = (): void => {
      if (!isFirst) process.exit(1);
      isFirst = false;
      resolve();
    };
    // SIGHUP: the terminal was closed. The registry has a session of its own and would run on.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, onSignal);
  });
}

const untilEnded = async ({ ended }: RunningRegistry): Promise<never> => {
  throw new Error(`The registry ended. The end of its log:\n${(await ended) || '(empty)'}`);
};

const isServing = async (baseUrl: string): Promise<boolean> => {
  try {
    return (await fetch(`${baseUrl}/healthz`, { signal: AbortSignal.timeout(2000) })).ok;
  } catch {
    return false;
  }
};

async function announce(config: Config, plan: UpPlan, { description }: RunningRegistry): Promise<void> {
  const { host } = new URL(plan.url);
  print(
    `The registry is ready at ${plan.url} (${description}).`,
    `Its images stay in ${join(config.dataDirectory, 'registry')}. Ctrl-C stops it.`,
    'To push an image:',
    '  alm registry login',
    `  docker tag shop ${host}/<your user name>/shop && docker push ${host}/<your user name>/shop`,
  );
  const set = config.registry.url;
  if (set !== '' && set !== plan.url)
    print(`Note: ALM_REGISTRY_URL is ${set}; servers with this setting use that.`);
  if (!(await isServing(config.baseUrl)))
    print(
      `Note: no server answers at ${config.baseUrl}. Start it, or set ALM_BASE_URL to its address here too.`,
    );
}

/** Null: it was stopped before. A pull of the image takes long. */
async function startUnless(
  stopped: Promise<void>,
  start: (signal: AbortSignal) => Promise<RunningRegistry>,
): Promise<RunningRegistry | null> {
  const abort = new AbortController();
  void stopped.then(() => abort.abort());
  try {
    return await start(abort.signal);
  } catch (error) {
    if (abort.signal.aborted) return null;
    throw error;
  }
}

interface Serving {
  config: Config;
  plan: UpPlan;
  registry: RunningRegistry;
}

async function serveUntil(stopped: Promise<void>, { config, plan, registry }: Serving): Promise<void> {
  const realm = `${config.baseUrl}/v3/docker/token`;
  const ready = waitUntilReady(registry, { url: localUrl(plan), realm });
  const isStopped = await Promise.race([ready.then(() => false), stopped.then(() => true)]);
  if (isStopped) return;
  await withDatabase(config, (database) => recordRegistry({ database }, plan.url));
  try {
    await announce(config, plan, registry);
    await Promise.race([stopped, untilEnded(registry)]);
  } finally {
    await withDatabase(config, (database) => forgetRegistry({ database }, plan.url));
  }
}

const writeFiles = (config: Config, plan: UpPlan, { configFile }: StartRegistry): Promise<void> =>
  withService(config, async (service) => {
    const places = { ...defaultPlaces(config), address: listenAddress(plan) };
    replaceFile(configFile, await prepareRegistry(service, places), 0o600);
  });

/** Runs a registry for this server until Ctrl-C. While it runs, servers without ALM_REGISTRY_URL use it. */
async function run(config: Config, args: readonly string[]): Promise<void> {
  const plan = await readUpPlan(args);
  const folder = join(config.dataDirectory, 'registry');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const release = claimFile(join(folder, 'up'), `Another "almanac registry up" runs on ${folder}.`);
  const stopped = untilSignal();
  try {
    const files = { folder, configFile: join(folder, 'config.yml') };
    await writeFiles(config, plan, files);
    const start = (signal: AbortSignal) => startRegistry(config, plan, { ...files, signal });
    const registry = await startUnless(stopped, start);
    try {
      if (registry) await serveUntil(stopped, { config, plan, registry });
    } finally {
      await registry?.stop();
    }
    print('The registry is stopped.');
  } finally {
    release();
  }
}

export const up: RegistryVerb = {
  help: `  almanac registry up [--listen <host:port>] [--url <url>] [--image <image>]
                                run a registry for this server until Ctrl-C, with the installed program docker-registry or
                                registry, else (or with --image) as a container; servers without ALM_REGISTRY_URL use it`,
  run,
};
