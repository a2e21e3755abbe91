import { resourceSuffix } from '../../../model/names.ts';
import type { Cache, Database, Layer, StackModel } from '../../../model/stack-model.ts';
import type { DocumentOutput } from '../document.ts';
import * as names from '../names.ts';
import { fleetOf } from './servers.ts';

/** The keys clients know belong to the first of each kind; those of any further one carry its name. */
export const outputsOf = (model: StackModel): DocumentOutput[] => [
  ...addressOutputs(model),
  ...furtherNamed(model.databases, databaseOutputs),
  ...furtherNamed(cachesOf(model, 'redis'), redisOutputs),
  ...furtherNamed(cachesOf(model, 'memcached'), memcachedOutputs),
];

const cachesOf = ({ caches }: StackModel, engine: Cache['engine']): Cache[] =>
  caches.filter((cache) => cache.engine === engine);

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

const output = (
  key: string,
  value: DocumentOutput['value'],
  description: string,
  ...of: string[]
): DocumentOutput => ({ key, description, of, value });

/** The load balancers' addresses; without any, that of the first server which has a public one on a cloud. */
function addressOutputs(model: StackModel): DocumentOutput[] {
  const balanced = model.layers.filter((layer) => layer.loadBalancer);
  if (balanced.length > 0)
    return furtherNamed(
      balanced.map(({ flag }) => ({ name: flag })),
      ({ name }) => [output('Address', 'address', 'Address of the load balancer', names.balancerName(name))],
    );
  const reachable = model.layers.filter(({ subnet }) => subnet.public && subnet.assignPublicIp);
  const slots = [...reachable.filter(isWeb), ...reachable]
    .flatMap((layer) => fleetOf(model, layer))
    .flatMap((fleet) => fleet.slots);
  return slots.slice(0, 1).map(({ name }) => output('Address', 'address', 'Address of the server', name));
}

const isWeb = ({ role }: Layer): boolean => role === 'web';

const databaseOutputs = ({ name, replicas }: Database): DocumentOutput[] => [
  output('DBAddress', 'address', 'Address of the database', names.databaseName(name, 0)),
  output('DBPort', 'port', 'Port of the database', names.databaseName(name, 0)),
  ...Array.from({ length: replicas }, (_, index) =>
    output(
      `DBSlave${index + 1}Address`,
      'address',
      `Address of read replica ${index + 1}`,
      names.databaseName(name, index + 1),
    ),
  ),
];

function redisOutputs({ name, nodes }: Cache): DocumentOutput[] {
  const primary = names.cacheName(name, 0);
  const replicas = Array.from({ length: nodes - 1 }, (_, index) => names.cacheName(name, index + 1));
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

/** The first node: spread over several without agreeing on which, clients would read what others have changed. */
const memcachedOutputs = ({ name }: Cache): DocumentOutput[] => [
  output('MemcachedEndPointAddress', 'address', 'Address of Memcached', names.cacheName(name, 0)),
  output('MemcachedEndPointPort', 'port', 'Port of Memcached', names.cacheName(name, 0)),
];
