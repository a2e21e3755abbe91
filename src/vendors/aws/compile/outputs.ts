import type { Database, Layer, StackModel } from '../../../model/stack-model.ts';
import { type OutputValues, stackOutputs } from '../../shared/outputs.ts';
import { cacheEngines } from '../catalog.ts';
import { attribute, type Json, ref, type TemplateOutput } from '../document.ts';
import * as names from '../names.ts';
import { instanceNames } from './servers.ts';

type OutputEntry = readonly [key: string, output: TemplateOutput];

const entry = (key: string, Description: string, Value: Json): OutputEntry => [key, { Description, Value }];

/** Outputs for users, under the keys every vendor has, and internal outputs. */
export const outputsOf = (model: StackModel): OutputEntry[] => [
  ...stackOutputs(model, values).map(({ key, description, value }) => entry(key, description, value)),
  ...internalOutputs(model),
];

const withoutMark = (text: Json, mark: string): Json => ({
  'Fn::Join': ['', { 'Fn::Split': [mark, text] }],
});

/** Converts the form of AWS, `[one, other]`, to a list with commas only. */
const plainList = (list: Json): Json => ['[', ']', ' '].reduce(withoutMark, list);

const values: OutputValues<Json> = {
  loadBalancerAddress: (flag) => attribute(names.loadBalancer(flag), 'DNSName'),
  serverNames: instanceNames,
  serverAddress: (server) => attribute(server, 'PublicIp'),
  database: (name) => ({
    address: attribute(names.database(name), 'Endpoint.Address'),
    port: attribute(names.database(name), 'Endpoint.Port'),
  }),
  replicaAddress: (database, replica) =>
    attribute(names.databaseReplica(database, replica), 'Endpoint.Address'),
  redisPrimary: ({ name }) => ({
    address: attribute(names.cache(name), 'PrimaryEndPoint.Address'),
    port: attribute(names.cache(name), 'PrimaryEndPoint.Port'),
  }),
  redisReaders: ({ name, nodes }) => ({
    address: plainList(attribute(names.cache(name), 'ReadEndPoint.Addresses')),
    port: Array.from({ length: nodes }, () => cacheEngines.redis.port).join(','),
  }),
  memcached: ({ name }) => ({
    address: attribute(names.cache(name), 'ConfigurationEndpoint.Address'),
    port: attribute(names.cache(name), 'ConfigurationEndpoint.Port'),
  }),
};

/** Physical names that Almanac reads: see names.ts. */
const internalOutputs = ({ layers, databases, caches }: StackModel): OutputEntry[] => [
  ...layers.flatMap(internalLayerOutputs),
  ...databases.flatMap(internalDatabaseOutputs),
  ...caches.map(({ name }) => entry(names.cacheOutput(name), 'Name of a cache', ref(names.cache(name)))),
];

function internalLayerOutputs({ flag, keyPair, capacity }: Layer): OutputEntry[] {
  const keyPairId = attribute(names.keyPair(flag), 'KeyPairId');
  return [
    ...(keyPair ? [entry(names.keyPairOutput(flag), 'Id of a key pair', keyPairId)] : []),
    ...(capacity.kind === 'group'
      ? [entry(names.groupOutput(flag), 'Name of a group', ref(names.scalingGroup(flag)))]
      : []),
  ];
}

const internalDatabaseOutputs = ({ name, replicas }: Database): OutputEntry[] => [
  entry(names.databaseOutput(name), 'Name of a database', ref(names.database(name))),
  entry(names.databaseSecretOutput(name), 'Name of its secret', ref(names.databaseSecret(name))),
  ...Array.from({ length: replicas }, (_, index) =>
    entry(
      names.replicaOutput(name, index + 1),
      'Name of a read replica',
      ref(names.databaseReplica(name, index + 1)),
    ),
  ),
];
