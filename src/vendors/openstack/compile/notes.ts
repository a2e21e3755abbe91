import { at } from '../../../basics/problem.ts';
import type { Layer, StackModel } from '../../../model/stack-model.ts';
import type { Remark } from '../../portability.ts';
import { scalingOf } from '../../shared/capacity.ts';
import { namedLayers } from '../../shared/layers.ts';
import type { ChosenFlavor } from '../choices.ts';
import { hasFiles } from '../layout/files.ts';
import type { Context } from './context.ts';

type Noted = Pick<Context, 'model' | 'choices' | 'dialect'>;

/** Sentences about what the cloud takes in another way than the document says. */
export const notesOf = (context: Noted): string[] => [
  ...new Set(remarksOf(context).map(({ message }) => message)),
];

/** The same, with the members that they are about. */
export const remarksOf = (context: Noted): Remark[] => [
  ...flavorRemarks(context),
  ...context.model.layers.flatMap((layer, index) => [
    ...remarksAt(at('layers', index, 'capacity'), groupNotes(context, layer)),
    ...remarksAt(at('layers', index, 'volume/type'), volumeNotes(context, layer)),
    ...remarksAt(at('layers', index, 'container/storage'), fileNotes(context, layer)),
    ...remarksAt(at('layers', index, 'loadBalancer'), balancerNotes(context, layer)),
  ]),
  ...cacheRemarks(context.model),
];

const remarksAt = (path: string, messages: readonly string[]): Remark[] =>
  messages.map((message) => ({ path, message }));

const sizeOf = ({ cpus, memoryMib }: ChosenFlavor): string =>
  `${cpus} CPU, ${Number((memoryMib / 1024).toFixed(1))} GiB`;

/** A type that is the name of a flavor needs no note. */
function flavorRemarks({ choices, model }: Noted): Remark[] {
  const chosen: [path: string, flavor: ChosenFlavor | undefined][] = [
    ...model.layers.map(({ flag }, index): [string, ChosenFlavor | undefined] => [
      at('layers', index, 'instanceType'),
      choices.servers[flag]?.flavor,
    ]),
    ...model.databases.map(({ name }, index): [string, ChosenFlavor | undefined] => [
      at('databases', index, 'instanceType'),
      choices.databases[name]?.flavor,
    ]),
    ...model.caches.map(({ name }, index): [string, ChosenFlavor | undefined] => [
      at('caches', index, 'nodeType'),
      choices.caches[name]?.flavor,
    ]),
  ];
  return chosen.flatMap(([path, flavor]) =>
    flavor && flavor.type !== flavor.name
      ? [{ path, message: `${flavor.type} → ${flavor.name} (${sizeOf(flavor)})` }]
      : [],
  );
}

function groupNotes({ dialect, model }: Noted, layer: Layer): string[] {
  const { capacity, flag } = layer;
  if (capacity.kind === 'shared')
    return [
      `Layer ${flag} has no servers of group ${capacity.groupOf}: a group runs in the subnet of its own layer.`,
    ];
  if (capacity.kind === 'fixed') return [];
  const others = namedLayers(model, capacity.subnetsOf, layer).filter((other) => other !== layer);
  return [
    ...(capacity.spotPercent > 0
      ? [
          `Layer ${flag} has 0 percent spot instances, not ${capacity.spotPercent}: ${dialect.label} has none.`,
        ]
      : []),
    ...(others.length > 0
      ? [
          `The servers of layer ${flag} run in its own subnet only, not in those of ${others.map((other) => other.flag).join(', ')}.`,
        ]
      : []),
    ...(scalingOf(capacity)
      ? [
          `The size of group ${flag} changes by signals to its scaling policies only: ${dialect.label} does not measure its load.`,
        ]
      : []),
  ];
}

function volumeNotes({ choices, dialect }: Noted, { flag, volume }: Layer): string[] {
  const chosen = choices.servers[flag]?.volume;
  if (volume.type === null || !chosen || chosen.type === volume.type) return [];
  const used = chosen.type === '' ? 'the default type of the cloud' : chosen.type;
  return [`Layer ${flag} has volumes of ${used}: this ${dialect.label} has no volume type ${volume.type}.`];
}

const fileNotes = ({ choices }: Noted, layer: Layer): string[] =>
  hasFiles(layer) && !choices.servers[layer.flag]?.data
    ? [
        `The files of layer ${layer.flag} are on the disks of its servers, and are lost with them: the cloud has no volumes for them, or the layer is older than this use of volumes.`,
      ]
    : [];

/** The failures that Octavia counts when the template names no number. */
const octaviaFailures = 3;

function balancerNotes(context: Noted, layer: Layer): string[] {
  const { loadBalancer: balancer, flag } = layer;
  if (!balancer) return [];
  const hosts = namedLayers(context.model, balancer.subnetsOf, layer);
  const failures = balancer.healthCheck.unhealthyThreshold;
  const isCounted = context.dialect.ownServices || failures === octaviaFailures;
  return [
    ...(hosts.length > 1
      ? [`The load balancer of layer ${flag} is in the subnet of ${hosts[0]?.flag} only.`]
      : []),
    ...(isCounted
      ? []
      : [
          `The load balancer of layer ${flag} leaves out a server after ${octaviaFailures} failed checks, not ${failures}.`,
        ]),
  ];
}

const cacheRemarks = ({ caches }: StackModel): Remark[] =>
  caches.map(({ name, engine, nodes }, index) => ({
    path: at('caches', index),
    message:
      engine === 'redis' && nodes > 1
        ? `Cache ${name} runs on ${nodes} servers. If the first one fails, no other takes its place.`
        : `Cache ${name} runs on ${nodes === 1 ? 'a server' : `${nodes} servers`} of its own.`,
  }));
