import { type Static, Type } from 'typebox';
import { codeSources } from '../../model/stack-model.ts';
import { boolean, closed, integer, oneOf, secretText, text } from '../schema-parts.ts';

/**
 * Schema of a v2 stack's configuration. Clients write numbers and booleans as such or as strings, and they are stored as
 * strings; reading by this schema accepts both. Validation, types and the API description come from here.
 */

const optional = Type.Optional;

const replica = optional(boolean('Whether to create this read replica. Default false.'));

export const databaseItem = Type.Object(
  {
    Engine: oneOf('Database engine.', ['db_mysql', 'db_postgresql']),
    DBtype: text('Database class.'),
    DBStorage: integer('Storage in GB.', 5, 6144),
    ReadReplica1: replica,
    ReadReplica2: replica,
    ReadReplica3: replica,
    ReadReplica4: replica,
    ReadReplica5: replica,
    DeletionProtection: optional(
      boolean('Whether to refuse to delete the database, with its stack or by an update. Default false.'),
    ),
  },
  closed('A relational database. Member names are case-insensitive.'),
);

export const cacheItem = Type.Object(
  {
    ElastiCacheEngine: oneOf('Cache engine.', ['Redis', 'Memcached']),
    ElastiCacheNodeType: text('Node size.'),
    ElastiCacheNodes: integer(
      'Nodes: Redis 1 to 6 (one primary, the rest replicas), Memcached 1 to 20.',
      1,
      20,
    ),
  },
  closed('A cache. Member names are case-insensitive.'),
);

const maxItems = 20;

const members = {
  architecture: oneOf('One server, or a group behind a load balancer.', ['art_single', 'art_elb']),
  type: text('Server type.'),
  region: optional(text("Must be the stack's region.")),
  image: optional(
    text('Container image: a path on Docker Hub, or a full path with the registry domain.', {
      format: 'image',
    }),
  ),
  dockerHubUsername: optional(text('User name for a private registry.')),
  dockerHubPassword: optional(secretText('Password for a private registry.')),
  min: optional(integer('Minimum number of servers of art_elb. Default 1.', 0, 1000)),
  max: optional(
    integer('Maximum number of servers of art_elb. Default 1, or min if that is greater.', 0, 1000),
  ),
  spotRange: optional(integer('Percentage of servers that are spot instances. Default 0.', 0, 100)),
  scaling: optional(
    boolean('Whether art_elb changes its number of servers between min and max with the load. Default true.'),
  ),
  targetCpu: optional(
    integer('Average CPU use in percent that art_elb holds by changing its size. Default 60.', 1, 100),
  ),
  targetRequests: optional(
    integer('Requests per server and minute to hold instead of targetCpu.', 1, 1_000_000),
  ),
  nickname: optional(text('Name of the stack.', { maxLength: 255 })),
  code: optional(
    text('Location of the code: a git repository, or a path in an object store.', {
      format: 'code-location',
    }),
  ),
  codeSource: optional(oneOf('Where the code is stored. Default git.', codeSources)),
  gitReference: optional(text('Branch or tag. Default master.', { format: 'git-reference' })),
  gitPrivateKey: optional(secretText('Private key for a private repository.')),
  database: optional(Type.Array(databaseItem, { maxItems: maxItems, description: 'Databases.' })),
  elasticache: optional(Type.Array(cacheItem, { maxItems: maxItems, description: 'Caches.' })),
};

export const configuration = Type.Object(members, closed('Configuration of a stack.'));

/** An update contains only what changes. */
export const configurationChanges = Type.Partial(
  Type.Object(members),
  closed('Members to change. Omitted members stay the same; null clears.'),
);

const environmentVariable = Type.Object(
  { name: text('Name.', { format: 'variable-name' }), value: Type.String({ description: 'Value.' }) },
  closed('One environment variable.'),
);

/** Settings of a running stack's servers, except the code. */
export const server = Type.Object(
  {
    codeDir: optional(text('Directory for the code in the container.')),
    ports: optional(
      Type.Array(integer('A port.', 0, 65535), { maxItems: 100, description: 'Ports to publish.' }),
    ),
    environmentVariables: Type.Array(environmentVariable, {
      description: 'Environment variables of the container.',
    }),
    monitoring: optional(secretText('API key of the monitoring service.')),
    keypair_id: optional(text('Key pair of the servers.')),
  },
  closed('Settings of the servers.'),
);

export const serverChanges = Type.Object(
  {
    stack_id: optional(text('Stack id.')),
    filepath: optional(
      text('Location of the code. Required with privateKey and branch.', { format: 'code-location' }),
    ),
    privateKey: optional(secretText('Private key for a private repository.')),
    branch: optional(text('Branch or tag.', { format: 'git-reference' })),
    mackerelApiKey: optional(secretText('API key of the monitoring service.')),
    monitoringApiKey: optional(secretText('Alias of mackerelApiKey.')),
    envvars: optional(
      Type.Unknown({
        description:
          'Replaces all environment variables: an object of names and values, or a list of {name, value}, {key, value}, {NAME: value} or "NAME=value". Empty clears them.',
      }),
    ),
    keypair_id: optional(text('Key pair of the servers.')),
    codeDir: optional(text('Directory for the code in the container.')),
    ports: server.properties.ports,
    key: optional(text('Ignored; accepted for compatibility.')),
  },
  closed('Settings to change. Omitted settings stay the same; null clears.'),
);

export const deployMethods = [
  's3',
  'object_store',
  'git_public',
  'github_public',
  'git_private',
  'github_private',
  'git',
  'github',
] as const;

export const deploy = Type.Object(
  {
    method: oneOf('Source of the code.', deployMethods),
    filepath: optional(
      text('Location of the code. Required unless the method is git.', { format: 'code-location' }),
    ),
    privateKey: optional(secretText('Private key for a private repository. Required for git_private.')),
    branch: optional(text('Branch or tag. Default: unchanged.', { format: 'git-reference' })),
  },
  closed('Code to deploy.'),
);

export type DatabaseItem = Static<typeof databaseItem>;
export type CacheItem = Static<typeof cacheItem>;
export type Configuration = Static<typeof configuration>;
export type Server = Static<typeof server>;
