import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { Secret } from './secret.ts';

/** Every setting, with its default and what it is for: `almanac serve --help` is this table. */
export const settings = {
  ALM_HOST: ['127.0.0.1', 'address to listen on'],
  ALM_PORT: ['8080', 'port to listen on'],
  ALM_DATA: ['./data', 'directory of the embedded database and the sealing key'],
  DATABASE_URL: [
    '',
    'postgres://… to run several servers on one database; empty: embedded SQLite in ALM_DATA',
  ],
  ALM_BASE_URL: ['', 'address agents and links use; default http://ALM_HOST:ALM_PORT'],
  ALM_SECRET_KEY: [
    '',
    '32 bytes in base64 that seal secrets at rest; default: ALM_DATA/secret.key, made on first start; several with commas: the first seals, all open',
  ],
  ALM_CLIENT_ID: ['', 'first start only: id of the API client (generated and printed when absent)'],
  ALM_CLIENT_SECRET: ['', 'first start only: its secret (generated and printed when absent)'],
  ALM_ROOT_USERNAME: ['root', 'first start only: name of the master user'],
  ALM_ROOT_PASSWORD: ['', 'first start only: its password (generated and printed when absent)'],
  ALM_SANDBOX_SPEED: ['1', 'how long the sandbox cloud takes: 0 = at once, 1 = realistic seconds'],
  ALM_AWS_POLL_SECONDS: [
    '5',
    'how often a stack that changes on AWS is looked at in its first minute; later less often',
  ],
  ALM_DOCKER_SOCKET: [
    '/var/run/docker.sock',
    'socket of the container engine the docker vendor uses; offered where it is set or the file is there',
  ],
  ALM_DOCKER_ACCOUNTS: [
    '',
    'ids of the accounts that may use it, with commas, or *; default: the first account alone',
  ],
  ALM_DOCKER_IMAGES: ['almanac/', 'how the names of the images of the docker vendor begin'],
  ALM_DOCKER_PUBLISH: ['127.0.0.1', 'address of this machine at which its load balancers are reached'],
  ALM_COMPAT_V2_PASSWORD: [
    '0',
    '1: accept grant_type password on /v2/access_token, as existing clients send it',
  ],
  ALM_COMPAT_INSTANCES_BY_FLAG: [
    '0',
    '1: v3 describe answers instances as an object from layer to list, as existing clients decode it',
  ],
  ALM_RATE_LIMIT: ['100', 'requests a second of an account, or of the agents of a stack; 0: no limit'],
  ALM_TOKEN_RATE_LIMIT: [
    '10',
    'requests a second of an address without a token, the token endpoints included; 0: no limit',
  ],
  ALM_TRUST_PROXY: ['', 'addresses of reverse proxies, with commas, whose X-Forwarded-For is believed'],
  ALM_METRICS_STACKS: [
    '0',
    '1: /metrics, which needs no token, also counts the stacks of all accounts by status',
  ],
  ALM_LOG: ['info', 'log level: trace, debug, info, warn, error, silent'],
} as const satisfies Record<string, readonly [string, string]>;

export type SettingName = keyof typeof settings;

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface Config {
  host: string;
  port: number;
  baseUrl: string;
  dataDirectory: string;
  databaseUrl: string;
  secretKey: Secret | null;
  first: { clientId: string | null; clientSecret: Secret | null; username: string; password: Secret | null };
  sandboxSpeed: number;
  awsPollSeconds: number;
  docker: DockerConfig;
  passwordGrantOnV2: boolean;
  instancesByFlag: boolean;
  /** Requests a second; 0: no limit. */
  rateLimit: number;
  tokenRateLimit: number;
  trustedProxies: string[];
  /** In the public metrics. */
  metricsOfStacks: boolean;
  logLevel: LogLevel;
}

export interface DockerConfig {
  socket: string;
  /** Somebody named the socket: the vendor is offered even while there is none. */
  wanted: boolean;
  /** Who may use it; `*`: everybody; nobody named: the first account. */
  accounts: readonly string[];
  imagePrefix: string;
  publishAddress: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const number = (name: SettingName, text: string, minimum: number, maximum: number): number => {
  const value = Number(text);
  if (text.trim() !== '' && value >= minimum && value <= maximum) return value;
  throw new Error(`${name} must be a number from ${minimum} to ${maximum}, not "${text}".`);
};

const names = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

const proxies = (text: string): string[] => {
  const addresses = names(text);
  for (const address of addresses)
    if (!isIP(address.replace(/\/\d{1,3}$/, '')))
      throw new Error(`ALM_TRUST_PROXY must hold addresses or blocks such as 10.0.0.0/8, not "${address}".`);
  return addresses;
};

const readDocker = (read: (name: SettingName) => string, environment: Environment): DockerConfig => ({
  socket: read('ALM_DOCKER_SOCKET').replace(/^unix:\/\//, ''),
  wanted: Boolean(environment['ALM_DOCKER_SOCKET']),
  accounts: names(read('ALM_DOCKER_ACCOUNTS')),
  imagePrefix: read('ALM_DOCKER_IMAGES'),
  publishAddress: read('ALM_DOCKER_PUBLISH'),
});

/** Reads all settings; a bad one is refused with its name. */
export function readConfig(environment: Environment): Config {
  const read = (name: SettingName): string => environment[name] || settings[name][0];
  const secret = (name: SettingName): Secret | null => (read(name) ? new Secret(read(name)) : null);
  const host = read('ALM_HOST');
  const port = Math.trunc(number('ALM_PORT', read('ALM_PORT'), 0, 65_535));
  const dataDirectory = resolve(read('ALM_DATA'));
  const logLevel = logLevels.find((level) => level === read('ALM_LOG'));
  if (!logLevel) throw new Error(`ALM_LOG must be one of ${logLevels.join(', ')}, not "${read('ALM_LOG')}".`);
  return {
    host,
    port,
    baseUrl: (read('ALM_BASE_URL') || `http://${host.includes(':') ? `[${host}]` : host}:${port}`).replace(
      /\/+$/,
      '',
    ),
    dataDirectory,
    databaseUrl: read('DATABASE_URL') || `sqlite:${join(dataDirectory, 'almanac.db')}`,
    secretKey: secret('ALM_SECRET_KEY'),
    first: {
      clientId: read('ALM_CLIENT_ID') || null,
      clientSecret: secret('ALM_CLIENT_SECRET'),
      username: read('ALM_ROOT_USERNAME'),
      password: secret('ALM_ROOT_PASSWORD'),
    },
    sandboxSpeed: number('ALM_SANDBOX_SPEED', read('ALM_SANDBOX_SPEED'), 0, 1000),
    awsPollSeconds: number('ALM_AWS_POLL_SECONDS', read('ALM_AWS_POLL_SECONDS'), 0.1, 3600),
    docker: readDocker(read, environment),
    passwordGrantOnV2: read('ALM_COMPAT_V2_PASSWORD') === '1',
    instancesByFlag: read('ALM_COMPAT_INSTANCES_BY_FLAG') === '1',
    rateLimit: number('ALM_RATE_LIMIT', read('ALM_RATE_LIMIT'), 0, 1_000_000),
    tokenRateLimit: number('ALM_TOKEN_RATE_LIMIT', read('ALM_TOKEN_RATE_LIMIT'), 0, 1_000_000),
    trustedProxies: proxies(read('ALM_TRUST_PROXY')),
    metricsOfStacks: read('ALM_METRICS_STACKS') === '1',
    logLevel,
  };
}

/** For the operator's own eyes. */
export const settingsHelp = (): string =>
  Object.entries(settings)
    .map(([name, [standard, meaning]]) => `  ${name.padEnd(30)}${meaning}${standard ? ` (${standard})` : ''}`)
    .join('\n');
