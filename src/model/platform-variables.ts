interface Output {
  key: string;
  value: string;
}

/** Outputs of a stack that its containers get as environment variables, with the variable names. */
const variableNames: readonly (readonly [RegExp, string])[] = [
  [/^DBAddress$/, 'DATABASE_HOST'],
  [/^DBPort$/, 'DATABASE_PORT'],
  [/^DBSlave(\d+)Address$/, 'DATABASE_SLAVE$1_HOST'],
  [/^RedisPrimaryEndPointAddress$/, 'REDIS_ENDPOINT'],
  [/^RedisPrimaryEndPointPort$/, 'REDIS_PORT'],
  [/^MemcachedEndPointAddress$/, 'MEMCACHED_ENDPOINT'],
  [/^MemcachedEndPointPort$/, 'MEMCACHED_PORT'],
];

type Variable = readonly [name: string, value: string];

const single = ({ key, value }: Output): Variable[] => {
  const [pattern, name = ''] = variableNames.find(([known]) => known.test(key)) ?? [];
  return pattern ? [[key.replace(pattern, name), value]] : [];
};

const replicaNumber = ({ key }: Output): number => Number(/^DBSlave(\d+)Address$/.exec(key)?.[1] ?? 0);

/** All read replicas of the database as one list. */
const replicaGroup = (outputs: readonly Output[]): Variable[] => {
  const replicas = outputs.filter((output) => replicaNumber(output) > 0);
  const inOrder = replicas.toSorted((one, other) => replicaNumber(one) - replicaNumber(other));
  return replicas.length === 0
    ? []
    : [['DATABASE_SLAVE_HOSTGROUP', inOrder.map(({ value }) => value).join(',')]];
};

/** The output has the Redis read replicas as one list; containers also get each one by number. */
const cacheNodes = (outputs: readonly Output[]): Variable[] => {
  const list = outputs.find(({ key }) => key === 'RedisReadEndPointAddresses')?.value ?? '';
  if (list === '') return [];
  const nodes = list
    .split(',')
    .map((address, index): Variable => [`REDIS_NODE${index + 1}_ENDPOINT`, address]);
  return [...nodes, ['REDIS_NODE_ENDPOINTGROUP', list]];
};

/** `MO_` is for images made for earlier servers. */
const prefixes = ['ALM_', 'MO_'];

const underEveryPrefix = (variables: readonly Variable[]): Record<string, string> =>
  Object.fromEntries(variables.flatMap(([name, value]) => prefixes.map((prefix) => [prefix + name, value])));

/** Environment variables that the platform adds to all containers: addresses of the stack's databases and caches. */
export const platformVariables = (outputs: readonly Output[]): Record<string, string> =>
  underEveryPrefix([...outputs.flatMap(single), ...replicaGroup(outputs), ...cacheNodes(outputs)]);

/** Name of the database and of its user, the same in all stacks. */
const databaseName = 'app';

/** Environment variables for the stack's database; without the password where it is not permitted. */
export const databaseVariables = (password: string | undefined): Record<string, string> =>
  underEveryPrefix([
    ['DATABASE_NAME', databaseName],
    ['DATABASE_USERNAME', databaseName],
    ...(password === undefined ? [] : [['DATABASE_PASSWORD', password] as const]),
  ]);
