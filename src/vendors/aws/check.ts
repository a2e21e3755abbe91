import { at, type Problem } from '../../basics/problem.ts';
import { cidrProblem, parseBlock } from '../../model/ipv4-block.ts';
import { resourceSuffix } from '../../model/names.ts';
import { nameProblems } from '../shared/checks.ts';
import { portProblems } from '../shared/port-checks.ts';
import { balancerProblems } from './check/balancers.ts';
import { capacityProblems } from './check/capacity.ts';
import { invalidPrefix, layerProblems } from './check/layers.ts';
import { cacheProblems, databaseProblems } from './check/services.ts';
import { trafficProblems } from './check/traffic.ts';
import type { CheckContext } from './compile/context.ts';
import { regionProblems } from './layout/zone.ts';

/** All problems of a model that AWS cannot create. */
export const modelProblems = (checked: CheckContext): Problem[] => {
  const { model } = checked;
  return [
    ...regionAndNetworkProblems(checked),
    ...nameProblems(model, { normalize: resourceSuffix, kind: 'resource' }),
    ...model.layers.flatMap((layer, index) => [
      ...layerProblems(checked, layer, index),
      ...trafficProblems(layer, index),
      ...capacityProblems(checked, layer, at('layers', index, 'capacity')),
      ...balancerProblems(checked, layer, at('layers', index, 'loadBalancer')),
    ]),
    ...portProblems(model),
    ...model.databases.flatMap((database, index) =>
      databaseProblems(database, checked.choices.databases[database.name], at('databases', index)),
    ),
    ...model.caches.flatMap((cache, index) => cacheProblems(cache, at('caches', index))),
  ];
};

function regionAndNetworkProblems({ model, choices }: CheckContext): Problem[] {
  const problems = [...regionProblems(model.region), ...networkProblems(model.networkCidr)];
  const zonesNeeded = model.databases.length + model.caches.length > 0 ? 2 : 1;
  if (choices.zones.length < zonesNeeded)
    problems.push({
      path: 'region',
      message: `The stack needs ${zonesNeeded} zones in ${model.region}, but the account has ${choices.zones.length}.`,
    });
  return problems;
}

function networkProblems(cidr: string): Problem[] {
  const cidrError = cidrProblem(cidr);
  if (cidrError) return [{ path: 'networkCidr', message: `${cidr} ${cidrError}` }];
  const prefix = parseBlock(cidr)?.prefix ?? 0;
  if (prefix >= 16 && prefix <= 28) return [];
  return [{ path: 'networkCidr', message: invalidPrefix(cidr) }];
}
