import { at, type Outcome, type Problem, reject, succeed } from '../../basics/problem.ts';
import type { StackModel } from '../../model/stack-model.ts';
import { templateProblems } from './check/template.ts';
import { problemsOf } from './check.ts';
import type { Choices } from './choices.ts';
import { layerSecurityGroup, networkAcl } from './compile/borders.ts';
import { cache, cacheSubnetGroup } from './compile/caches.ts';
import type { Context, Entry } from './compile/context.ts';
import { database, databaseSubnetGroup } from './compile/databases.ts';
import { front } from './compile/front.ts';
import { group } from './compile/groups.ts';
import { keyPair, role } from './compile/identity.ts';
import { layerSubnet, stackNetwork } from './compile/network.ts';
import { outputsOf } from './compile/outputs.ts';
import { servers } from './compile/servers.ts';
import { type AwsDocument, type Template, versionParameter } from './document.ts';
import { placeBalancers } from './layout/balancer-places.ts';
import { subnetZones } from './layout/placement.ts';
import { reserveSubnets } from './layout/reserve-subnets.ts';
import { decideServices } from './layout/versions.ts';

/** One model, one CloudFormation template. Pure: the same model and choices always give the same document. */
export function compile(
  tools: { baseUrl: () => string },
  model: StackModel,
  stackId: string,
  choices: Choices,
): Outcome<AwsDocument> {
  const baseUrl = tools.baseUrl().replace(/\/+$/, '');
  const problems = problemsOf({ model, choices, baseUrl });
  if (problems.length > 0) return reject(problems);
  const balancers = placeBalancers(model, choices);
  if (balancers.problems.length > 0) return reject(balancers.problems);
  const cidrs = reserveSubnets(model, choices);
  if (!cidrs.ok) return cidrs;
  const places = subnetZones(model, choices, balancers.ownZone);
  const decided = { ...choices, cidrs: cidrs.value, places, ...decideServices(model, choices) };
  const parts = partsOf({ model, stackId, choices: decided, balancers, baseUrl });
  const template = templateOf(stackId, parts, model);
  const late = [...nameClashes(parts), ...templateProblems(template, model.region)];
  return late.length > 0 ? reject(late) : succeed({ template, choices: decided });
}

/** The resources that a part of the model brings. */
interface Part {
  path: string;
  entries: readonly Entry[];
}

const partsOf = (context: Context): Part[] => [
  { path: 'layers', entries: sharedResources(context) },
  ...context.model.layers.map((layer, index) => ({
    path: at('layers', index),
    entries: [
      ...layerSubnet(context, layer),
      ...networkAcl(layer),
      layerSecurityGroup(context, layer),
      ...keyPair(context, layer),
      ...role(context, layer),
      ...front(context, layer),
      ...servers(context, layer),
      ...group(context, layer),
    ],
  })),
  ...context.model.databases.map((each, index) => ({
    path: at('databases', index),
    entries: database(context, each),
  })),
  ...context.model.caches.map((each, index) => ({
    path: at('caches', index),
    entries: cache(context, each),
  })),
];

const sharedResources = (context: Context): Entry[] => [
  ...stackNetwork(context),
  ...databaseSubnetGroup(context.model),
  ...cacheSubnetGroup(context.model),
];

const templateOf = (stackId: string, parts: readonly Part[], model: StackModel): Template => ({
  AWSTemplateFormatVersion: '2010-09-09',
  Description: `Almanac stack ${stackId}`,
  Parameters: { [versionParameter]: { Type: 'String' } },
  Resources: Object.fromEntries(parts.flatMap(({ entries }) => entries)),
  Outputs: Object.fromEntries(outputsOf(model)),
});

/** Names of layers, databases and caches may be such that, behind the kind of a resource, two read the same. */
function nameClashes(parts: readonly Part[]): Problem[] {
  const seen = new Set<string>();
  const problems: Problem[] = [];
  for (const { path, entries } of parts)
    for (const [id] of entries) {
      if (seen.has(id))
        problems.push({ path, message: `Its name makes a second resource called ${id}. Choose another.` });
      seen.add(id);
    }
  return problems;
}
