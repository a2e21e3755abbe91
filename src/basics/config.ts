import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { type AlicloudConfig, alicloudSettings, readAlicloud } from './config/alicloud.ts';
import { type AuditConfig, auditSettings, readAudit } from './config/audit.ts';
import { type AwsConfig, awsSettings, readAws } from './config/aws.ts';
import {
  type CompatibilityConfig,
  compatibilitySettings,
  readCompatibility,
} from './config/compatibility.ts';
import { type ConsoleConfig, consoleSettings, readConsole } from './config/console.ts';
import { type DockerConfig, dockerSettings, readDocker } from './config/docker.ts';
import { type DocumentsConfig, documentSettings, readDocuments } from './config/documents.ts';
import { type EventLoopConfig, eventLoopSettings, readEventLoop } from './config/event-loop.ts';
import { limitSettings, readLimits, type ServiceLimits } from './config/limits.ts';
import { type OpenIdConfig, openIdSettings, readOpenIdConfig } from './config/openid.ts';
import { type OpenStackConfig, openStackSettings, readOpenStack } from './config/openstack.ts';
import { type PassConfig, passSettings, readPasses, type StopConfig } from './config/passes.ts';
import { type RegistryConfig, readRegistry, registrySettings } from './config/registry.ts';
import { type RetentionConfig, readRetention, retentionSettings } from './config/retention.ts';
import { Secret } from './secret.ts';

/** All settings with their defaults and meanings: the text of `almanac serve --help`. */
export const settings = {
  ALM_HOST: ['127.0.0.1', 'listen address'],
  ALM_PORT: ['8080', 'listen port'],
  ALM_DATA: ['./data', 'directory of the embedded database and the sealing key'],
  DATABASE_URL: [
    '',
    'postgres://… to run several servers on one database; default: embedded SQLite in ALM_DATA',
  ],
  ALM_LISTEN_DATABASE_URL: [
    '',
    'postgres://… of the same database without a pooler such as pgbouncer, for notifications and migrations; default: DATABASE_URL',
  ],
  ALM_BASE_URL: ['', 'public URL, used by agents and in links; default: http://ALM_HOST:ALM_PORT'],
  ALM_SECRET_KEY: [
    '',
    'key that encrypts stored secrets: 32 bytes in base64; several separated by commas: the first encrypts, all decrypt; default: ALM_DATA/secret.key, created on first start',
  ],
  ALM_CLIENT_ID: ['', 'first start only: id of the API client; default: generated and printed'],
  ALM_CLIENT_SECRET: ['', 'first start only: secret of the API client; default: generated and printed'],
  ALM_ROOT_USERNAME: ['root', 'first start only: name of the master user'],
  ALM_ROOT_PASSWORD: ['', 'first start only: password of the master user; default: generated and printed'],
  ALM_PERSONAL_TOKEN_DAYS: ['366', 'longest lifetime of a personal access token, in days'],
  ALM_ACCOUNT_PASSWORD: [
    '',
    'almanac account create only: password of the master user; default: generated and printed',
  ],
  ALM_SANDBOX_SPEED: ['1', 'duration factor of the sandbox cloud: 0 = immediate, 1 = realistic'],
  ...awsSettings,
  ...openStackSettings,
  ...alicloudSettings,
  ...dockerSettings,
  ...registrySettings,
  ...compatibilitySettings,
  ALM_RATE_LIMIT: ['100', 'requests per second of an account, or of the agents of a stack; 0: no limit'],
  ALM_MAX_STACKS: ['0', 'stacks of an account; 0: no limit'],
  ALM_MAX_VERSIONS: [
    '0',
    'versions kept of a stack; older ones are deleted, but never the desired, the settled and the latest one; 0: all',
  ],
  ALM_MAX_STREAMS: ['1000', 'open event streams of an account on one server; 0: no limit'],
  ALM_TOKEN_RATE_LIMIT: [
    '10',
    'requests per second of an IP address without a token, including the token endpoints; 0: no limit',
  ],
  ...limitSettings,
  ALM_TRUST_PROXY: [
    '',
    'IP addresses of trusted reverse proxies, separated by commas; their X-Forwarded-For is used',
  ],
  ALM_METRICS_STACKS: [
    '0',
    '1: /metrics, which requires no token, includes the number of stacks of all accounts by status',
  ],
  ...passSettings,
  ...documentSettings,
  ...eventLoopSettings,
  ...openIdSettings,
  ...consoleSettings,
  ...auditSettings,
  ...retentionSettings,
  ALM_LOG: ['info', 'log level: trace, debug, info, warn, error, silent'],
} as const satisfies Record<string, readonly [string, string]>;

type SettingName = keyof typeof settings;

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface Config extends CompatibilityConfig, EventLoopConfig {
  host: string;
  port: number;
  baseUrl: string;
  dataDirectory: string;
  databaseUrl: string;
  /** Undefined: the same. */
  listenDatabaseUrl: string | undefined;
  secretKey: Secret | null;
  first: { clientId: string | null; clientSecret: Secret | null; username: string; password: Secret | null };
  /** Of the master user that `account create` creates. */
  accountPassword: Secret | null;
  sandboxSpeed: number;
  aws: AwsConfig;
  openStack: OpenStackConfig;
  alicloud: AlicloudConfig;
  docker: DockerConfig;
  registry: RegistryConfig;
  personalTokenDays: number;
  /** Defaults for the quotas of accounts. 0: no limit. */
  quota: { stacks: number; versions: number; streams: number; requests: number };
  /** Requests per second; 0: no limit. */
  rateLimit: number;
  tokenRateLimit: number;
  limits: ServiceLimits;
  trustedProxies: string[];
  /** Whether public metrics include the number of stacks. */
  metricsOfStacks: boolean;
  passes: PassConfig;
  stop: StopConfig;
  documents: DocumentsConfig;
  audit: AuditConfig;
  retention: RetentionConfig;
  /** Null: users sign in with passwords only. */
  openId: OpenIdConfig | null;
  console: ConsoleConfig;
  logLevel: LogLevel;
}

type Environment = Readonly<Record<string, string | undefined>>;

const parseNumber = (name: SettingName, text: string, [min, max]: readonly [number, number]): number => {
  const value = Number(text);
  if (text.trim() !== '' && value >= min && value <= max) return value;
  throw new Error(`${name} must be a number from ${min} to ${max}, not "${text}".`);
};

const splitNames = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

const parseProxies = (text: string): string[] => {
  const addresses = splitNames(text);
  for (const address of addresses)
    if (!isIP(address.replace(/\/\d{1,3}$/, '')))
      throw new Error(
        `ALM_TRUST_PROXY must be IP addresses or networks such as 10.0.0.0/8, not "${address}".`,
      );
  return addresses;
};

const parseLogLevel = (text: string): LogLevel => {
  const logLevel = logLevels.find((level) => level === text);
  if (!logLevel) throw new Error(`ALM_LOG must be one of ${logLevels.join(', ')}, not "${text}".`);
  return logLevel;
};

type ReadNumber = (name: SettingName, min: number, max: number) => number;

const readFirst = (
  read: (name: SettingName) => string,
  secret: (name: SettingName) => Secret | null,
): Config['first'] => ({
  clientId: read('ALM_CLIENT_ID') || null,
  clientSecret: secret('ALM_CLIENT_SECRET'),
  username: read('ALM_ROOT_USERNAME'),
  password: secret('ALM_ROOT_PASSWORD'),
});

/** Fewer would delete versions that work in progress may still need. */
export const minVersions = 5;

const atLeastMinVersions = (versions: number): number => {
  if (versions === 0 || versions >= minVersions) return versions;
  throw new Error(`ALM_MAX_VERSIONS must be 0 or at least ${minVersions}, not "${versions}".`);
};

const readQuota = (number: ReadNumber): Config['quota'] => ({
  stacks: Math.trunc(number('ALM_MAX_STACKS', 0, 1_000_000)),
  versions: atLeastMinVersions(Math.trunc(number('ALM_MAX_VERSIONS', 0, 1_000_000))),
  streams: Math.trunc(number('ALM_MAX_STREAMS', 0, 1_000_000)),
  requests: number('ALM_RATE_LIMIT', 0, 1_000_000),
});

const defaultUrl = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

const readRates = (number: ReadNumber): Pick<Config, 'rateLimit' | 'tokenRateLimit'> => ({
  rateLimit: number('ALM_RATE_LIMIT', 0, 1_000_000),
  tokenRateLimit: number('ALM_TOKEN_RATE_LIMIT', 0, 1_000_000),
});

/** Reads all settings. Throws an error with the name of the first invalid one. */
export function readConfig(environment: Environment): Config {
  const read = (name: SettingName): string => environment[name] || settings[name][0];
  const number: ReadNumber = (name, min, max) => parseNumber(name, read(name), [min, max]);
  const secret = (name: SettingName): Secret | null => (read(name) ? new Secret(read(name)) : null);
  const host = read('ALM_HOST');
  const port = Math.trunc(number('ALM_PORT', 0, 65_535));
  const dataDirectory = resolve(read('ALM_DATA'));
  return {
    host,
    port,
    baseUrl: (read('ALM_BASE_URL') || defaultUrl(host, port)).replace(/\/+$/, ''),
    dataDirectory,
    databaseUrl: read('DATABASE_URL') || `sqlite:${join(dataDirectory, 'almanac.db')}`,
    listenDatabaseUrl: read('ALM_LISTEN_DATABASE_URL') || undefined,
    secretKey: secret('ALM_SECRET_KEY'),
    first: readFirst(read, secret),
    accountPassword: secret('ALM_ACCOUNT_PASSWORD'),
    sandboxSpeed: number('ALM_SANDBOX_SPEED', 0, 1000),
    aws: readAws({ read, number, names: splitNames }),
    openStack: readOpenStack({ read, number, names: splitNames }),
    alicloud: readAlicloud({ read, number, names: splitNames }),
    docker: readDocker({ read, number, names: splitNames }, Boolean(environment['ALM_DOCKER_SOCKET'])),
    registry: readRegistry({ read, number }),
    personalTokenDays: number('ALM_PERSONAL_TOKEN_DAYS', 1, 3660),
    ...readCompatibility(read),
    quota: readQuota(number),
    ...readRates(number),
    limits: readLimits((name) => Math.trunc(number(name, 0, 1_000_000))),
    trustedProxies: parseProxies(read('ALM_TRUST_PROXY')),
    metricsOfStacks: read('ALM_METRICS_STACKS') === '1',
    ...readPasses({ read, number }),
    documents: readDocuments(read, number),
    audit: readAudit({ read, number }, dataDirectory),
    retention: readRetention((name) => Math.trunc(number(name, 0, 36_500))),
    ...readEventLoop(number),
    logLevel: parseLogLevel(read('ALM_LOG')),
    openId: readOpenIdConfig(read),
    console: readConsole(read),
  };
}

/** The settings as help text. */
export const settingsHelp = (): string =>
  Object.entries(settings)
    .map(
      ([name, [defaultValue, meaning]]) =>
        `  ${name.padEnd(30)}${meaning}${defaultValue ? ` (default ${defaultValue})` : ''}`,
    )
    .join('\n');
