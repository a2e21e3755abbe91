import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';

export type Log = Logger;

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface LogOptions {
  level: LogLevel;
  /** Standard output when absent. */
  destination?: DestinationStream;
}

const secretNames = [
  'authorization',
  'cookie',
  'password',
  'passwd',
  'secret',
  'token',
  'client_secret',
  'access_token',
  'auth_token',
  'privateKey',
  'gitPrivateKey',
  'dockerHubPassword',
];

/** Nobody logs these on purpose. This is the second net, for the day someone does by mistake. */
const redactedPaths = secretNames.flatMap((name) => [name, `*.${name}`, `*.*.${name}`, `*.*.*.${name}`]);

const redactions: readonly [RegExp, string][] = [
  [/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, '$1 [redacted]'],
  [/:\/\/[^/\s@]+@/g, '://[redacted]@'],
  [new RegExp(`\\b(${secretNames.join('|')})(["']?\\s*[:=]\\s*["']?)[^"'&\\s,}]+`, 'gi'), '$1$2[redacted]'],
];

/** Takes out of a text what looks like a secret. */
export const withoutSecrets = (text: string): string =>
  redactions.reduce((clean, [pattern, replacement]) => clean.replace(pattern, replacement), text);

/** Type, message and stack only: errors of libraries carry whole requests in their other members. */
const describeError = (error: unknown): unknown => {
  if (!(error instanceof Error)) return typeof error === 'string' ? withoutSecrets(error) : typeof error;
  const { type, message, stack } = stdSerializers.errWithCause(error);
  const cause = error.cause instanceof Error ? { cause: describeError(error.cause) } : {};
  return { type, message: withoutSecrets(message), stack: withoutSecrets(stack ?? ''), ...cause };
};

/** One JSON object per line. */
export const createLog = ({ level, destination }: LogOptions): Log =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: redactedPaths, censor: '[redacted]' },
      serializers: { err: describeError, error: describeError, req: () => '[request]', res: () => '[reply]' },
    },
    destination ?? pino.destination(1),
  );
