import { at, type Outcome, reject, succeed } from '../../basics/problem.ts';
import type { StackModel } from '../../model/stack-model.ts';
import { hasAgent } from '../shared/agents.ts';
import { nameClashes, type Part } from '../shared/template/parts.ts';
import { templateProblems } from './check/template.ts';
import { modelProblems } from './check.ts';
import type { Choices } from './choices.ts';
import { cache } from './compile/caches.ts';
import type { Context, Entry } from './compile/context.ts';
import { database } from './compile/databases.ts';
import { group, memberFile } from './compile/groups.ts';
import { loadBalancing } from './compile/load-balancers.ts';
import { layerNetwork, stackNetwork } from './compile/network.ts';
import { notesOf } from './compile/notes.ts';
import { outputsOf } from './compile/outputs.ts';
import { ownDatabase, ownDatabaseSubnets, ownGroup, ownLoadBalancing } from './compile/own-services.ts';
import { keyPair, servers } from './compile/servers.ts';
import { withUserTags } from './compile/tags.ts';
import { layerSecurityGroup } from './compile/traffic-rules.ts';
import { type DialectName, dialects } from './dialect.ts';
import type { OpenStackDocument, Parameter, Template } from './document.ts';
import { reserveDataBlock } from './layout/data-block.ts';
import { restore } from './layout/restore.ts';
import * as names from './names.ts';

export interface CompileInput {
  model: StackModel;
  stackId: string;
  choices: Choices;
  dialect: DialectName;
  /** The URL at which servers in the cloud reach this Almanac. */
  baseUrl: string;
}

/** Compiles a model to one Heat template. Pure: equal input gives an equal document. */
export function compile(input: CompileInput): Outcome<OpenStackDocument> {
  const { model, stackId, choices } = input;
  const baseUrl = input.baseUrl.replace(/\/+$/, '');
  const dialect = dialects[input.dialect];
  const checked: Context = { model, stackId, choices, dialect, baseUrl };
  const problems = modelProblems(checked);
  const block = reserveDataBlock(model, choices.dataCidr);
  if (!block.ok || problems.length > 0) return reject([...problems, ...(block.ok ? [] : block.problems)]);
  const context: Context = { ...checked, choices: { ...choices, dataCidr: block.value } };
  const parts = partsOf(context);
  const document = documentOf(context, parts);
  const remaining = [...nameClashes(parts), ...templateProblems(document)];
  return remaining.length > 0 ? reject(remaining) : succeed(document);
}

function documentOf(context: Context, parts: readonly Part<Entry>[]): OpenStackDocument {
  const { model, choices, dialect } = context;
  const secrets = secretsOf(context);
  const template = templateOf(context, parts, secrets);
  const document: OpenStackDocument = {
    region: model.region,
    dialect: dialect.name,
    template,
    files: dialect.ownServices
      ? {}
      : Object.fromEntries(model.layers.flatMap((layer) => memberFile(context, layer))),
    secrets,
    choices: { ...choices, ...sizesOf(model, choices), restored: {}, notes: [] },
    notes: [...choices.notes, ...notesOf(context)],
  };
  return restore(document, new Map(Object.entries(choices.restored)));
}

/** The sizes that the next version must not shrink. */
const sizesOf = (
  { layers, databases }: StackModel,
  { servers: chosen }: Choices,
): Pick<Choices, 'volumeGib' | 'databaseGib'> => ({
  volumeGib: Object.fromEntries(
    layers.flatMap(({ flag }) => {
      const { volume } = chosen[flag] ?? {};
      return volume ? [[flag, volume.sizeGib]] : [];
    }),
  ),
  databaseGib: Object.fromEntries(databases.map(({ name, storageGib }) => [name, storageGib])),
});

const secretsOf = (context: Context): OpenStackDocument['secrets'] => {
  const { layers, databases } = context.model;
  return {
    agentToken: layers.some((layer) => hasAgent(context, layer)),
    databasePassword: databases.length > 0,
    publicKeysOf: layers.filter((layer) => layer.keyPair).map(({ flag }) => flag),
  };
};

function partsOf(context: Context): Part<Entry>[] {
  const { model, dialect } = context;
  const own = dialect.ownServices;
  return [
    {
      path: 'layers',
      entries: [
        ...stackNetwork(context),
        ...(own && model.databases.length > 0 ? [ownDatabaseSubnets()] : []),
      ],
    },
    ...model.layers.map((layer, index) => ({
      path: at('layers', index),
      entries: [
        ...layerNetwork(context, layer),
        layerSecurityGroup(context, layer),
        ...keyPair(context, layer),
        ...(own ? ownLoadBalancing(context, layer) : loadBalancing(context, layer)),
        ...servers(context, layer),
        ...(own ? ownGroup(context, layer) : group(context, layer)),
      ],
    })),
    ...model.databases.map((each, index) => ({
      path: at('databases', index),
      entries: own ? ownDatabase(context, each) : database(context, each),
    })),
    ...model.caches.map((each, index) => ({ path: at('caches', index), entries: cache(context, each) })),
  ];
}

const hidden: Parameter = { type: 'string', hidden: true };

const parametersOf = ({
  agentToken,
  databasePassword,
  publicKeysOf,
}: OpenStackDocument['secrets']): Template['parameters'] => ({
  ...(agentToken ? { [names.agentTokenParameter]: hidden } : {}),
  ...(databasePassword ? { [names.databasePasswordParameter]: hidden } : {}),
  ...Object.fromEntries(
    publicKeysOf.map((flag) => [names.publicKeyParameter(flag), { type: 'string' } as const]),
  ),
});

const templateOf = (
  context: Context,
  parts: readonly Part<Entry>[],
  secrets: OpenStackDocument['secrets'],
): Template => ({
  heat_template_version: context.dialect.templateVersion,
  description: `Almanac stack ${context.stackId}`,
  parameters: parametersOf(secrets),
  resources: Object.fromEntries(
    parts.flatMap(({ entries }) =>
      entries.map((entry) => withUserTags(context.model, context.dialect, entry)),
    ),
  ),
  outputs: outputsOf(context),
});
