import { setMaxListeners } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type EndpointChange, Endpoints } from '../basics/calls/endpoints.ts';
import type { Clock } from '../basics/clock.ts';
import { fullThreadMegabytes } from '../basics/config/documents.ts';
import type { Config } from '../basics/config.ts';
import { collectSometimes, endlessMemory, MemoryRoom, ownMemory } from '../basics/memory-room.ts';
import { watchSealingKeys } from '../basics/sealing-key.ts';
import { sealerReading } from '../basics/secret.ts';
import { makeOpenIdProvider } from '../openid/provider.ts';
import { HashQueue } from '../operations/access/hash-queue.ts';
import { FailedSignIns } from '../operations/audit/failed-sign-ins.ts';
import { pooledDocuments } from '../operations/documents/documents.ts';
import { type PoolOptions, WorkerPool } from '../operations/documents/worker-pool.ts';
import { KeyedMutex } from '../operations/keyed-mutex.ts';
import { RegistryEvents } from '../operations/registry/images/registry-events.ts';
import { RememberedPasswords } from '../operations/registry/sign-in/remembered-passwords.ts';
import type { Service } from '../operations/service.ts';
import type { Database } from '../store/database/database.ts';
import { storedSandboxCloud } from '../store/stacks/sandbox-cloud.ts';
import { lookAtStack } from '../store/stacks/schedule.ts';
import { makeVendors, type VendorTools } from '../vendors/index.ts';
import { noFaults, type SandboxFaults, type SandboxStack } from '../vendors/sandbox/cloud.ts';
import { documentWorker, readAgentProgram } from './program-files.ts';

/** In a separate directory, because instances get the whole directory; null: no engine could use it. */
export const agentSocketOf = ({ dataDirectory, docker }: Config): string | null =>
  docker.wanted || existsSync(docker.socket) ? join(dataDirectory, 'agents', 'server.sock') : null;

/** Null: this machine has no container engine. */
function dockerTools(config: Config, serverUrl: () => string): VendorTools['docker'] {
  const serverSocket = agentSocketOf(config);
  if (serverSocket === null) return null;
  const { socket, imagePrefix, publishAddress, accounts, keepDays } = config.docker;
  return {
    socketPath: socket,
    imagePrefix,
    publishAddress,
    accounts,
    keepDays,
    agent: readAgentProgram,
    serverSocket,
    serverUrl,
  };
}

const megabyte = 1024 ** 2;
/** Of the machine's memory. The rest is for what the kernel counts beside the pages of the process. */
const usable = 0.97;

export const limitedMemory = ({ documents }: Config, clock: Clock): MemoryRoom =>
  new MemoryRoom({
    limit: documents.machineMegabytes * usable * megabyte,
    thread: fullThreadMegabytes(documents) * megabyte,
    used: ownMemory,
    collect: collectSometimes(clock),
  });

interface ServiceParts {
  config: Config;
  database: Database;
  clock: Clock;
  stopping?: AbortSignal;
  memory?: MemoryRoom;
  /** Counts the requests to clouds. */
  countCall?: (vendor: string, service: string, operation: string) => void;
  /** Counts the documents that are processed in other threads. */
  countDocument?: PoolOptions['onEnd'];
  /** An entry of the audit log could not be stored. */
  auditFailed?: (error: unknown) => void;
  /** Receiving from a queue of events began to fail, or (without a reason) works again. */
  eventQueueChanged?: (queueUrl: string, reason?: string) => void;
  /** An address of a vendor stopped answering, or answers again. */
  endpointChanged?: (change: EndpointChange) => void;
}

const awsTools = (
  { config, database, eventQueueChanged = () => {} }: ServiceParts,
  stopping: AbortSignal,
): Pick<VendorTools['aws'], 'pollSeconds' | 'events'> => ({
  pollSeconds: config.aws.pollSeconds,
  events: {
    addresses: config.aws.eventQueues,
    stopping,
    lookAt: async ({ id, region, at }) => {
      if (await lookAtStack(database.query, { id, vendor: 'aws', region }, at))
        await database.notify('stack-due', id);
    },
    report: eventQueueChanged,
  },
});

const settingsOf = (config: Config): Service['settings'] => ({
  personalTokenDays: config.personalTokenDays,
  passwordGrantOnV2: config.passwordGrantOnV2,
  baseUrl: config.baseUrl,
  instancesByFlag: config.instancesByFlag,
  asksAboutDisks: config.asksAboutDisks,
  quota: config.quota,
  limits: config.limits,
  passLimitMs: config.passes.limitMs,
  registry: config.registry,
});

/** The clouds that are reached over their own interfaces, without the tools of this machine. */
const cloudTools = (
  config: Config,
  baseUrl: () => string,
  countCall: NonNullable<ServiceParts['countCall']>,
): Pick<VendorTools, 'openStack' | 'alicloud'> => ({
  openStack: (name) => ({
    baseUrl,
    countCall: (service, operation) => countCall(name, service, operation),
    pollSeconds: config.openStack.pollSeconds,
    authUrls: config.openStack.authUrls[name],
  }),
  alicloud: (name) => ({
    baseUrl,
    countCall: (service, operation) => countCall(name, service, operation),
    pollSeconds: config.alicloud.pollSeconds,
    ...config.alicloud.clouds[name],
  }),
});

export function makeService(parts: ServiceParts): Service {
  const { config, database, clock, memory = endlessMemory } = parts;
  const { stopping = new AbortController().signal, countCall = () => {}, countDocument = () => {} } = parts;
  // Each stream, terminal and request for logs listens to it until it ends: ten are not too many.
  setMaxListeners(0, stopping);
  const settings = settingsOf(config);
  const sandboxCloud = storedSandboxCloud<SandboxStack, SandboxFaults>(database, noFaults);
  return {
    database,
    clock,
    stopping,
    endpoints: new Endpoints({ clock, onChange: parts.endpointChanged }),
    documents: pooledDocuments(
      new WorkerPool({ ...config.documents, program: documentWorker, clock, memory, onEnd: countDocument }),
    ),
    loginMutex: new KeyedMutex(),
    hashing: new HashQueue(),
    rememberedPasswords: new RememberedPasswords(clock),
    registryEvents: new RegistryEvents({ database, clock, stopping }),
    failedSignIns: new FailedSignIns({ database, clock }, parts.auditFailed ?? (() => {})),
    ...(config.openId
      ? { openId: { provider: makeOpenIdProvider(config.openId, clock), config: config.openId } }
      : {}),
    sealer: sealerReading(watchSealingKeys(config.dataDirectory, config.secretKey)),
    vendors: makeVendors({
      clock,
      sandboxCloud,
      sandboxSpeed: config.sandboxSpeed,
      ...cloudTools(config, () => settings.baseUrl, countCall),
      docker: dockerTools(config, () => settings.baseUrl),
      aws: {
        baseUrl: () => settings.baseUrl,
        countCall: (service, operation) => countCall('aws', service, operation),
        ...awsTools(parts, stopping),
      },
    }),
    settings,
  };
}
