import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';

const text = Type.String({ minLength: 1 });
const seconds = (minimum: number, maximum: number, fallback: number) =>
  Type.Number({ minimum, maximum, default: fallback });

/** The content of `agent.json`. Members with a default are optional. */
const settingsSchema = Type.Object(
  {
    /** `https://…`, `http://…` or `unix:/path/of/socket`. */
    server: Type.String({ pattern: '^(https?://|unix:/)' }),
    stackId: text,
    flag: Type.String(),
    /** The stack's token, or where to read it: `ssm:<parameter>`, `oos:<secret parameter>`, `file:<path>`. */
    token: Type.Optional(text),
    tokenFrom: Type.Optional(Type.String({ pattern: '^(ssm:.|oos:.|file:/)' })),
    region: Type.Optional(text),
    /** Default: from the metadata service, or the host name. */
    instanceId: Type.Optional(text),
    engine: Type.String({ minLength: 1, default: '/var/run/docker.sock' }),
    /** Network of the application's container; null: the engine's default bridge. */
    network: Type.Union([text, Type.Null()], { default: null }),
    /** Source of spot notices, credentials and the instance id: a URL, or `file:/path` of a notice. */
    metadata: Type.Union([Type.String({ pattern: '^(https?://|file:/)' }), Type.Null()], { default: null }),
    /** Whose metadata service it is. */
    cloud: Type.Union([Type.Literal('aws'), Type.Literal('alicloud')], { default: 'aws' }),
    /** The address to listen on. Default: all addresses. */
    listenAddress: Type.Optional(text),
    stateDirectory: Type.String({ minLength: 1, default: '/var/lib/almanac' }),
    readyFile: Type.String({ minLength: 1, default: '/run/almanac/ready' }),
    /** Private endpoint instead of `https://<service>.<region>.amazonaws.com`. */
    awsEndpoint: Type.Optional(Type.String({ pattern: '^https?://' })),
    /** Private endpoint instead of `https://oos.<region>.aliyuncs.com`. */
    alicloudEndpoint: Type.Optional(Type.String({ pattern: '^https?://' })),
    /** For tests: mounts the host's `/usr` into containers of images labelled as having no programs. */
    hostUsr: Type.Boolean({ default: false }),
    manageUsers: Type.Boolean({ default: false }),
    pollSeconds: seconds(0.05, 3600, 10),
    healthSeconds: seconds(0.1, 3600, 120),
    drainSeconds: seconds(0, 3600, 30),
    /** Delay after a failed deploy; doubles with each further failure. */
    retrySeconds: seconds(0.05, 3600, 10),
    spotPollSeconds: seconds(0.05, 60, 5),
    /** How long new connections are still accepted after a spot notice, so that the load balancer can react. */
    spotGraceSeconds: seconds(0, 110, 20),
  },
  { additionalProperties: false },
);

export interface Settings extends Static<typeof settingsSchema> {
  /** Where storage of kind `local` is, instead of a volume of the engine: a directory that outlives the instance. */
  storageDirectory?: string;
}

/** The program that mounts the directory says where it is: that is not known when the settings file is written. */
const storageVariable = 'ALM_AGENT_STORAGE_DIR';

const describeProblem = (value: unknown): string => {
  const [problem] = Value.Errors(settingsSchema, value);
  const name = problem?.instancePath.slice(1) ?? '';
  if (problem?.keyword === 'boolean') return `unknown setting ${name}`;
  return `${name} ${problem?.message ?? 'cannot be read'}`.trim();
};

/** Throws an error that never repeats a value, because one of them is a secret. */
export function parseSettings(content: string, environment: NodeJS.ProcessEnv = {}): Settings {
  let parsed: unknown;
  try {
    parsed = JSON.parse(content);
  } catch {
    throw new Error('Invalid settings: not JSON.');
  }
  const value = Value.Default(settingsSchema, parsed);
  if (!Value.Check(settingsSchema, value)) throw new Error(`Invalid settings: ${describeProblem(value)}.`);
  if ((value.token === undefined) === (value.tokenFrom === undefined))
    throw new Error('Invalid settings: exactly one of token and tokenFrom is required.');
  const storageDirectory = environment[storageVariable];
  return storageDirectory ? { ...value, storageDirectory } : value;
}
