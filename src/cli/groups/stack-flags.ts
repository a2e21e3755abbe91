import { type Flag, list, number, text, toggle } from '../args/flag.ts';

export const templateFile = (extra: Partial<{ required: true | 'v3'; only: 'v3' }>): Flag =>
  text('alm-template', 'template file, JSON or YAML; - reads standard input', {
    aliases: ['file'],
    value: 'file',
    complete: 'file',
    ...extra,
  });

export const waitTimeout: Flag = number('wait-timeout', 'maximum seconds to wait; 0 means no limit', {
  value: 'seconds',
  default: 0,
});

export const skipResources: Flag = list(
  'skip-resources',
  'resource to leave as it is, after an update that could not be undone; may be repeated',
  { value: 'resource' },
);

/** Flags of commands that start a long operation. */
export const waitFlags: readonly Flag[] = [
  toggle(
    'wait',
    'wait until the operation ends and show its events; Ctrl-C stops waiting, not the operation',
  ),
  { ...waitTimeout, needs: 'wait' },
];

/** The same for commands that wait unless --wait=false is given. */
export const waitingFlags: readonly Flag[] = [
  toggle('wait', 'wait until the operation ends and show it; --wait=false returns at once', {
    default: true,
  }),
  { ...waitTimeout, needs: 'wait' },
];

/** Whether a new stack may have the name of another one. */
export const another: Flag = toggle('another', 'create the stack even if another one has the same name', {
  only: 'v3',
});

/** Flags of commands that may remove data. */
export const dataFlags: readonly Flag[] = [
  toggle(
    'keep-data',
    'go on if databases, caches or files are removed, and keep their data, such as in snapshots',
  ),
  toggle('delete-data', 'go on if databases, caches or files are removed, and delete their data'),
  list('data', 'the same for one of them: <id or resource>=keep or =delete; may be repeated', {
    value: 'choice',
    complete: 'data-choice',
  }),
  toggle('replace-servers', 'go on if servers outside groups are replaced or removed, with their disks'),
];

/** What a rollback does about data that the stack no longer has. */
export const restore: Flag = text(
  'restore',
  'for a database, cache or files that come back: latest restores the data kept last, a data ID that one, empty none',
  { value: 'data id', complete: 'restore' },
);

export const previewOnly: Flag = toggle('preview-only', 'show what would change, and change nothing', {
  only: 'v3',
});

/** Flags of commands that apply a template. */
export const approvalFlags: readonly Flag[] = [
  toggle('auto-approve', 'apply without asking on a terminal', { only: 'v3' }),
  previewOnly,
];

const v2 = 'v2' as const;
const database = { only: v2, needs: 'usedb' } as const;
const cache = { only: v2, needs: 'use-elasticache' } as const;

const databaseFlags: readonly Flag[] = [
  toggle('usedb', 'create a database', { only: v2 }),
  text('dbengine', 'database engine', {
    ...database,
    value: 'engine',
    choices: ['db_mysql', 'db_postgresql'],
  }),
  text('dbtype', 'database instance type', { ...database, value: 'type' }),
  number('dbstorage', 'database storage in GB', { ...database, value: 'GB', min: 5, max: 6144 }),
  ...[1, 2, 3, 4, 5].map((index) =>
    toggle(`dbread-replica${index}`, `create read replica ${index}`, database),
  ),
];

const cacheFlags: readonly Flag[] = [
  toggle('use-elasticache', 'create a cache', { only: v2 }),
  text('elasticache-engine', 'cache engine', { ...cache, value: 'engine', choices: ['Redis', 'Memcached'] }),
  text('elasticache-nodetype', 'cache node type', { ...cache, value: 'type' }),
  number('elasticache-nodecount', 'number of cache nodes: 1 to 6 for Redis, 1 to 20 for Memcached', {
    ...cache,
    min: 1,
    max: 20,
  }),
];

/** Flags that describe a v2 stack, which has no template. */
export const v2StackFlags: readonly Flag[] = [
  text('vendor', 'cloud vendor', { value: 'vendor', default: 'aws', only: v2 }),
  text('cred', 'credential ID; the first listed one if omitted', {
    value: 'id',
    only: v2,
    complete: 'credential',
  }),
  text('region', 'region of the cloud', { value: 'region', default: 'ap-northeast-1', only: v2 }),
  text('nickname', 'display name of the stack; three random words if omitted', { value: 'name' }),
  text('arch', 'one server, or autoscaling behind a load balancer', {
    value: 'architecture',
    default: 'art_elb',
    choices: ['art_single', 'art_elb'],
    only: v2,
  }),
  text('type', 'instance type', { value: 'type', default: 'm3.medium', only: v2 }),
  text('image', 'container image', { value: 'image', default: 'library/php:8.3-apache', only: v2 }),
  text('dhub-user', 'user name for the image registry', { value: 'name', only: v2 }),
  text('dhub-pass', 'password for the image registry', {
    value: 'password',
    aliases: ['dbuh-pass'],
    only: v2,
  }),
  number('min', 'minimum number of servers', { default: 2, only: v2 }),
  number('max', 'maximum number of servers', { default: 10, only: v2 }),
  number('spot-range', 'percentage of spot servers', { default: 50, min: 0, max: 100, only: v2 }),
  text('code', 'URL of the code repository', { value: 'url', only: v2 }),
  text('code-ref', 'branch or tag of the code', { value: 'ref', default: 'master', only: v2 }),
  text('code-privkey', 'private key for the code repository', { value: 'key', only: v2 }),
  ...databaseFlags,
  ...cacheFlags,
];

/** Flags that an update of a v2 stack can change; only the given ones are sent. */
export const v2ChangeFlags: readonly Flag[] = [
  text('type', 'instance type', { value: 'type', only: v2 }),
  number('min', 'minimum number of servers', { only: v2 }),
  number('max', 'maximum number of servers', { only: v2 }),
  number('spot-range', 'percentage of spot servers', { min: 0, max: 100, only: v2 }),
];
