import { at } from '../../../basics/problem.ts';
import type { Layer, StackModel } from '../../../model/stack-model.ts';

/** The parts of a stack that a report has a row for. */
export type MemberKind =
  | 'region'
  | 'network'
  | 'tags'
  | 'servers'
  | 'subnet'
  | 'rules'
  | 'load_balancer'
  | 'volume'
  | 'key_pair'
  | 'container'
  | 'database'
  | 'cache';

export interface Member {
  /** Unique in the report. */
  key: string;
  kind: MemberKind;
  /** Of the layer, the database or the cache; empty: it belongs to the whole stack. */
  name: string;
  /** A path of the model. */
  path: string;
}

/** Names of layers are unique, and so are those of databases and of caches. */
export const keyOf = (kind: MemberKind, name = ''): string => `${kind} ${name}`;

const ofLayer: Readonly<Record<string, MemberKind>> = {
  subnet: 'subnet',
  networkAcl: 'rules',
  securityGroup: 'rules',
  loadBalancer: 'load_balancer',
  volume: 'volume',
  keyPair: 'key_pair',
  container: 'container',
};

const ofStack: Readonly<Record<string, MemberKind>> = {
  region: 'region',
  vendor: 'region',
  vendorOptions: 'region',
  tags: 'tags',
};

/** The keys of the rows that a path of the model may belong to, best first. */
export function keysFor({ layers, databases, caches }: StackModel, path: string): string[] {
  const [part = '', index = '', member = ''] = path.split('/');
  const position = Number(index);
  if (part === 'databases') return [keyOf('database', databases[position]?.name)];
  if (part === 'caches') return [keyOf('cache', caches[position]?.name)];
  if (part !== 'layers') return [keyOf(ofStack[part] ?? 'network')];
  const flag = layers[position]?.flag;
  return [keyOf(ofLayer[member] ?? 'servers', flag), keyOf('servers', flag)];
}

const hasRules = ({ networkAcl, securityGroup: { ingress, egress } }: Layer): boolean =>
  networkAcl.length + ingress.length + egress.length > 0;

/** What a layer always has, and what its document says. */
const kindsOf = (layer: Layer): [MemberKind, path: string][] => [
  ['servers', ''],
  ['subnet', 'subnet'],
  ...(hasRules(layer) ? [['rules', 'securityGroup'] satisfies [MemberKind, string]] : []),
  ...(layer.loadBalancer ? [['load_balancer', 'loadBalancer'] satisfies [MemberKind, string]] : []),
  ...(layer.volume.sizeGib === null && layer.volume.type === null
    ? []
    : [['volume', 'volume'] satisfies [MemberKind, string]]),
  ...(layer.keyPair ? [['key_pair', 'keyPair'] satisfies [MemberKind, string]] : []),
  ...(layer.container ? [['container', 'container'] satisfies [MemberKind, string]] : []),
];

export const membersOf = ({ layers, databases, caches, tags = {} }: StackModel): Member[] => {
  const stack = (kind: MemberKind, path: string): Member => ({ key: keyOf(kind), kind, name: '', path });
  const service =
    (kind: MemberKind, list: string) =>
    ({ name }: { name: string }, index: number): Member => ({
      key: keyOf(kind, name),
      kind,
      name,
      path: at(list, index),
    });
  return [
    stack('region', 'region'),
    stack('network', 'networkCidr'),
    ...(Object.keys(tags).length > 0 ? [stack('tags', 'tags')] : []),
    ...layers.flatMap((layer, index) =>
      kindsOf(layer).map(([kind, path]) => ({
        key: keyOf(kind, layer.flag),
        kind,
        name: layer.flag,
        path: at('layers', index, path),
      })),
    ),
    ...databases.map(service('database', 'databases')),
    ...caches.map(service('cache', 'caches')),
  ];
};
