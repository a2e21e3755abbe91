import type { Args } from '../../args/args.ts';
import { usageError } from '../../cli-error.ts';

type Members = Record<string, unknown>;

const replicas = [1, 2, 3, 4, 5];
const maxNodes: Readonly<Record<string, number>> = { Redis: 6, Memcached: 20 };

/** Flags that another flag requires. */
function requireAll(args: Args, part: string, names: readonly string[]): void {
  const missing = names.filter((name) => !args.has(name)).map((name) => `--${name}`);
  if (missing.length > 0) throw usageError(`--${part} requires ${missing.join(' and ')}.`);
}

function database(args: Args): Members {
  if (!args.is('usedb')) return {};
  requireAll(args, 'usedb', ['dbengine', 'dbtype', 'dbstorage']);
  const selected = replicas.filter((which) => args.is(`dbread-replica${which}`));
  return {
    database: [
      {
        Engine: args.text('dbengine'),
        DBtype: args.text('dbtype'),
        DBStorage: String(args.number('dbstorage')),
        ...Object.fromEntries(selected.map((which) => [`ReadReplica${which}`, 'true'])),
      },
    ],
  };
}

function cache(args: Args): Members {
  if (!args.is('use-elasticache')) return {};
  requireAll(args, 'use-elasticache', [
    'elasticache-engine',
    'elasticache-nodetype',
    'elasticache-nodecount',
  ]);
  const engine = args.required('elasticache-engine');
  const nodes = args.number('elasticache-nodecount') ?? 1;
  const max = maxNodes[engine] ?? 1;
  if (nodes > max)
    throw usageError(`--elasticache-nodecount must be 1 to ${max} for ${engine}, not ${nodes}.`);
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

function checkMinMax(args: Args): void {
  const [min, max] = [args.number('min'), args.number('max')];
  if (min !== undefined && max !== undefined && min > max)
    throw usageError(`--min ${min} is greater than --max ${max}.`);
}

/** The configuration of a v2 stack from the flags; omitted ones are not sent. */
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
  checkMinMax(args);
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/** The given changes only: an update leaves the rest unchanged. */
export function changesFrom(args: Args): Members {
  checkMinMax(args);
  const changes: [string, unknown][] = [
    ['type', args.text('type')],
    ['min', args.number('min')],
    ['max', args.number('max')],
    ['spotRange', args.number('spot-range')],
  ];
  return Object.fromEntries(changes.filter(([, value]) => value !== undefined));
}

const secrets = new Set(['dockerHubPassword', 'gitPrivateKey']);

const redact = (name: string, value: unknown): unknown => {
  if (secrets.has(name)) return '***';
  // `https://user:token@host/code.git`
  return typeof value === 'string' ? value.replace(/(?<=:\/\/)[^/@\s]+(?=@)/, '***') : value;
};

/** A copy for display, with secrets redacted. */
export const withoutSecrets = (members: Members): Members =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, redact(name, value)]));
