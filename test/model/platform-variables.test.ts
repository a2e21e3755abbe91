import { expect, it } from 'vitest';
import { platformVariables } from '../../src/model/platform-variables.ts';

const output = (key: string) => ({ key, value: `value of ${key}` });

it('containers get variables for the first database and caches under both prefixes, and no others', () => {
  const keys = [
    'Address',
    'DBAddress',
    'DBPort',
    'DBSlave2Address',
    'DBSlave1Address',
    'DBAddressSecond',
    'RedisPrimaryEndPointAddress',
    'RedisPrimaryEndPointPort',
    'RedisReadEndPointPorts',
    'MemcachedEndPointAddress',
    'MemcachedEndPointPort',
  ];
  const variables = {
    DATABASE_HOST: 'value of DBAddress',
    DATABASE_PORT: 'value of DBPort',
    DATABASE_SLAVE1_HOST: 'value of DBSlave1Address',
    DATABASE_SLAVE2_HOST: 'value of DBSlave2Address',
    DATABASE_SLAVE_HOSTGROUP: 'value of DBSlave1Address,value of DBSlave2Address',
    REDIS_ENDPOINT: 'value of RedisPrimaryEndPointAddress',
    REDIS_PORT: 'value of RedisPrimaryEndPointPort',
    MEMCACHED_ENDPOINT: 'value of MemcachedEndPointAddress',
    MEMCACHED_PORT: 'value of MemcachedEndPointPort',
  };
  const expected = Object.entries(variables).flatMap(([name, value]) => [
    [`ALM_${name}`, value],
    [`MO_${name}`, value],
  ]);
  expect(platformVariables(keys.map(output))).toEqual(Object.fromEntries(expected));
});

it('containers get the Redis read replicas one by one and as a group', () => {
  expect(platformVariables([{ key: 'RedisReadEndPointAddresses', value: 'one.test,two.test' }])).toEqual({
    ALM_REDIS_NODE1_ENDPOINT: 'one.test',
    ALM_REDIS_NODE2_ENDPOINT: 'two.test',
    ALM_REDIS_NODE_ENDPOINTGROUP: 'one.test,two.test',
    MO_REDIS_NODE1_ENDPOINT: 'one.test',
    MO_REDIS_NODE2_ENDPOINT: 'two.test',
    MO_REDIS_NODE_ENDPOINTGROUP: 'one.test,two.test',
  });
});
