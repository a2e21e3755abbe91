import { at, type Outcome, reject, succeed } from '../../basics/problem.ts';
import type { StackModel } from '../../model/stack-model.ts';
import { nameClashes, type Part } from '../shared/template/parts.ts';
import { templateProblems } from './check/template.ts';
import { modelProblems } from './check.ts';
import type { Choices, ChosenDatabase } from './choices.ts';
import { cache } from './compile/caches.ts';
import type { Context, Entry } from './compile/context.ts';
import { database, storageGib } from './compile/databases.ts';
import { group } from './compile/groups.ts';
import { keyPair, needsRole, role } from './compile/identity.ts';
import { loadBalancing } from './compile/load-balancers.ts';
import { layerNetwork, stackNetwork } from './compile/network.ts';
import { notesOf } from './compile/notes.ts';
import { outputsOf } from './compile/outputs.ts';
import { diskGib, servers } from './compile/servers.ts';
import { withUserTags } from './compile/tags.ts';
import { layerSecurityGroup, networkAcl } from './compile/traffic-rules.ts';
import {
  type AlicloudDocument,
  databasePasswordParameter,
  type Template,
  versionParameter,
} from './document.ts';
import { reserveSubnets } from './layout/reserve-subnets.ts';

interface CompileInput {
  model: StackModel;
  stackId: string;
  choices: Choices;
  /** The URL at which servers in the cloud reach this Almanac. */
  baseUrl: string;
}

/** Compiles a model to one ROS template. Pure: equal input gives an equal document. */
export function compile(input: CompileInput): Outcome<AlicloudDocument> {
  const { model, stackId, choices } = input;
  const baseUrl = input.baseUrl.replace(/\/+$/, '');
  const problems = modelProblems({ model, stackId, choices, baseUrl });
  const cidrs = reserveSubnets(model, choices.cidrs);
  if (!cidrs.ok || problems.length > 0) return reject([...problems, ...(cidrs.ok ? [] : cidrs.problems)]);
  const context: Context = { model, stackId, choices: { ...choices, cidrs: cidrs.value }, baseUrl };
  const parts = partsOf(context);
  const template = templateOf(context, parts);
  const sources = new Map(parts.flatMap(({ path, entries }) => entries.map(([id]) => [id, path])));
  const remaining = [...nameClashes(parts), ...templateProblems(template, sources)];
  return remaining.length > 0 ? reject(remaining) : succeed(documentOf(context, template));
}

const documentOf = (context: Context, template: Template): AlicloudDocument => ({
  region: context.model.region,
  stackId: context.stackId,
  template,
  secrets: { agentToken: needsRole(context), databasePassword: context.model.databases.length > 0 },
  choices: { ...context.choices, ...sizesOf(context), notes: [] },
  notes: [...context.choices.notes, ...notesOf(context)],
});

/** The sizes that the next version must not shrink. */
function sizesOf({ model, choices }: Context): Pick<Choices, 'volumeGib' | 'databases'> {
  const fixed = model.layers.filter(({ capacity }) => capacity.kind === 'fixed' && capacity.count > 0);
  return {
    volumeGib: Object.fromEntries(fixed.map((layer) => [layer.flag, diskGib(layer)])),
    databases: Object.fromEntries(
      model.databases.flatMap((each): [string, ChosenDatabase][] => {
        const chosen = choices.databases[each.name];
        return chosen ? [[each.name, { ...chosen, storageGib: storageGib(each) }]] : [];
      }),
    ),
  };
}

const partsOf = (context: Context): Part<Entry>[] => [
  { path: 'layers', entries: [...stackNetwork(context), ...role(context)] },
  ...context.model.layers.map((layer, index) => ({
    path: at('layers', index),
    entries: [
      ...layerNetwork(context, layer),
      ...networkAcl(context, layer),
      layerSecurityGroup(context, layer),
      ...keyPair(context, layer),
      ...loadBalancing(context, layer),
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

const templateOf = (context: Context, parts: readonly Part<Entry>[]): Template => ({
  ROSTemplateFormatVersion: '2015-09-01',
  Description: `Almanac stack ${context.stackId}`,
  Parameters: {
    [versionParameter]: { Type: 'String' },
    ...(context.model.databases.length > 0
      ? { [databasePasswordParameter]: { Type: 'ALIYUN::OOS::SecretParameter::Value', NoEcho: true } }
      : {}),
  },
  Resources: Object.fromEntries(
    parts.flatMap(({ entries }) => entries.map((entry) => withUserTags(context.model, entry))),
  ),
  Outputs: Object.fromEntries(outputsOf(context)),
});
