interface Output {
  key: string;
  value: string;
}

/** Which of a stack's outputs its containers are told of, and as what. */
const variables: readonly (readonly [RegExp, string])[] = [
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
  const [pattern, name = ''] = variables.find(([known]) => known.test(key)) ?? [];
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

/** The read replicas of Redis come as one list already; each is told by its number as well. */
const cacheNodes = (outputs: readonly Output[]): Variable[] => {
  const list = outputs.find(({ key }) => key === 'RedisReadEndPointAddresses')?.value ?? '';
  if (list === '') return [];
  const nodes = list
    .split(',')
    .map((address, index): Variable => [`REDIS_NODE${index + 1}_ENDPOINT`, address]);
  return [...nodes, ['REDIS_NODE_ENDPOINTGROUP', list]];
};

/** `MO_` is what images made for earlier servers look for. */
const prefixes = ['ALM_', 'MO_'];

const underEveryPrefix = (told: readonly Variable[]): Record<string, string> =>
  Object.fromEntries(told.flatMap(([name, value]) => prefixes.map((prefix) => [prefix + name, value])));

/** The environment the platform adds to every container: where the stack's databases and caches are. */
export const platformVariables = (outputs: readonly Output[]): Record<string, string> =>
  underEveryPrefix([...outputs.flatMap(single), ...replicaGroup(outputs), ...cacheNodes(outputs)]);

/** The database of a stack and its user have the same name in every stack. */
const databaseName = 'app';

/** How containers sign in to the stack's database; the password only for those who may know it. */
export const databaseVariables = (password: string | undefined): Record<string, string> =>
  underEveryPrefix([
    ['DATABASE_NAME', databaseName],
    ['DATABASE_USERNAME', databaseName],
    ...(password === undefined ? [] : [['DATABASE_PASSWORD', password] as const]),
  ]);
