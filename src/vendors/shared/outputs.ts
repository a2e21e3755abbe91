import { resourceSuffix } from '../../model/names.ts';
import type { Cache, Database, Layer, StackModel } from '../../model/stack-model.ts';

/** One output of a stack, with its value in a vendor's own form: a template expression, a reference to a resource. */
export interface NamedOutput<Value> {
  key: string;
  description: string;
  value: Value;
}

interface Endpoint<Value> {
  address: Value;
  port: Value;
}

/** How a vendor refers to the values that outputs show. */
export interface OutputValues<Value> {
  loadBalancerAddress(flag: string): Value;
  /** The names of a layer's servers; empty where servers have no stable name. */
  serverNames(layer: Layer): string[];
  serverAddress(server: string): Value;
  database(name: string): Endpoint<Value>;
  /** Replicas count from 1. */
  replicaAddress(database: string, replica: number): Value;
  redisPrimary(cache: Cache): Endpoint<Value>;
  /** Called only for caches with more than one node. */
  redisReaders(cache: Cache): Endpoint<Value>;
  memcached(cache: Cache): Endpoint<Value>;
}

/** The outputs every vendor has, under the keys clients know. */
export const stackOutputs = <Value>(model: StackModel, values: OutputValues<Value>): NamedOutput<Value>[] => [
  ...addressOutputs(model, values),
  ...suffixFurther(model.databases, (database) => databaseOutputs(database, values)),
  ...suffixFurther(cachesOf(model, 'redis'), (cache) => redisOutputs(cache, values)),
  ...suffixFurther(cachesOf(model, 'memcached'), (cache) => memcachedOutputs(cache, values)),
];

const cachesOf = ({ caches }: StackModel, engine: Cache['engine']): Cache[] =>
  caches.filter((cache) => cache.engine === engine);

/** The plain keys belong to the first part of each kind. Keys of further parts end with the part's name. */
const suffixFurther = <Part extends { name: string }, Value>(
  parts: readonly Part[],
  outputs: (part: Part) => NamedOutput<Value>[],
): NamedOutput<Value>[] =>
  parts.flatMap((part, index) =>
    outputs(part).map(({ key, description, value }) => ({
      key: index === 0 ? key : `${key}${resourceSuffix(part.name)}`,
      description,
      value,
    })),
  );

/** The load balancers' addresses; without any, the address of the first server the internet can reach. */
function addressOutputs<Value>({ layers }: StackModel, values: OutputValues<Value>): NamedOutput<Value>[] {
  const balanced = layers.filter((layer) => layer.loadBalancer).map(({ flag }) => ({ name: flag }));
  if (balanced.length > 0)
    return suffixFurther(balanced, ({ name }) => [
      {
        key: 'Address',
        description: 'Address of the load balancer',
        value: values.loadBalancerAddress(name),
      },
    ]);
  const reachable = layers.filter(({ subnet }) => subnet.public && subnet.assignPublicIp);
  const [server] = [...reachable.filter(({ role }) => role === 'web'), ...reachable].flatMap((layer) =>
    values.serverNames(layer),
  );
  if (server === undefined) return [];
  return [{ key: 'Address', description: 'Address of the server', value: values.serverAddress(server) }];
}

function databaseOutputs<Value>(
  { name, replicas }: Database,
  values: OutputValues<Value>,
): NamedOutput<Value>[] {
  const { address, port } = values.database(name);
  return [
    { key: 'DBAddress', description: 'Address of the database', value: address },
    { key: 'DBPort', description: 'Port of the database', value: port },
    ...Array.from({ length: replicas }, (_, index) => ({
      key: `DBSlave${index + 1}Address`,
      description: `Address of read replica ${index + 1}`,
      value: values.replicaAddress(name, index + 1),
    })),
  ];
}

function redisOutputs<Value>(cache: Cache, values: OutputValues<Value>): NamedOutput<Value>[] {
  const primary = values.redisPrimary(cache);
  const outputs = [
    {
      key: 'RedisPrimaryEndPointAddress',
      description: 'Address of the Redis primary',
      value: primary.address,
    },
    { key: 'RedisPrimaryEndPointPort', description: 'Port of the Redis primary', value: primary.port },
  ];
  if (cache.nodes === 1) return outputs;
  const readers = values.redisReaders(cache);
  return [
    ...outputs,
    {
      key: 'RedisReadEndPointAddresses',
      description: 'Addresses to read from Redis',
      value: readers.address,
    },
    { key: 'RedisReadEndPointPorts', description: 'Ports to read from Redis', value: readers.port },
  ];
}

function memcachedOutputs<Value>(cache: Cache, values: OutputValues<Value>): NamedOutput<Value>[] {
  const { address, port } = values.memcached(cache);
  return [
    { key: 'MemcachedEndPointAddress', description: 'Address of Memcached', value: address },
    { key: 'MemcachedEndPointPort', description: 'Port of Memcached', value: port },
  ];
}
