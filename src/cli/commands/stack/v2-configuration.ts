import type { Args } from '../../args/args.ts';
import { usageError } from '../../cli-error.ts';

type Members = Record<string, unknown>;

const replicas = [1, 2, 3, 4, 5];
const maxNodes: Readonly<Record<string, number>> = { Redis: 6, Memcached: 20 };

/** What a part of the stack cannot do without. */
function needAll(args: Args, part: string, names: readonly string[]): void {
  const missing = names.filter((name) => !args.has(name)).map((name) => `--${name}`);
  if (missing.length > 0) throw usageError(`--${part} needs ${missing.join(' and ')}.`);
}

function database(args: Args): Members {
  if (!args.is('usedb')) return {};
  needAll(args, 'usedb', ['dbengine', 'dbtype', 'dbstorage']);
  const wanted = replicas.filter((which) => args.is(`dbread-replica${which}`));
  return {
    database: [
      {
        Engine: args.text('dbengine'),
        DBType: args.text('dbtype'),
        DBStorage: args.number('dbstorage'),
        ...Object.fromEntries(wanted.map((which) => [`ReadReplica${which}`, true])),
      },
    ],
  };
}

function cache(args: Args): Members {
  if (!args.is('use-elasticache')) return {};
  needAll(args, 'use-elasticache', ['elasticache-engine', 'elasticache-nodetype', 'elasticache-nodecount']);
  const engine = args.required('elasticache-engine');
  const nodes = args.number('elasticache-nodecount') ?? 1;
  const most = maxNodes[engine] ?? 1;
  if (nodes > most)
    throw usageError(`--elasticache-nodecount: ${engine} has 1 to ${most} nodes, not ${nodes}.`);
  return {
    elasticache: [
      {
        ElastiCacheEngine: engine,
        ElastiCacheNodeType: args.text('elasticache-nodetype'),
        ElastiCacheNodes: String(nodes),
      },
    ],
  };
}

function mustBeInOrder(args: Args): void {
  const [min, max] = [args.number('min'), args.number('max')];
  if (min !== undefined && max !== undefined && min > max)
    throw usageError(`--min ${min} is more than --max ${max}.`);
}

/** What the flags of a v2 create say together; what is left out is not sent. */
export function configurationFrom(args: Args): Members {
  const members: Members = {
    region: args.text('region'),
    nickname: args.text('nickname'),
    architecture: args.text('arch'),
    type: args.text('type'),
    image: args.text('image'),
    dockerHubUsername: args.text('dhub-user'),
    dockerHubPassword: args.text('dhub-pass'),
    min: args.number('min'),
    max: args.number('max'),
    spotRange: args.number('spot-range'),
    code: args.text('code'),
    gitReference: args.has('code') ? args.text('code-ref') : undefined,
    gitPrivateKey: args.text('code-privkey'),
    ...database(args),
    ...cache(args),
  };
  mustBeInOrder(args);
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/** Only what was written: an update leaves the rest as it is. */
export function changesFrom(args: Args): Members {
  mustBeInOrder(args);
  const changes: [string, unknown][] = [
    ['type', args.text('type')],
    ['min', args.number('min')],
    ['max', args.number('max')],
    ['spotRange', args.number('spot-range')],
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
