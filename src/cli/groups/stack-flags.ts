import { type Flag, number, text, toggle } from '../args/flag.ts';

export const templateFile = (extra: Partial<{ required: true | 'v3'; only: 'v3' }>): Flag =>
  text('alm-template', 'file of the template, JSON or YAML; - reads it from standard input', {
    aliases: ['file'],
    value: 'file',
    complete: 'file',
    ...extra,
  });

/** For whatever takes its time. */
export const waitFlags: readonly Flag[] = [
  toggle('wait', 'stay until it has ended, and show what happens; Ctrl-C leaves it running'),
  number('wait-timeout', 'seconds to stay at most; 0: as long as it takes', {
    value: 'seconds',
    default: 0,
    needs: 'wait',
  }),
];

const v2 = 'v2' as const;

const replica = (which: number): Flag =>
  toggle(`dbread-replica${which}`, `read replica ${which}`, { only: v2, needs: 'usedb' });

const databaseFlags: readonly Flag[] = [
  toggle('usedb', 'with a database', { only: v2 }),
  text('dbengine', 'its engine', {
    value: 'engine',
    only: v2,
    needs: 'usedb',
    choices: ['db_mysql', 'db_postgresql'],
  }),
  text('dbtype', 'its instance type', { value: 'type', only: v2, needs: 'usedb' }),
  number('dbstorage', 'its storage in GB', { value: 'GB', only: v2, needs: 'usedb', min: 5, max: 6144 }),
  ...[1, 2, 3, 4, 5].map(replica),
];

const cacheFlags: readonly Flag[] = [
  toggle('use-elasticache', 'with a cache', { only: v2 }),
  text('elasticache-engine', 'its engine', {
    value: 'engine',
    only: v2,
    needs: 'use-elasticache',
    choices: ['Redis', 'Memcached'],
  }),
  text('elasticache-nodetype', 'its node type', { value: 'type', only: v2, needs: 'use-elasticache' }),
  number('elasticache-nodecount', 'its nodes: 1 to 6 of Redis, 1 to 20 of Memcached', {
    only: v2,
    needs: 'use-elasticache',
    min: 1,
    max: 20,
  }),
];

/** What a v2 stack is described by, instead of a template. */
export const v2StackFlags: readonly Flag[] = [
  text('vendor', 'the cloud', { value: 'vendor', default: 'aws', only: v2 }),
  text('cred', 'credential id; the first listed when left out', {
    value: 'id',
    only: v2,
    complete: 'credential',
  }),
  text('region', 'region of the cloud', { value: 'region', default: 'ap-northeast-1', only: v2 }),
  text('nickname', 'what people call the stack; three words when left out', { value: 'name' }),
  text('arch', 'one server, or autoscaling behind a load balancer', {
    value: 'architecture',
    default: 'art_elb',
    choices: ['art_single', 'art_elb'],
    only: v2,
  }),
  text('type', 'instance type', { value: 'type', default: 'm3.medium', only: v2 }),
  text('image', 'container image', { value: 'image', default: 'library/php:8.3-apache', only: v2 }),
  text('dhub-user', 'user of the image registry', { value: 'name', only: v2 }),
  text('dhub-pass', 'password of the image registry', {
    value: 'password',
    aliases: ['dbuh-pass'],
    only: v2,
  }),
  number('min', 'least servers', { default: 2, only: v2 }),
  number('max', 'most servers', { default: 10, only: v2 }),
  number('spot-range', 'percent of spot servers', { default: 50, min: 0, max: 100, only: v2 }),
  text('code', 'where the code is', { value: 'url', only: v2 }),
  text('code-ref', 'branch or tag of the code', { value: 'ref', default: 'master', only: v2 }),
  text('code-privkey', 'private key for the code', { value: 'key', only: v2 }),
  ...databaseFlags,
  ...cacheFlags,
];

/** What an update of a v2 stack can change; only what is given is sent. */
export const v2ChangeFlags: readonly Flag[] = [
  text('type', 'instance type', { value: 'type', only: v2 }),
  number('min', 'least servers', { only: v2 }),
  number('max', 'most servers', { only: v2 }),
  number('spot-range', 'percent of spot servers', { min: 0, max: 100, only: v2 }),
];
