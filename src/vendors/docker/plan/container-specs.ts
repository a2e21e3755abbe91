import { basename, dirname, resolve } from 'node:path';
import type { ContainerSpec, FileToPut, Labels, Mount } from '../../../docker-engine/container-types.ts';
import { engines, type ImageRole } from '../catalog.ts';
import { sourceOf } from '../data.ts';
import type { Balancer, Fleet, Service, Slot } from '../document.ts';
import { instanceStem, labels, onEngine, shortId, stackName, storageName } from '../names.ts';
import type { DesiredStack, Machine } from '../tools.ts';
import { kindOf } from './service.ts';
import type { Create } from './steps.ts';

/** A container's specification without name and image. */
export interface Recipe extends Omit<ContainerSpec, 'image' | 'name'> {
  role: ImageRole;
}

/** Where databases and caches have their data. */
const dataDirectory = '/data';
const databaseName = 'app';
export const passwordFile = '/etc/almanac/database-password';
const runDirectory = '/run/almanac';
export const readyFile = `${runDirectory}/ready`;
export const spotNoticeFile = `${runDirectory}/spot-notice`;

export const labelsOf = (stackId: string, kind: string, part: string): Labels => ({
  [labels.stack]: stackId,
  [labels.kind]: kind,
  [labels.part]: part,
});

const common = { restart: 'unless-stopped', healthcheck: 'none' } as const;

interface InstanceParts {
  fleet: Fleet;
  slot: Slot;
  publicKey: string | null;
  hasAgent: boolean;
}

/** The agent uses the engine's socket: it creates the application's container next to the instance, not inside. */
function instanceMounts({ tools, socketPath }: Machine, stackId: string, { files }: Fleet): Mount[] {
  const mounts: Mount[] = [{ kind: 'bind', source: socketPath, target: `${runDirectory}/engine.sock` }];
  if (tools.serverSocket !== null)
    mounts.push({
      kind: 'bind',
      source: resolve(dirname(tools.serverSocket)),
      target: `${runDirectory}/server`,
      readOnly: true,
    });
  if (files)
    mounts.push({ kind: 'volume', volume: onEngine(stackId, files.volume), target: files.mountPath });
  return mounts;
}

/** The agent of a server outside groups puts persistent files there: a deployment that adds them needs no new server. */
function volumeLabel(stackId: string, { files, inGroup }: Fleet, { name }: Slot): Labels {
  if (files) return { [labels.volume]: onEngine(stackId, files.volume) };
  return inGroup ? {} : { [labels.volume]: onEngine(stackId, storageName(name)) };
}

export function instanceRecipe(
  machine: Machine,
  { stack, version }: DesiredStack,
  parts: InstanceParts,
): Recipe {
  const { fleet, slot, publicKey, hasAgent } = parts;
  return {
    ...common,
    role: 'instance',
    pidsLimit: 512,
    labels: {
      ...labelsOf(stack.id, 'instance', slot.name),
      [labels.hash]: fleet.hash,
      [labels.flag]: fleet.flag,
      [labels.group]: String(fleet.inGroup),
      [labels.spot]: String(slot.spot),
      [labels.type]: fleet.instanceType,
      [labels.agent]: String(hasAgent),
      [labels.version]: version,
      ...volumeLabel(stack.id, fleet, slot),
    },
    environment: publicKey === null ? {} : { AUTHORIZED_KEY: publicKey },
    networks: [{ network: stackName(stack.id) }],
    mounts: instanceMounts(machine, stack.id, fleet),
  };
}

interface AgentTarget {
  flag: string;
  containerId: string;
  /** The vendor's images have no programs of their own; application images may lack them too. */
  hostUsr: boolean;
}

/** The agent's settings, readable by root only. It polls often, because the server is on the same machine. */
export function agentSettings(
  { tools: { serverSocket, serverUrl } }: Machine,
  desired: DesiredStack,
  { flag, containerId, hostUsr }: AgentTarget,
): FileToPut {
  const settings = {
    server: serverSocket === null ? serverUrl() : `unix:${runDirectory}/server/${basename(serverSocket)}`,
    stackId: desired.stack.id,
    flag,
    token: desired.agentToken.reveal(),
    instanceId: shortId(containerId),
    engine: `${runDirectory}/engine.sock`,
    network: stackName(desired.stack.id),
    metadata: `file:${spotNoticeFile}`,
    readyFile,
    stateDirectory: '/var/lib/almanac',
    pollSeconds: 3,
    spotPollSeconds: 1,
    ...(hostUsr ? { hostUsr } : {}),
  };
  return { path: '/opt/almanac/agent.json', content: JSON.stringify(settings), mode: 0o600 };
}

export function balancerRecipe(
  { tools }: Machine,
  { stack, version }: DesiredStack,
  { balancer, hostPorts }: { balancer: Balancer; hostPorts: Create['hostPorts'] },
): Recipe {
  return {
    ...common,
    role: 'haproxy',
    labels: {
      ...labelsOf(stack.id, 'balancer', balancer.name),
      [labels.hash]: balancer.hash,
      [labels.flag]: balancer.flag,
      [labels.version]: version,
    },
    networks: [{ network: stackName(stack.id), aliases: [balancer.name] }],
    ports: balancer.listeners.map(({ port }) => {
      const hostPort = hostPorts[port];
      return { port, hostAddress: tools.publishAddress, ...(hostPort === undefined ? {} : { hostPort }) };
    }),
  };
}

/** Data of another stack has another password. */
const restoredEnvironment = (
  { stack, document }: DesiredStack,
  { volume }: Service,
): Record<string, string> =>
  volume !== null && sourceOf(document, stack.id, volume) !== undefined ? { DATABASE_RESTORED: 'true' } : {};

const databaseEnvironment = ({ role, primary, number, name }: Service): Record<string, string> => ({
  DATABASE_ROLE: role,
  DATABASE_NAME: databaseName,
  DATABASE_USER: databaseName,
  DATABASE_PASSWORD_FILE: passwordFile,
  DATABASE_SERVER_ID: String(number),
  ...(primary === null ? {} : { DATABASE_PRIMARY_HOST: primary, DATABASE_REPLICA_NAME: name }),
});

const cacheEnvironment = ({ role, primary }: Service): Record<string, string> => ({
  CACHE_ROLE: role,
  ...(primary === null ? {} : { CACHE_PRIMARY_HOST: primary }),
});

export function serviceRecipe(desired: DesiredStack, service: Service): Recipe {
  const { stack, version } = desired;
  const isDatabase = service.kind === 'database';
  const volume = service.volume === null ? null : onEngine(stack.id, service.volume);
  return {
    ...common,
    role: engines[service.engine].image,
    labels: {
      ...labelsOf(stack.id, kindOf(service), service.name),
      [labels.hash]: service.hash,
      [labels.type]: service.type,
      [labels.version]: version,
      ...(volume === null ? {} : { [labels.volume]: volume }),
    },
    hostname: service.name,
    environment: isDatabase
      ? { ...databaseEnvironment(service), ...restoredEnvironment(desired, service) }
      : cacheEnvironment(service),
    networks: [{ network: stackName(stack.id), aliases: [service.name] }],
    mounts: volume === null ? [] : [{ kind: 'volume', volume, target: dataDirectory }],
  };
}

/** The host name of an instance. */
export const hostnameOf = (stackId: string, containerName: string): string =>
  instanceStem(containerName).slice(stackName(stackId).length + 1);
