import type { Cache, Layer, StackModel } from '../../../model/stack-model.ts';
import { type NamedOutput, type OutputValues, stackOutputs } from '../../shared/outputs.ts';
import { cacheEngines, databaseEngines } from '../catalog.ts';
import type { Dialect } from '../dialect.ts';
import { attribute, type Json, replaceIn, type TemplateOutput } from '../document.ts';
import * as names from '../names.ts';
import type { Context } from './context.ts';
import { addressOf } from './server-resources.ts';
import { serverIndexes } from './servers.ts';

/** Values with commas between them. */
const joined = (values: readonly Json[]): Json => {
  const marks = values.map((_, index) => `@${index}@`);
  return replaceIn(marks.join(','), Object.fromEntries(values.map((value, index) => [marks[index], value])));
};

const balancerAddress = ({ model, dialect }: Pick<Context, 'model' | 'dialect'>, flag: string): Json => {
  if (dialect.ownServices) return attribute(names.loadBalancer(flag), 'DNSName');
  const scheme = model.layers.find((layer) => layer.flag === flag)?.loadBalancer?.scheme;
  return scheme === 'internal'
    ? attribute(names.loadBalancer(flag), 'vip_address')
    : attribute(names.balancerAddress(flag), 'floating_ip_address');
};

const databaseAddress = ({ ownServices }: Dialect, name: string): Json =>
  ownServices
    ? attribute(names.database(name), 'address')
    : attribute(names.database(name), 'show', 'addresses', 0, 'address');

const nodeAddress = (cache: Cache, index: number): Json => addressOf(names.cachePort(cache, index));

const portOf = (model: StackModel, name: string): string =>
  String(databaseEngines[model.databases.find((each) => each.name === name)?.engine ?? 'mysql'].port);

const endpoint = (cache: Cache) => ({
  address: nodeAddress(cache, 0),
  port: String(cacheEngines[cache.engine].port),
});

const valuesOf = (context: Pick<Context, 'model' | 'dialect'>): OutputValues<Json> => ({
  loadBalancerAddress: (flag) => balancerAddress(context, flag),
  serverNames: ({ flag, ...layer }: Layer) =>
    serverIndexes({ flag, ...layer }).map((index) => names.floatingIp(flag, index)),
  serverAddress: (floatingIp) => attribute(floatingIp, 'floating_ip_address'),
  database: (name) => ({
    address: databaseAddress(context.dialect, name),
    port: portOf(context.model, name),
  }),
  // Databases with replicas are rejected.
  replicaAddress: () => '',
  redisPrimary: endpoint,
  redisReaders: (cache) => ({
    address: joined(Array.from({ length: cache.nodes - 1 }, (_, index) => nodeAddress(cache, index + 1))),
    port: Array.from({ length: cache.nodes - 1 }, () => cacheEngines.redis.port).join(','),
  }),
  // The first node only: clients that spread keys over nodes in different ways would read stale values.
  memcached: endpoint,
});

const entryOf = ({ key, description, value }: NamedOutput<Json>): [string, TemplateOutput] => [
  key,
  { description, value },
];

export const outputsOf = (context: Pick<Context, 'model' | 'dialect'>): Record<string, TemplateOutput> =>
  Object.fromEntries(stackOutputs(context.model, valuesOf(context)).map(entryOf));
