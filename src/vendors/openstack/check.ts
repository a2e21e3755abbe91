import { at, type Problem } from '../../basics/problem.ts';
import { cidrProblem, parseBlock } from '../../model/ipv4-block.ts';
import { resourceSuffix } from '../../model/names.ts';
import type { StackModel } from '../../model/stack-model.ts';
import { nameProblems, nodeCountProblems } from '../shared/checks.ts';
import { portProblems } from '../shared/port-checks.ts';
import { cacheEngines } from './catalog.ts';
import { balancerProblems } from './check/balancers.ts';
import { capacityProblems } from './check/capacity.ts';
import { invalidPrefix, isUsablePrefix, layerProblems } from './check/layers.ts';
import { databaseProblems } from './check/services.ts';
import { trafficProblems } from './check/traffic.ts';
import type { Context } from './compile/context.ts';

/** All problems of a model that the cloud cannot create. */
export const modelProblems = (context: Context): Problem[] => {
  const { model } = context;
  return [
    ...networkProblems(model.networkCidr),
    ...nameProblems(model, { normalize: resourceSuffix, kind: 'resource' }),
    ...model.layers.flatMap((layer, index) => [
      ...layerProblems(context, layer, index),
      ...trafficProblems(context, layer, at('layers', index)),
      ...capacityProblems(context, layer, at('layers', index, 'capacity')),
      ...balancerProblems(context, layer, at('layers', index, 'loadBalancer')),
    ]),
    ...portProblems(model),
    ...model.databases.flatMap((database, index) =>
      databaseProblems(context, database, at('databases', index)),
    ),
    ...nodeCountProblems(model, cacheEngines),
    ...tagProblems(model),
  ];
};

function networkProblems(cidr: string): Problem[] {
  const cidrError = cidrProblem(cidr);
  if (cidrError) return [{ path: 'networkCidr', message: `${cidr} ${cidrError}` }];
  if (isUsablePrefix(parseBlock(cidr)?.prefix ?? 0)) return [];
  return [{ path: 'networkCidr', message: invalidPrefix(cidr) }];
}

/** Servers carry them as metadata. */
const tagProblems = ({ tags = {} }: StackModel): Problem[] =>
  Object.entries(tags)
    .filter(([key]) => !/^[\w:. -]{1,255}$/.test(key))
    .map(([key]) => ({
      path: at('tags', key),
      message: `Tag ${key} has characters that servers cannot carry. Use letters, digits, spaces and - _ : . only.`,
    }));
