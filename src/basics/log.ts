import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';
import type { LogLevel } from './config.ts';
import { withoutSecrets } from './text/redact.ts';

export type Log = Logger;

export interface LogOptions {
  level: LogLevel;
  /** Default: standard output. */
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

/** A safety net: no code should log these, but one may do so by mistake. */
const redactedPaths = secretNames.flatMap((name) => [name, `*.${name}`, `*.*.${name}`, `*.*.*.${name}`]);

/** Logs only type, message and stack: errors of libraries contain whole requests in other members. */
const describeError = (error: unknown): unknown => {
  if (!(error instanceof Error)) return typeof error === 'string' ? withoutSecrets(error) : typeof error;
  const { type, message, stack } = stdSerializers.errWithCause(error);
  const cause = error.cause instanceof Error ? { cause: describeError(error.cause) } : {};
  return { type, message: withoutSecrets(message), stack: withoutSecrets(stack ?? ''), ...cause };
};

export interface LogOutput {
  stream: DestinationStream;
  /** Number of lines that could not be written. */
  droppedLines: () => number;
}

/** Bytes of log lines that wait for a slow reader. */
const maxWaitingBytes = 256 * 1024;

/**
 * Writes to standard output without waiting for it: a full disk or a reader that stopped reading must not stop the server.
 * Lines that do not fit into the buffer, or cannot be written, are dropped and counted.
 */
export function openLogOutput(): LogOutput {
  let dropped = 0;
  const count = (): void => {
    dropped += 1;
  };
  const stream = pino.destination({ dest: 1, sync: false, maxLength: maxWaitingBytes });
  stream.on('drop', count);
  stream.on('error', count);
  return { stream, droppedLines: () => dropped };
}

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
    destination ?? openLogOutput().stream,
  );
