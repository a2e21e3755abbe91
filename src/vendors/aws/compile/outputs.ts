import type { Database, Layer } from '../../../model/stack-model.ts';
import { type OutputValues, stackOutputs } from '../../shared/outputs.ts';
import { cacheEngines } from '../catalog.ts';
import { attribute, type Json, ref, type TemplateOutput } from '../document.ts';
import { instanceNames } from '../layout/disks.ts';
import * as names from '../names.ts';
import { cacheName } from './caches.ts';
import type { Context } from './context.ts';
import { filesOf } from './files.ts';

type OutputEntry = readonly [key: string, output: TemplateOutput];

const entry = (key: string, Description: string, Value: Json): OutputEntry => [key, { Description, Value }];

/** Outputs for users, under the keys every vendor has, and internal outputs. */
export const outputsOf = (context: Context): OutputEntry[] => [
  ...stackOutputs(context.model, valuesIn(context)).map(({ key, description, value }) =>
    entry(key, description, value),
  ),
  ...internalOutputs(context),
];

const withoutMark = (text: Json, mark: string): Json => ({
  'Fn::Join': ['', { 'Fn::Split': [mark, text] }],
});

/** Converts the form of AWS, `[one, other]`, to a list with commas only. */
const plainList = (list: Json): Json => ['[', ']', ' '].reduce(withoutMark, list);

const valuesIn = (context: Context): OutputValues<Json> => ({
  loadBalancerAddress: (flag) => attribute(names.loadBalancer(flag), 'DNSName'),
  serverNames: instanceNames,
  serverAddress: (server) => attribute(server, 'PublicIp'),
  database: (name) => ({
    address: attribute(names.database(name), 'Endpoint.Address'),
    port: attribute(names.database(name), 'Endpoint.Port'),
  }),
  replicaAddress: (database, replica) =>
    attribute(names.databaseReplica(database, replica), 'Endpoint.Address'),
  redisPrimary: (cache) => ({
    address: attribute(cacheName(context, cache), 'PrimaryEndPoint.Address'),
    port: attribute(cacheName(context, cache), 'PrimaryEndPoint.Port'),
  }),
  redisReaders: (cache) => ({
    address: plainList(attribute(cacheName(context, cache), 'ReadEndPoint.Addresses')),
    port: Array.from({ length: cache.nodes }, () => cacheEngines.redis.port).join(','),
  }),
  memcached: (cache) => ({
    address: attribute(cacheName(context, cache), 'ConfigurationEndpoint.Address'),
    port: attribute(cacheName(context, cache), 'ConfigurationEndpoint.Port'),
  }),
});

/** The output has the name of the resource, so that a store is found by it. */
const storeEntry = (resource: string, description: string): OutputEntry =>
  entry(names.storeOutput(resource), description, ref(resource));

/** Physical names that Almanac reads: see names.ts. */
const internalOutputs = (context: Context): OutputEntry[] => [
  ...context.model.layers.flatMap((layer) => internalLayerOutputs(context, layer)),
  ...context.model.databases.flatMap(internalDatabaseOutputs),
  ...context.model.caches.map((cache) => storeEntry(cacheName(context, cache), 'Name of a cache')),
];

function internalLayerOutputs(context: Context, layer: Layer): OutputEntry[] {
  const { flag, keyPair, capacity } = layer;
  const keyPairId = attribute(names.keyPair(flag), 'KeyPairId');
  return [
    ...(keyPair ? [entry(names.keyPairOutput(flag), 'Id of a key pair', keyPairId)] : []),
    ...(capacity.kind === 'group'
      ? [entry(names.groupOutput(flag), 'Name of a group', ref(names.scalingGroup(flag)))]
      : []),
    ...instanceNames(layer).flatMap((server) => serverOutputs(context, layer, server)),
  ];
}

function serverOutputs(context: Context, layer: Layer, server: string): OutputEntry[] {
  const files = filesOf(context, layer, server);
  const { madeGib = 0, sizeGib = 0 } = context.choices.disks[server] ?? {};
  return [
    ...(files === undefined ? [] : [storeEntry(files, 'Id of a volume')]),
    ...(sizeGib > madeGib
      ? [entry(names.diskSizeOutput(server), 'Size of the disks of a server in GiB', String(sizeGib))]
      : []),
  ];
}

const internalDatabaseOutputs = ({ name, replicas }: Database): OutputEntry[] => [
  storeEntry(names.database(name), 'Name of a database'),
  entry(names.databaseSecretOutput(name), 'Name of its secret', ref(names.databaseSecret(name))),
  ...Array.from({ length: replicas }, (_, index) =>
    entry(
      names.replicaOutput(name, index + 1),
      'Name of a read replica',
      ref(names.databaseReplica(name, index + 1)),
    ),
  ),
];
