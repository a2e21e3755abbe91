import { type Static, Type } from 'typebox';
import { codeSources } from '../../model/stack-model.ts';
import { closed, oneOf, secretText, text, whole, yesOrNo } from '../schema-words.ts';

/**
 * A v2 stack's configuration. Callers write every number and truth as themselves or as text, and it is kept as text;
 * reading by this schema turns both into the same thing. Validation, types and the interface description come from here.
 */

const optional = Type.Optional;

const replica = optional(yesOrNo('Whether there is a read replica of this number. Default false.'));

export const databaseItem = Type.Object(
  {
    Engine: oneOf('The database.', ['db_mysql', 'db_postgresql']),
    DBtype: text('Database class.'),
    DBStorage: whole('GB.', 5, 6144),
    ReadReplica1: replica,
    ReadReplica2: replica,
    ReadReplica3: replica,
    ReadReplica4: replica,
    ReadReplica5: replica,
  },
  closed('A relational database. Its member names may be in upper or lower case.'),
);

export const cacheItem = Type.Object(
  {
    ElastiCacheEngine: oneOf('The cache.', ['Redis', 'Memcached']),
    ElastiCacheNodeType: text('Node size.'),
    ElastiCacheNodes: whole(
      'Nodes: Redis 1 to 6 (one primary, the rest replicas), Memcached 1 to 20.',
      1,
      20,
    ),
  },
  closed('A cache. Its member names may be in upper or lower case.'),
);

const maxItems = 20;

const members = {
  architecture: oneOf('One server, or a group behind a load balancer.', ['art_single', 'art_elb']),
  type: text('Server type.'),
  region: optional(text("The stack's region, once more.")),
  image: optional(text('Image to run: a path on the public hub, or a full path with registry domain.')),
  dockerHubUsername: optional(text('User of a private registry.')),
  dockerHubPassword: optional(secretText('Password of that user.')),
  min: optional(whole('Fewest servers of art_elb. Default 1.', 0, 1000)),
  max: optional(whole('Most servers of art_elb. Default 1, or min when that is more.', 0, 1000)),
  spotRange: optional(whole('How many of a hundred servers are spot instances. Default 0.', 0, 100)),
  nickname: optional(text('Name of the stack.', { maxLength: 255 })),
  code: optional(text('Where the code is: a git repository, or a path in an object store.')),
  codeSource: optional(oneOf('What the code is in. Default git.', codeSources)),
  gitReference: optional(text('Branch or tag. Default master.')),
  gitPrivateKey: optional(secretText('Private key for a private repository.')),
  database: optional(Type.Array(databaseItem, { maxItems: maxItems, description: 'Databases.' })),
  elasticache: optional(Type.Array(cacheItem, { maxItems: maxItems, description: 'Caches.' })),
};

export const configuration = Type.Object(members, closed('What a stack is.'));

/** An update names only what changes. */
export const configurationChanges = Type.Partial(
  Type.Object(members),
  closed('What changes; what is left out stays, and null clears.'),
);

const environmentVariable = Type.Object(
  { name: text('Name.', { format: 'variable-name' }), value: Type.String({ description: 'Value.' }) },
  closed('One environment variable.'),
);

/** What can be set on a running stack's servers, besides the code. */
export const server = Type.Object(
  {
    codeDir: optional(text('Where code is placed.')),
    ports: optional(
      Type.Array(whole('A port.', 0, 65535), { maxItems: 100, description: 'Ports to publish.' }),
    ),
    environmentVariables: Type.Array(environmentVariable, { description: 'Environment of the container.' }),
    monitoring: optional(secretText('Key of the monitoring service.')),
    keypair_id: optional(text('Key pair of the servers.')),
  },
  closed('Settings of the servers.'),
);

export const serverChanges = Type.Object(
  {
    stack_id: optional(text('Which stack.')),
    filepath: optional(text('Where the code is. Needed with privateKey and branch.')),
    privateKey: optional(secretText('Private key for a private repository.')),
    branch: optional(text('Branch or tag.')),
    mackerelApiKey: optional(secretText('Key of the monitoring service.')),
    monitoringApiKey: optional(secretText('The same as mackerelApiKey.')),
    envvars: optional(
      Type.Unknown({
        description:
          'The whole environment: an object of names and values, a list of {name, value}, {key, value} or {NAME: value}, or of "NAME=value". Empty clears it.',
      }),
    ),
    keypair_id: optional(text('Key pair of the servers.')),
    codeDir: optional(text('Where code is placed.')),
    ports: server.properties.ports,
    key: optional(text('Not used: every setting stands for itself.')),
  },
  closed('Settings to change; what is left out stays, and null clears.'),
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
    method: oneOf('Where the code comes from.', deployMethods),
    filepath: optional(text('Where the code is. Needed unless the method is git.')),
    privateKey: optional(secretText('Private key for a private repository. Needed for git_private.')),
    branch: optional(text('Branch or tag. Default: as before.')),
  },
  closed('Code to deploy.'),
);

export type DatabaseItem = Static<typeof databaseItem>;
export type CacheItem = Static<typeof cacheItem>;
export type Configuration = Static<typeof configuration>;
export type Server = Static<typeof server>;
