import type { Cache, Database, Layer } from '../../../model/stack-model.ts';
import { maxServers } from '../../shared/layers.ts';
import { type OutputValues, stackOutputs } from '../../shared/outputs.ts';
import { attribute, type Json, joined, ref, type TemplateOutput } from '../document.ts';
import * as names from '../names.ts';
import type { Context } from './context.ts';
import { groupLaunch } from './groups.ts';
import { fixedLaunch, keepsFiles } from './servers.ts';

type OutputEntry = readonly [key: string, output: TemplateOutput];
const entry = (key: string, Description: string, Value: Json): OutputEntry => [key, { Description, Value }];

/** Outputs for users, under the keys every vendor has, and internal outputs. */
export const outputsOf = (context: Context): OutputEntry[] => [
  ...stackOutputs(context.model, values).map(({ key, description, value }) => entry(key, description, value)),
  ...context.model.layers.flatMap((layer) => layerOutputs(context, layer)),
  ...context.model.databases.flatMap(databaseOutputs),
  ...context.model.caches.flatMap(cacheOutputs),
];

const redisEndpoint = ({ name }: Cache) => ({
  address: attribute(names.redis(name), 'ConnectionDomain'),
  port: attribute(names.redis(name), 'Port'),
});

const nodesOf = ({ name, nodes }: Cache): string[] =>
  Array.from({ length: nodes }, (_, index) => names.memcached(name, index + 1));

/** One value stands alone: a list of one would be text all the same. */
const listed = (ids: readonly string[], member: string): Json => {
  const all = ids.map((id) => attribute(id, member));
  return all.length === 1 ? (all[0] ?? '') : joined(all);
};

const values: OutputValues<Json> = {
  loadBalancerAddress: (flag) => attribute(names.loadBalancer(flag), 'IpAddress'),
  serverNames: (layer) =>
    layer.capacity.kind === 'fixed' && maxServers(layer) > 0 ? [names.instances(layer.flag)] : [],
  serverAddress: (servers) => ({ 'Fn::Select': ['0', attribute(servers, 'PublicIps')] }),
  database: (name) => ({
    address: attribute(names.database(name), 'InnerConnectionString'),
    port: attribute(names.database(name), 'InnerPort'),
  }),
  replicaAddress: (database, replica) =>
    attribute(names.databaseReplica(database, replica), 'ConnectionString'),
  redisPrimary: redisEndpoint,
  // One address for everything: Redis itself sends reads to the replicas.
  redisReaders: redisEndpoint,
  memcached: (cache) => ({
    address: listed(nodesOf(cache), 'ConnectionDomain'),
    port: listed(nodesOf(cache), 'Port'),
  }),
};

function layerOutputs(context: Context, layer: Layer): OutputEntry[] {
  const { flag, capacity } = layer;
  const launch = (mark: string) => entry(names.launchOutput(flag), 'What servers are made from', mark);
  if (capacity.kind === 'group')
    return [
      entry(names.groupOutput(flag), 'Id of a group', ref(names.scalingGroup(flag))),
      launch(groupLaunch(context, layer).mark),
    ];
  if (maxServers(layer) === 0) return [];
  const files = entry(names.filesOutput(flag), 'Servers with files on their disks', 'local');
  return [launch(fixedLaunch(context, layer).mark), ...(keepsFiles(layer) ? [files] : [])];
}

const databaseOutputs = ({ name, replicas }: Database): OutputEntry[] => [
  entry(names.databaseOutput(name), 'Id of a database', ref(names.database(name))),
  ...Array.from({ length: replicas }, (_, index) =>
    entry(
      names.replicaOutput(name, index + 1),
      'Id of a read replica',
      ref(names.databaseReplica(name, index + 1)),
    ),
  ),
];

const cacheOutputs = (cache: Cache): OutputEntry[] =>
  cache.engine === 'redis'
    ? [entry(names.redisOutput(cache.name), 'Id of a cache', ref(names.redis(cache.name)))]
    : nodesOf(cache).map((id, index) =>
        entry(names.memcachedOutput(cache.name, index + 1), 'Id of a cache node', ref(id)),
      );
