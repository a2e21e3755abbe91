import type { Given } from '../../args/args.ts';
import { wrongUsage } from '../../cli-error.ts';

type Members = Record<string, unknown>;

const replicas = [1, 2, 3, 4, 5];
const mostNodes: Readonly<Record<string, number>> = { Redis: 6, Memcached: 20 };

/** What a part of the stack cannot do without. */
function needAll(given: Given, part: string, names: readonly string[]): void {
  const missing = names.filter((name) => !given.has(name)).map((name) => `--${name}`);
  if (missing.length > 0) throw wrongUsage(`--${part} needs ${missing.join(' and ')}.`);
}

function database(given: Given): Members {
  if (!given.is('usedb')) return {};
  needAll(given, 'usedb', ['dbengine', 'dbtype', 'dbstorage']);
  const wanted = replicas.filter((which) => given.is(`dbread-replica${which}`));
  return {
    database: [
      {
        Engine: given.text('dbengine'),
        DBType: given.text('dbtype'),
        DBStorage: given.number('dbstorage'),
        ...Object.fromEntries(wanted.map((which) => [`ReadReplica${which}`, true])),
      },
    ],
  };
}

function cache(given: Given): Members {
  if (!given.is('use-elasticache')) return {};
  needAll(given, 'use-elasticache', ['elasticache-engine', 'elasticache-nodetype', 'elasticache-nodecount']);
  const engine = given.required('elasticache-engine');
  const nodes = given.number('elasticache-nodecount') ?? 1;
  const most = mostNodes[engine] ?? 1;
  if (nodes > most)
    throw wrongUsage(`--elasticache-nodecount: ${engine} has 1 to ${most} nodes, not ${nodes}.`);
  return {
    elasticache: [
      {
        ElastiCacheEngine: engine,
        ElastiCacheNodeType: given.text('elasticache-nodetype'),
        ElastiCacheNodes: String(nodes),
      },
    ],
  };
}

function mustBeInOrder(given: Given): void {
  const [min, max] = [given.number('min'), given.number('max')];
  if (min !== undefined && max !== undefined && min > max)
    throw wrongUsage(`--min ${min} is more than --max ${max}.`);
}

/** What the flags of a v2 create say together; what is left out is not sent. */
export function configurationFrom(given: Given): Members {
  const members: Members = {
    region: given.text('region'),
    nickname: given.text('nickname'),
    architecture: given.text('arch'),
    type: given.text('type'),
    image: given.text('image'),
    dockerHubUsername: given.text('dhub-user'),
    dockerHubPassword: given.text('dhub-pass'),
    min: given.number('min'),
    max: given.number('max'),
    spotRange: given.number('spot-range'),
    code: given.text('code'),
    gitReference: given.has('code') ? given.text('code-ref') : undefined,
    gitPrivateKey: given.text('code-privkey'),
    ...database(given),
    ...cache(given),
  };
  mustBeInOrder(given);
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/** Only what was written: an update leaves the rest as it is. */
export function changesFrom(given: Given): Members {
  mustBeInOrder(given);
  const changes: [string, unknown][] = [
    ['type', given.text('type')],
    ['min', given.number('min')],
    ['max', given.number('max')],
    ['spotRange', given.number('spot-range')],
  ];
  return Object.fromEntries(changes.filter(([, value]) => value !== undefined));
}

const secrets = new Set(['dockerHubPassword', 'gitPrivateKey']);

const shown = (name: string, value: unknown): unknown => {
  if (secrets.has(name)) return '***';
  // `https://user:token@host/code.git`
  return typeof value === 'string' ? value.replace(/(?<=:\/\/)[^/@\s]+(?=@)/, '***') : value;
};

/** The same to be shown. */
export const withoutSecrets = (members: Members): Members =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, shown(name, value)]));
