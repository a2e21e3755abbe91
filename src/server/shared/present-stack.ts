import type { Static } from 'typebox';
import { offsetTime } from '../../basics/clock.ts';
import type { cache, databaseInstance, instance } from '../../contract/v3/schemas/instance.ts';
import type { listedStack, stack, stackEvent } from '../../contract/v3/schemas/stack.ts';
import type { DescribedStack, readEvents } from '../../operations/stacks/read/describe-stack.ts';
import type { Estimate } from '../../operations/stacks/read/estimate.ts';
import type { Submitted } from '../../operations/stacks/submit/submit-document.ts';
import { keptTexts } from '../http/send/json-text.ts';

/** Reply to requests that submit a new version. */
export const presentSubmitted = (status: DescribedStack['status'], { stackId, versionId }: Submitted) => ({
  status: 'success',
  stack_status: status,
  stack_id: stackId,
  version_id: versionId,
});

type View = DescribedStack['view'];
type Event = Awaited<ReturnType<typeof readEvents>>[number];

/** State codes of existing clients; strings, because numbers break these clients. */
const stateCodes: Readonly<Record<View['instances'][number]['state'], string>> = {
  pending: '0',
  running: '16',
  'shutting-down': '32',
  terminated: '48',
  stopping: '64',
  stopped: '80',
};

export const presentInstance = (server: View['instances'][number]): Static<typeof instance> => ({
  InstanceId: server.id,
  ImageId: server.image,
  InstanceType: server.type,
  State: { Code: stateCodes[server.state], Name: server.state },
  PublicIpAddress: server.publicIp ?? '',
  PrivateIpAddress: server.privateIp,
  PublicDnsName: server.publicDns ?? '',
  PrivateDnsName: server.privateDns,
  LaunchTime: offsetTime(server.launchedAt),
  ...(server.spot ? { InstanceLifecycle: 'spot' as const } : {}),
  flag: server.flag,
  KeyName: server.keyName ?? '',
  SubnetId: server.subnetId,
  VpcId: server.networkId,
  Placement: { AvailabilityZone: server.zone },
});

export const presentDatabase = (database: View['databases'][number]): Static<typeof databaseInstance> => ({
  DBInstanceIdentifier: database.id,
  DBInstanceClass: database.type,
  DBInstanceStatus: database.state,
  AllocatedStorage: String(database.storageGib),
  AvailabilityZone: database.zone,
  Engine: database.engine,
  EngineVersion: database.engineVersion,
  Endpoint: { Address: database.address, Port: String(database.port) },
});

const presentCache = (node: View['caches'][number]): Static<typeof cache> => ({
  CacheClusterId: node.id,
  CacheClusterStatus: node.state,
  CacheNodeType: node.type,
  Engine: node.engine,
  NumCacheNodes: '1',
  Endpoint: { Address: node.address, Port: String(node.port) },
});

export const presentOutputs = (view: View) =>
  view.outputs.map(({ key, value, description }) => ({
    OutputKey: key,
    OutputValue: value,
    ...(description ? { Description: description } : {}),
  }));

const presentListed = (described: DescribedStack): Static<typeof listedStack> => ({
  stack_id: described.id,
  auth_token: described.authToken,
  user_id: described.accountId,
  username: described.username,
  nickname: described.nickname,
  vendor: described.vendor,
  configuration: described.document,
  create_time: offsetTime(described.createdAt),
  update_time: offsetTime(described.updatedAt),
  stack_status: described.status,
  stack_status_reason: described.statusReason,
  version_id: described.versionId,
  stack_outputs: presentOutputs(described.view),
  health: described.health,
  health_reason: described.healthReason,
  doing: described.doing,
  doing_reason: described.doingReason,
});

const byFlag = (view: View) =>
  Object.fromEntries(
    [...new Set(view.instances.map((server) => server.flag))].map((flag) => [
      flag,
      view.instances.filter((server) => server.flag === flag).map(presentInstance),
    ]),
  );

export const presentStack = (described: DescribedStack, instancesByFlag = false): Static<typeof stack> => ({
  ...presentListed(described),
  instances: instancesByFlag ? byFlag(described.view) : described.view.instances.map(presentInstance),
  dbinstances: described.view.databases.map(presentDatabase),
  caches: described.view.caches.map(presentCache),
});

export const listedText = keptTexts(presentListed);
const stackText = keptTexts((described: DescribedStack) => presentStack(described));
const stackTextByFlag = keptTexts((described: DescribedStack) => presentStack(described, true));

export const textOfStack = (described: DescribedStack, instancesByFlag: boolean) =>
  (instancesByFlag ? stackTextByFlag : stackText)(described);

/** What a page shows of a stack: everything but the secret of its agents. */
export const forView = <T extends { auth_token?: string }>(view: 'details' | undefined, stack: T): T => {
  if (view !== 'details') return stack;
  const { auth_token: _, ...details } = stack;
  // The type of a described stack leaves the member open.
  return details as T;
};

export const presentEvent = (event: Event): Static<typeof stackEvent> => ({
  event_id: event.number,
  time: offsetTime(event.at),
  kind: event.kind,
  resource: event.resource,
  resource_type: event.resource_type,
  status: event.status,
  message: event.message,
  version_id: event.version_id,
});

const inSeconds = (milliseconds: number | null): number | null =>
  milliseconds === null ? null : milliseconds / 1000;

export const presentEstimate = ({ operation, samples, p50, p90, elapsed }: Estimate) => ({
  operation,
  samples,
  p50_seconds: inSeconds(p50),
  p90_seconds: inSeconds(p90),
  elapsed_seconds: inSeconds(elapsed),
});
