import { at, type Outcome, reject, succeed } from '../../basics/problem.ts';
import type { StackModel } from '../../model/stack-model.ts';
import { nameClashes, type Part } from '../shared/template/parts.ts';
import { compiledProblems } from './check/template.ts';
import { modelProblems } from './check.ts';
import { type Choices, nothingChosen } from './choices.ts';
import { cache, cacheSubnetGroup } from './compile/caches.ts';
import type { Context, Entry } from './compile/context.ts';
import { database, databaseSubnetGroup } from './compile/databases.ts';
import { files } from './compile/files.ts';
import { group } from './compile/groups.ts';
import { keyPair, role } from './compile/identity.ts';
import { loadBalancing } from './compile/load-balancers.ts';
import { layerSubnetEntries, stackNetwork } from './compile/network.ts';
import { fileNotes, storageNotes } from './compile/notes.ts';
import { outputsOf } from './compile/outputs.ts';
import { servers } from './compile/servers.ts';
import { withUserTags } from './compile/tags.ts';
import { layerSecurityGroup, networkAcl } from './compile/traffic-rules.ts';
import { fromSnapshot } from './data-stores.ts';
import { type AwsDocument, type Template, versionParameter } from './document.ts';
import { placeBalancers } from './layout/balancer-places.ts';
import { decideDisks } from './layout/disks.ts';
import { subnetZones } from './layout/placement.ts';
import { reserveSubnets } from './layout/reserve-subnets.ts';
import { decideServices, keptRestored } from './layout/versions.ts';

interface CompileInput {
  model: StackModel;
  stackId: string;
  choices: Choices;
  /** The URL at which servers in the cloud reach this Almanac. */
  baseUrl: string;
}

/** Compiles a model to one CloudFormation template. Pure: equal input gives an equal document. */
export function compile({ model, stackId, choices, ...input }: CompileInput): Outcome<AwsDocument> {
  const baseUrl = input.baseUrl.replace(/\/+$/, '');
  const problems = modelProblems({ model, choices, baseUrl });
  if (problems.length > 0) return reject(problems);
  const balancers = placeBalancers(model, choices);
  if (balancers.problems.length > 0) return reject(balancers.problems);
  const cidrs = reserveSubnets(model, choices);
  if (!cidrs.ok) return cidrs;
  const places = subnetZones(model, choices, balancers.ownZone);
  const decided = { ...decide(model, choices), cidrs: cidrs.value, places };
  const context: Context = { model, stackId, choices: decided, balancers, baseUrl };
  const parts = partsOf(context);
  const template = templateOf(context, parts);
  const sources = new Map(parts.flatMap(({ path, entries }) => entries.map(([id]) => [id, path])));
  const remaining = [...nameClashes(parts), ...compiledProblems(template, model.region, sources)];
  return remaining.length > 0
    ? reject(remaining)
    : succeed({
        template,
        choices: { ...decided, restored: stillIn(template, decided.restored) },
        notes: [...choices.notes, ...storageNotes(model, choices), ...fileNotes(model, choices)],
      });
}

/** The choices that are stored with the version. */
const decide = (model: StackModel, choices: Choices): Choices => ({
  ...choices,
  ...decideServices(model, choices),
  disks: decideDisks(model, choices),
  restored: keptRestored(model, choices),
  offered: nothingChosen.offered,
  notes: nothingChosen.notes,
});

const stillIn = ({ Resources }: Template, restored: Choices['restored']): Choices['restored'] =>
  Object.fromEntries(Object.entries(restored).filter(([id]) => Resources[id] !== undefined));

const partsOf = (context: Context): Part<Entry>[] => [
  { path: 'layers', entries: sharedResources(context) },
  ...context.model.layers.map((layer, index) => ({
    path: at('layers', index),
    entries: [
      ...layerSubnetEntries(context, layer),
      ...networkAcl(context, layer),
      layerSecurityGroup(context, layer),
      ...keyPair(context, layer),
      ...role(context, layer),
      ...loadBalancing(context, layer),
      ...files(context, layer),
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

const templateOf = (context: Context, parts: readonly Part<Entry>[]): Template => ({
  AWSTemplateFormatVersion: '2010-09-09',
  Description: `Almanac stack ${context.stackId}`,
  Parameters: { [versionParameter]: { Type: 'String' } },
  Resources: Object.fromEntries(
    parts.flatMap(({ entries }) => entries.map((entry) => finished(context, entry))),
  ),
  Outputs: Object.fromEntries(outputsOf(context)),
});

function finished({ model, choices }: Context, entry: Entry): Entry {
  const [id, resource] = withUserTags(model, entry);
  return [id, fromSnapshot(resource, choices.restored[id])];
}
