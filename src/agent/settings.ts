import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';

const text = Type.String({ minLength: 1 });
const seconds = (minimum: number, maximum: number, fallback: number) =>
  Type.Number({ minimum, maximum, default: fallback });

/** Everything `agent.json` may say. Members with a default may be left out. */
export const settingsSchema = Type.Object(
  {
    /** `https://…`, `http://…` or `unix:/path/of/socket`. */
    server: Type.String({ pattern: '^(https?://|unix:/)' }),
    stackId: text,
    flag: Type.String(),
    /** What the agent signs in with, or where it is kept: `ssm:<parameter>`, `file:<path>`. */
    token: Type.Optional(text),
    tokenFrom: Type.Optional(Type.String({ pattern: '^(ssm:|file:/)' })),
    region: Type.Optional(text),
    /** Read from the metadata service when absent, the host's name where there is none. */
    instanceId: Type.Optional(text),
    engine: Type.String({ minLength: 1, default: '/var/run/docker.sock' }),
    /** The network the application's container joins; null: the engine's default bridge. */
    network: Type.Union([text, Type.Null()], { default: null }),
    /** Where spot notices, credentials and the instance's id are read: an address, or `file:/path` of a notice. */
    metadata: Type.Union([Type.String({ pattern: '^(https?://|file:/)' }), Type.Null()], { default: null }),
    /** Which address of the instance takes connections; every one when absent. */
    listenAddress: Type.Optional(text),
    stateDirectory: Type.String({ minLength: 1, default: '/var/lib/almanac' }),
    readyFile: Type.String({ minLength: 1, default: '/run/almanac/ready' }),
    /** Replaces `https://<service>.<region>.amazonaws.com`: a private endpoint. */
    awsEndpoint: Type.Optional(Type.String({ pattern: '^https?://' })),
    /** For tests: containers of images that say they have no programs of their own get the engine's machine's. */
    hostUsr: Type.Boolean({ default: false }),
    manageUsers: Type.Boolean({ default: false }),
    pollSeconds: seconds(0.05, 3600, 10),
    healthSeconds: seconds(0.1, 3600, 120),
    drainSeconds: seconds(0, 3600, 30),
    /** After a deploy that failed; doubles with each further one. */
    retrySeconds: seconds(0.05, 3600, 10),
    spotPollSeconds: seconds(0.05, 60, 5),
    /** How long after a spot notice new connections are still taken, so that the balancer can look away. */
    spotGraceSeconds: seconds(0, 110, 20),
  },
  { additionalProperties: false },
);

export type Settings = Static<typeof settingsSchema>;

const problemOf = (value: unknown): string => {
  const [problem] = Value.Errors(settingsSchema, value);
  const where = problem?.instancePath.slice(1) ?? '';
  if (problem?.keyword === 'boolean') return `there is no setting ${where}`;
  return `${where === '' ? 'The settings' : where} ${problem?.message ?? 'cannot be read'}`;
};

/** Throws a sentence that never repeats a value, because one of them is a secret. */
export function parseSettings(content: string): Settings {
  let given: unknown;
  try {
    given = JSON.parse(content);
  } catch {
    throw new Error('The settings are not JSON.');
  }
  const value = Value.Default(settingsSchema, given);
  if (!Value.Check(settingsSchema, value)) throw new Error(`The settings are wrong: ${problemOf(value)}.`);
  if ((value.token === undefined) === (value.tokenFrom === undefined))
    throw new Error('The settings are wrong: one of token and tokenFrom is needed.');
  return value;
}
