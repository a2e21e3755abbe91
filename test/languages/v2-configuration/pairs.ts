import { type Members, templateOf } from '../v3-template/documents.ts';

/** The same stack in both languages. */
export interface Pair {
  name: string;
  configurations: Members;
  server?: Members;
  template: Members;
}

const layer = (provision: Members, container?: Members): Members =>
  templateOf({ role: 'web', flag: 'web', provision, ...(container ? { container } : {}) });

export const pairs: readonly Pair[] = [
  {
    name: 'single-server',
    configurations: { architecture: 'art_single', type: 't2.micro', min: 3, max: 5, spotRange: 50 },
    template: layer({ instance_type: 't2.micro' }),
  },
  {
    name: 'balanced-with-spot-database-and-redis',
    configurations: {
      architecture: 'art_elb',
      type: 'm3.medium',
      image: 'library/php:8-apache',
      min: 2,
      max: 10,
      spotRange: 50,
      code: 'https://git.example.com/shop/site.git',
      database: [
        {
          Engine: 'db_mysql',
          DBtype: 'db.t3.small',
          DBStorage: '20',
          ReadReplica1: 'true',
          ReadReplica2: 'true',
        },
      ],
      elasticache: [
        { ElastiCacheEngine: 'Redis', ElastiCacheNodeType: 'cache.t3.micro', ElastiCacheNodes: '6' },
      ],
    },
    server: { envvars: { APP_ENV: 'production', WORKERS: 4 }, codeDir: '/srv/site', ports: [80, '8080'] },
    template: layer(
      {
        instance_type: 'm3.medium',
        auto_scaling: { min: 2, max: 10, spot_range: 50, availability_zones: '${computed}' },
        rds: { engine: 'mysql', db_instance_type: 'db.t3.small', storage: 20, replica: 2 },
        elasticache: { engine: 'redis', node_type: 'cache.t3.micro', nodes: 6 },
      },
      {
        container_image: 'library/php:8-apache',
        container_git_repo: 'https://git.example.com/shop/site.git',
        container_code_dir: '/srv/site',
        container_ports: [80, 8080],
        container_env_vars: { APP_ENV: 'production', WORKERS: '4' },
      },
    ),
  },
  {
    name: 'memcached-and-postgresql',
    configurations: {
      architecture: 'art_elb',
      type: 't2.small',
      database: [{ engine: 'DB_POSTGRESQL', dbtype: 'db.t3.micro', dbstorage: 5 }],
      elasticache: [
        { elasticacheengine: 'memcached', elasticachenodetype: 'cache.t3.small', elasticachenodes: 20 },
      ],
    },
    template: layer({
      instance_type: 't2.small',
      auto_scaling: { availability_zones: '${computed}' },
      rds: { engine: 'postgres', db_instance_type: 'db.t3.micro', storage: 5 },
      elasticache: { engine: 'memcached', node_type: 'cache.t3.small', nodes: 20 },
    }),
  },
  {
    name: 'private-image-and-repository',
    configurations: {
      architecture: 'art_single',
      type: 't2.micro',
      image: 'registry.example.com/shop/web:1.4',
      dockerHubUsername: 'shop',
      dockerHubPassword: 'hidden-password',
      code: 'git@git.example.com:shop/site.git',
      gitReference: 'v1.4',
      gitPrivateKey: 'hidden-key',
    },
    server: { mackerelApiKey: 'hidden-monitoring' },
    template: layer(
      { instance_type: 't2.micro' },
      {
        container_image: 'registry.example.com/shop/web:1.4',
        container_registry_username: 'shop',
        container_registry_password: 'hidden-password',
        container_git_repo: 'git@git.example.com:shop/site.git',
        container_git_reference: 'v1.4',
        container_git_private_key: 'hidden-key',
        container_addons: [{ name: 'mackerel', api_key: 'hidden-monitoring' }],
      },
    ),
  },
];
