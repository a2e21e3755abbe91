import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readConfig, settings, settingsHelp } from '../../src/basics/config.ts';

describe('settings', () => {
  it('have defaults that need no configuration', () => {
    expect(readConfig({})).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      baseUrl: 'http://127.0.0.1:8080',
      first: { clientId: null, clientSecret: null, username: 'root', password: null },
      sandboxSpeed: 1,
      rateLimit: 100,
      tokenRateLimit: 10,
      trustedProxies: [],
      metricsOfStacks: false,
      logLevel: 'info',
    });
    expect(readConfig({}).databaseUrl).toMatch(/^sqlite:.*\/data\/almanac\.db$/);
  });

  it('are read from the environment; an empty value counts as unset', () => {
    const config = readConfig({
      ALM_HOST: '::1',
      ALM_PORT: '9000',
      ALM_ROOT_USERNAME: '',
      DATABASE_URL: 'postgres://db/x',
      ALM_BASE_URL: 'https://a.test/',
    });
    expect(config).toMatchObject({
      host: '::1',
      port: 9000,
      databaseUrl: 'postgres://db/x',
      baseUrl: 'https://a.test',
      first: { username: 'root' },
    });
    expect(readConfig({ ALM_HOST: '::1' }).baseUrl).toBe('http://[::1]:8080');
  });

  it('take the region and the AWS account of an event queue from its URL, and reject other URLs', () => {
    const url = 'https://sqs.cn-north-1.amazonaws.com.cn/123456789012/almanac-events';
    const { aws } = readConfig({ ALM_AWS_EVENT_QUEUES: ` ${url},` });
    expect(aws.eventQueues).toEqual([{ url, region: 'cn-north-1', account: '123456789012' }]);
    expect(readConfig({}).aws.eventQueues).toEqual([]);
    for (const wrong of ['almanac-events', `${url}/x`, url.replace('amazonaws.com.cn', 'example.com')])
      expect(() => readConfig({ ALM_AWS_EVENT_QUEUES: wrong })).toThrow(/^ALM_AWS_EVENT_QUEUES must be/);
  });

  it('take the address of the registry without a path, and reach it there unless another is set', () => {
    expect(readConfig({}).registry).toEqual({
      url: '',
      internalUrl: '',
      service: 'almanac-registry',
      issuer: 'almanac',
      tokenSeconds: 300,
      timeoutMs: 10_000,
    });
    const url = 'https://registry.example.com';
    const ALM_REGISTRY_URL = `${url}/`;
    expect(readConfig({ ALM_REGISTRY_URL }).registry).toMatchObject({ url, internalUrl: url });
    const internalUrl = 'http://10.0.0.5:5000';
    const both = readConfig({ ALM_REGISTRY_URL, ALM_REGISTRY_INTERNAL_URL: internalUrl }).registry;
    expect(both).toMatchObject({ url, internalUrl });
    for (const wrong of ['registry.example.com', `${url}/v2`, 'ftp://a', 'https://user:pw@a'])
      expect(() => readConfig({ ALM_REGISTRY_URL: wrong })).toThrow(/^ALM_REGISTRY_URL must be/);
    expect(() => readConfig({ ALM_REGISTRY_SERVICE: 'a"b' })).toThrow(/^ALM_REGISTRY_SERVICE must be/);
  });

  it('include stacks in public metrics only when enabled', () => {
    expect(readConfig({ ALM_METRICS_STACKS: '1' }).metricsOfStacks).toBe(true);
    expect(readConfig({ ALM_METRICS_STACKS: '0' }).metricsOfStacks).toBe(false);
  });

  it('accept trusted proxies as addresses and networks', () => {
    const { trustedProxies } = readConfig({ ALM_TRUST_PROXY: '10.0.0.0/8, ::1' });
    expect(trustedProxies).toEqual(['10.0.0.0/8', '::1']);
  });

  it.each([
    [{ ALM_RATE_LIMIT: 'many' }, 'ALM_RATE_LIMIT must be a number from 0 to 1000000, not "many".'],
    [{ ALM_TOKEN_RATE_LIMIT: '-1' }, 'ALM_TOKEN_RATE_LIMIT must be a number from 0 to 1000000, not "-1".'],
    [
      { ALM_TRUST_PROXY: 'balancer' },
      'ALM_TRUST_PROXY must be IP addresses or networks such as 10.0.0.0/8, not "balancer".',
    ],
    [{ ALM_PORT: 'abc' }, 'ALM_PORT must be a number from 0 to 65535, not "abc".'],
    [{ ALM_PORT: '70000' }, 'ALM_PORT must be a number from 0 to 65535, not "70000".'],
    [{ ALM_SANDBOX_SPEED: '-1' }, 'ALM_SANDBOX_SPEED must be a number from 0 to 1000, not "-1".'],
    [{ ALM_LOG: 'loud' }, 'ALM_LOG must be one of trace, debug, info, warn, error, silent, not "loud".'],
  ])('are rejected by name when invalid: %j', (environment, message) => {
    expect(() => readConfig(environment)).toThrow(message);
  });

  it('never print secrets', () => {
    const config = readConfig({
      ALM_ROOT_PASSWORD: 'topsecret',
      ALM_CLIENT_SECRET: 'topsecret',
      ALM_SECRET_KEY: 'topsecret',
    });
    expect(inspect(config) + JSON.stringify(config)).not.toContain('topsecret');
  });

  it('are all in the help text', () => {
    for (const name of Object.keys(settings)) expect(settingsHelp()).toContain(name);
  });
});
