import { expect, it } from 'vitest';
import { platformVariables } from '../../src/model/platform-variables.ts';

const output = (key: string) => ({ key, value: `value of ${key}` });

it('tells containers of the first database and caches, under both prefixes, and of nothing else', () => {
  const keys = [
    'Address',
    'DBAddress',
    'DBPort',
    'DBSlave2Address',
    'DBAddressSecond',
    'RedisPrimaryEndPointAddress',
    'RedisPrimaryEndPointPort',
    'RedisReadEndPointAddresses',
    'MemcachedEndPointAddress',
    'MemcachedEndPointPort',
  ];
  const told = {
    DATABASE_HOST: 'value of DBAddress',
    DATABASE_PORT: 'value of DBPort',
    DATABASE_SLAVE2_HOST: 'value of DBSlave2Address',
    REDIS_ENDPOINT: 'value of RedisPrimaryEndPointAddress',
    REDIS_PORT: 'value of RedisPrimaryEndPointPort',
    MEMCACHED_ENDPOINT: 'value of MemcachedEndPointAddress',
    MEMCACHED_PORT: 'value of MemcachedEndPointPort',
  };
  const expected = Object.entries(told).flatMap(([name, value]) => [
    [`ALM_${name}`, value],
    [`MO_${name}`, value],
  ]);
  expect(platformVariables(keys.map(output))).toEqual(Object.fromEntries(expected));
});
