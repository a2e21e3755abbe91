import type { Static } from 'typebox';
import { at } from '../../basics/problem.ts';
import type { Cache, Database } from '../../model/stack-model.ts';
import { maxCacheNodes } from '../defaults.ts';
import type { Restore } from '../language.ts';
import type { LayerContext } from './capacity.ts';
import type { Template } from './schema.ts';
import type { rds } from './schema-provision.ts';

const databaseEngines: Record<Static<typeof rds>['engine'], Database['engine']> = {
  mysql: 'mysql',
  postgres: 'postgresql',
  postgresql: 'postgresql',
};

/** What a template asks to restore. */
export const restoresIn = ({ configurations }: Template): Restore[] =>
  configurations.flatMap(({ flag: name, provision, container }, index) => {
    const path = at('configurations', index);
    const places = [
      ['database', provision?.rds?.restore_from, 'provision/rds'],
      ['cache', provision?.elasticache?.restore_from, 'provision/elasticache'],
      ['files', container?.container_storage?.restore_from, 'container/container_storage'],
    ] as const;
    return places.flatMap(([kind, from, place]) =>
      from === undefined ? [] : [{ kind, name, from, path: at(path, `${place}/restore_from`) }],
    );
  });

/** A layer's database has the layer's name. */
export const compileDatabase = ({ layer }: LayerContext): readonly Database[] => {
  const rds = layer.provision?.rds;
  if (!rds) return [];
  return [
    {
      name: layer.flag,
      engine: databaseEngines[rds.engine],
      engineVersion: rds.version ?? null,
      instanceType: rds.db_instance_type ?? null,
      storageGib: rds.storage,
      replicas: rds.replica ?? 0,
      multiZone: rds.multi_az ?? false,
      ...(rds.deletion_protection ? { deletionProtection: true } : {}),
    },
  ];
};

export const compileCache = ({ layer, path, report }: LayerContext): readonly Cache[] => {
  const cache = layer.provision?.elasticache;
  if (!cache) return [];
  const max = maxCacheNodes[cache.engine];
  const nodes = cache.nodes ?? 1;
  if (nodes > max) report(at(path, 'elasticache/nodes'), `must be at most ${max} for ${cache.engine}.`);
  return [{ name: layer.flag, engine: cache.engine, nodeType: cache.node_type, nodes }];
};
