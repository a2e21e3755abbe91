import { at } from '../../basics/problem.ts';
import type { Cache, Database } from '../../model/stack-model.ts';
import { maxCacheNodes } from '../shared-meaning.ts';
import type { LayerContext } from './capacity.ts';

/** A layer's database carries the layer's name. */
export const compileDatabase = ({ layer }: LayerContext): readonly Database[] => {
  const rds = layer.provision?.rds;
  if (!rds) return [];
  return [
    {
      name: layer.flag,
      engine: rds.engine === 'mysql' ? 'mysql' : 'postgresql',
      engineVersion: rds.version ?? null,
      instanceType: rds.db_instance_type ?? null,
      storageGib: rds.storage,
      replicas: rds.replica ?? 0,
      multiZone: rds.multi_az ?? false,
    },
  ];
};

export const compileCache = ({ layer, path, report }: LayerContext): readonly Cache[] => {
  const cache = layer.provision?.elasticache;
  if (!cache) return [];
  const most = maxCacheNodes[cache.engine];
  const nodes = cache.nodes ?? 1;
  if (nodes > most) report(at(path, 'elasticache/nodes'), `must be at most ${most} for ${cache.engine}.`);
  return [{ name: layer.flag, engine: cache.engine, nodeType: cache.node_type, nodes }];
};
