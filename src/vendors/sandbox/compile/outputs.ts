import { resourceSuffix } from '../../../model/names.ts';
import type { Cache, Database, StackModel } from '../../../model/stack-model.ts';
import type { DocumentOutput } from '../document.ts';
import * as names from '../names.ts';
import { instanceNames } from './servers.ts';

/** The keys clients know belong to the first of each kind; those of any further one carry its name. */
export const outputsOf = (model: StackModel): DocumentOutput[] => [
  ...addressOutputs(model),
  ...furtherNamed(model.databases, databaseOutputs),
  ...furtherNamed(
    model.caches.filter((cache) => cache.engine === 'redis'),
    redisOutputs,
  ),
  ...furtherNamed(
    model.caches.filter((cache) => cache.engine === 'memcached'),
    memcachedOutputs,
  ),
];

const furtherNamed = <T extends { name: string }>(
  parts: readonly T[],
  outputs: (part: T) => DocumentOutput[],
): DocumentOutput[] =>
  parts.flatMap((part, index) =>
    outputs(part).map(({ key, description, of, value }) => ({
      key: index === 0 ? key : `${key}${resourceSuffix(part.name)}`,
      description,
      of,
      value,
    })),
  );

/** The load balancers' addresses; without any, the first server the internet can reach. */
function addressOutputs({ layers }: StackModel): DocumentOutput[] {
  const balanced = layers.filter((layer) => layer.loadBalancer);
  if (balanced.length > 0)
    return furtherNamed(
      balanced.map(({ flag }) => ({ name: flag })),
      ({ name }) => [output('Address', 'address', 'Address of the load balancer', names.loadBalancer(name))],
    );
  const reachable = layers.filter(({ subnet }) => subnet.public && subnet.assignPublicIp);
  const servers = [...reachable.filter(isWeb), ...reachable].flatMap(instanceNames);
  return servers.slice(0, 1).map((name) => output('Address', 'publicAddress', 'Address of the server', name));
}

const isWeb = ({ role }: { role: string }): boolean => role === 'web';

const output = (
  key: string,
  value: DocumentOutput['value'],
  description: string,
  ...of: string[]
): DocumentOutput => ({ key, description, of, value });

const databaseOutputs = ({ name, replicas }: Database): DocumentOutput[] => [
  output('DBAddress', 'address', 'Address of the database', names.database(name)),
  output('DBPort', 'port', 'Port of the database', names.database(name)),
  ...Array.from({ length: replicas }, (_, index) =>
    output(
      `DBSlave${index + 1}Address`,
      'address',
      `Address of read replica ${index + 1}`,
      names.databaseReplica(name, index + 1),
    ),
  ),
];

function redisOutputs({ name, nodes }: Cache): DocumentOutput[] {
  const primary = names.cacheNode(name, 0);
  const replicas = Array.from({ length: nodes - 1 }, (_, index) => names.cacheNode(name, index + 1));
  const outputs = [
    output('RedisPrimaryEndPointAddress', 'address', 'Address of the Redis primary', primary),
    output('RedisPrimaryEndPointPort', 'port', 'Port of the Redis primary', primary),
  ];
  if (replicas.length === 0) return outputs;
  return [
    ...outputs,
    output('RedisReadEndPointAddresses', 'address', 'Addresses of the Redis replicas', ...replicas),
    output('RedisReadEndPointPorts', 'port', 'Ports of the Redis replicas', ...replicas),
  ];
}

const memcachedOutputs = ({ name }: Cache): DocumentOutput[] => [
  output('MemcachedEndPointAddress', 'address', 'Address of Memcached', names.cacheCluster(name)),
  output('MemcachedEndPointPort', 'port', 'Port of Memcached', names.cacheCluster(name)),
];
