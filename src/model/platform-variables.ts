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

/** `MO_` is what images made for earlier servers look for. */
const prefixes = ['ALM_', 'MO_'];

/** The environment the platform adds to every container: where the stack's databases and caches are. */
export const platformVariables = (
  outputs: readonly { key: string; value: string }[],
): Record<string, string> =>
  Object.fromEntries(
    outputs.flatMap(({ key, value }) => {
      const [pattern, name = ''] = variables.find(([known]) => known.test(key)) ?? [];
      if (!pattern) return [];
      return prefixes.map((prefix) => [prefix + key.replace(pattern, name), value]);
    }),
  );
