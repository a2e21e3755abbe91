import { at, type Problem } from '../../basics/problem.ts';
import { resourceSuffix } from '../../model/names.ts';
import type { StackModel } from '../../model/stack-model.ts';
import { nameProblems, nodeCountProblems } from '../shared/checks.ts';
import { portProblems } from '../shared/port-checks.ts';
import { cacheEngines, limits } from './catalog.ts';
import { balancerProblems } from './check/balancers.ts';
import { capacityProblems } from './check/capacity.ts';
import { layerProblems, networkProblems } from './check/layers.ts';
import { cacheProblems, databaseProblems } from './check/services.ts';
import { trafficProblems } from './check/traffic.ts';
import type { Context } from './compile/context.ts';

/** All problems of a model that Alibaba Cloud cannot create. */
export const modelProblems = (context: Context): Problem[] => {
  const { model } = context;
  return [
    ...networkProblems(model.networkCidr),
    ...nameProblems(model, { normalize: resourceSuffix, kind: 'resource' }),
    ...model.layers.flatMap((layer, index) => [
      ...layerProblems(context, layer, index),
      ...trafficProblems(layer, at('layers', index)),
      ...capacityProblems(context, layer, at('layers', index, 'capacity')),
      ...balancerProblems(context, layer, at('layers', index, 'loadBalancer')),
    ]),
    ...portProblems(model),
    ...model.databases.flatMap((database, index) =>
      databaseProblems(context, database, at('databases', index)),
    ),
    ...nodeCountProblems(model, cacheEngines),
    ...model.caches.flatMap((cache, index) => cacheProblems(cache, at('caches', index))),
    ...tagProblems(model),
  ];
};

const reservedTag = /^(aliyun|acs:|https?:\/\/)/i;

function tagProblems({ tags = {} }: StackModel): Problem[] {
  const all = Object.entries(tags);
  const problems: Problem[] = all
    .filter(
      ([key, value]) =>
        key.length > 64 || value.length > 128 || reservedTag.test(key) || reservedTag.test(value),
    )
    .map(([key]) => ({
      path: at('tags', key),
      message: `Alibaba Cloud does not accept tag ${key}. A name has at most 64 characters, a value 128, and neither starts with aliyun, acs: or http://.`,
    }));
  if (all.length > limits.tags)
    problems.push({
      path: 'tags',
      message: `Alibaba Cloud accepts ${limits.tags} tags next to Almanac's own, not ${all.length}. Use fewer.`,
    });
  return problems;
}
