import { at, type Problem } from '../../basics/problem.ts';
import { cidrProblem, parseBlock } from '../../model/ipv4-block.ts';
import { resourceSuffix } from '../../model/names.ts';
import type { StackModel } from '../../model/stack-model.ts';
import { balancerProblems } from './check/balancers.ts';
import { capacityProblems } from './check/capacity.ts';
import { layerProblems } from './check/layers.ts';
import { cacheProblems, databaseProblems } from './check/services.ts';
import { trafficProblems } from './check/traffic.ts';
import type { Checked } from './compile/context.ts';
import { regionProblems } from './layout/zone.ts';

/** Everything in the model that AWS could never make, at once. */
export const problemsOf = (checked: Checked): Problem[] => {
  const { model } = checked;
  return [
    ...placeProblems(checked),
    ...nameProblems(model),
    ...model.layers.flatMap((layer, index) => [
      ...layerProblems(checked, layer, index),
      ...trafficProblems(layer, index),
      ...capacityProblems(checked, layer, at('layers', index, 'capacity')),
      ...balancerProblems(checked, layer, at('layers', index, 'loadBalancer')),
    ]),
    ...model.databases.flatMap((database, index) =>
      databaseProblems(database, checked.choices.databases[database.name], at('databases', index)),
    ),
    ...model.caches.flatMap((cache, index) => cacheProblems(cache, at('caches', index))),
  ];
};

function placeProblems({ model, choices }: Checked): Problem[] {
  const problems = [...regionProblems(model.region), ...networkProblems(model.networkCidr)];
  const zonesNeeded = model.databases.length + model.caches.length > 0 ? 2 : 1;
  if (choices.zones.length < zonesNeeded)
    problems.push({
      path: 'region',
      message: `The stack needs ${zonesNeeded} zones in ${model.region}; the account can use ${choices.zones.length}.`,
    });
  return problems;
}

function networkProblems(cidr: string): Problem[] {
  const trouble = cidrProblem(cidr);
  if (trouble) return [{ path: 'networkCidr', message: `${cidr} ${trouble}` }];
  const prefix = parseBlock(cidr)?.prefix ?? 0;
  if (prefix >= 16 && prefix <= 28) return [];
  return [{ path: 'networkCidr', message: `${cidr} is not of a size AWS makes, which is /16 to /28.` }];
}

const namedParts = (model: StackModel): [string, readonly string[]][] => [
  ['layers', model.layers.map(({ flag }) => flag)],
  ['databases', model.databases.map(({ name }) => name)],
  ['caches', model.caches.map(({ name }) => name)],
];

function nameProblems(model: StackModel): Problem[] {
  return namedParts(model).flatMap(([part, names]) =>
    names.flatMap((name, index) => {
      const suffix = resourceSuffix(name);
      const first = names.findIndex((other) => resourceSuffix(other) === suffix);
      const path = at(part, index);
      if (suffix === '') return [{ path, message: `The name ${name} holds no letter or digit.` }];
      if (first === index) return [];
      return [{ path, message: `The names ${name} and ${names[first]} make the same resource names.` }];
    }),
  );
}
