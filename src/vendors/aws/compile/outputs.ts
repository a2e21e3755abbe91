import { resourceSuffix } from '../../../model/names.ts';
import type { Cache, Database, Layer, StackModel } from '../../../model/stack-model.ts';
import { cacheEngines } from '../catalog.ts';
import { attribute, type Json, ref, type TemplateOutput } from '../document.ts';
import * as names from '../names.ts';
import { instanceNames } from './servers.ts';

type Named = readonly [key: string, output: TemplateOutput];

const output = (key: string, Description: string, Value: Json): Named => [key, { Description, Value }];

/** Outputs for users, under the keys every vendor has, and internal outputs. */
export const outputsOf = (model: StackModel): Named[] => [
  ...addressOutputs(model),
  ...furtherNamed(model.databases, databaseOutputs),
  ...furtherNamed(
    model.caches.filter(({ engine }) => engine === 'redis'),
    redisOutputs,
  ),
  ...furtherNamed(
    model.caches.filter(({ engine }) => engine === 'memcached'),
    memcachedOutputs,
  ),
  ...ownOutputs(model),
];

/** The plain keys belong to the first part of each kind. Keys of further parts end with the part's name. */
const furtherNamed = <T extends { name: string }>(
  parts: readonly T[],
  outputs: (part: T) => Named[],
): Named[] =>
  parts.flatMap((part, index) =>
    outputs(part).map(
      ([key, value]): Named => [index === 0 ? key : `${key}${resourceSuffix(part.name)}`, value],
    ),
  );

/** The load balancers' addresses; without any, the address of the first server the internet can reach. */
function addressOutputs({ layers }: StackModel): Named[] {
  const balanced = layers.filter((layer) => layer.loadBalancer);
  if (balanced.length > 0)
    return furtherNamed(
      balanced.map(({ flag }) => ({ name: flag })),
      ({ name }) => [
        output('Address', 'Address of the load balancer', attribute(names.loadBalancer(name), 'DNSName')),
      ],
    );
  const reachable = layers.filter(({ subnet }) => subnet.public && subnet.assignPublicIp);
  const servers = [...reachable.filter(({ role }) => role === 'web'), ...reachable].flatMap(instanceNames);
  return servers
    .slice(0, 1)
    .map((id) => output('Address', 'Address of the server', attribute(id, 'PublicIp')));
}

const databaseOutputs = ({ name, replicas }: Database): Named[] => [
  output('DBAddress', 'Address of the database', attribute(names.database(name), 'Endpoint.Address')),
  output('DBPort', 'Port of the database', attribute(names.database(name), 'Endpoint.Port')),
  ...Array.from({ length: replicas }, (_, index) =>
    output(
      `DBSlave${index + 1}Address`,
      `Address of read replica ${index + 1}`,
      attribute(names.databaseReplica(name, index + 1), 'Endpoint.Address'),
    ),
  ),
];

const without = (text: Json, mark: string): Json => ({ 'Fn::Join': ['', { 'Fn::Split': [mark, text] }] });

/** Converts the form of AWS, `[one, other]`, to a list with commas only. */
const plainList = (list: Json): Json => ['[', ']', ' '].reduce(without, list);

function redisOutputs({ name, nodes }: Cache): Named[] {
  const id = names.cache(name);
  const outputs = [
    output(
      'RedisPrimaryEndPointAddress',
      'Address of the Redis primary',
      attribute(id, 'PrimaryEndPoint.Address'),
    ),
    output('RedisPrimaryEndPointPort', 'Port of the Redis primary', attribute(id, 'PrimaryEndPoint.Port')),
  ];
  if (nodes === 1) return outputs;
  const addresses = plainList(attribute(id, 'ReadEndPoint.Addresses'));
  const ports = Array.from({ length: nodes }, () => cacheEngines.redis.port).join(',');
  return [
    ...outputs,
    output('RedisReadEndPointAddresses', 'Addresses to read from Redis', addresses),
    output('RedisReadEndPointPorts', 'Ports to read from Redis', ports),
  ];
}

const memcachedOutputs = ({ name }: Cache): Named[] => {
  const endpoint = (part: string): Json => attribute(names.cache(name), `ConfigurationEndpoint.${part}`);
  return [
    output('MemcachedEndPointAddress', 'Address of Memcached', endpoint('Address')),
    output('MemcachedEndPointPort', 'Port of Memcached', endpoint('Port')),
  ];
};

const ownOutputs = ({ layers, databases, caches }: StackModel): Named[] => [
  ...layers.flatMap(ownLayerOutputs),
  ...databases.flatMap(ownDatabaseOutputs),
  ...caches.map(({ name }) => output(names.cacheOutput(name), 'Name of a cache', ref(names.cache(name)))),
];

function ownLayerOutputs(layer: Layer): Named[] {
  const { flag } = layer;
  const outputs: Named[] = [];
  if (layer.keyPair)
    outputs.push(
      output(names.keyPairOutput(flag), 'Id of a key pair', attribute(names.keyPair(flag), 'KeyPairId')),
    );
  if (layer.capacity.kind === 'group')
    outputs.push(output(names.groupOutput(flag), 'Name of a group', ref(names.scalingGroup(flag))));
  return outputs;
}

const ownDatabaseOutputs = ({ name, replicas }: Database): Named[] => [
  output(names.databaseOutput(name), 'Name of a database', ref(names.database(name))),
  output(names.databaseSecretOutput(name), 'Name of its secret', ref(names.databaseSecret(name))),
  ...Array.from({ length: replicas }, (_, index) =>
    output(
      names.replicaOutput(name, index + 1),
      'Name of a read replica',
      ref(names.databaseReplica(name, index + 1)),
    ),
  ),
];
