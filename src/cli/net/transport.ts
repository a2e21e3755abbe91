import type { ClientRequest, IncomingMessage } from 'node:http';
import type { CliError } from '../cli-error.ts';
import type { System } from '../system.ts';

export interface HttpRequest {
  method: string;
  url: URL;
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
  timeoutSeconds: number;
  /** For responses without end: the timeout applies only until the response begins. */
  streaming?: boolean;
  signal?: AbortSignal | undefined;
}

/** A way to reach a URL: directly, or through a proxy. */
export interface Transport {
  start(options: Pick<HttpRequest, 'method' | 'headers' | 'signal'>): ClientRequest;
  /** Describes a failed connection. */
  toError(error: unknown): CliError;
  /** Returns an error if the response comes from the proxy instead of the server. */
  proxyErrorIn?(response: IncomingMessage): CliError | null;
}

export type NetContext = Pick<System, 'clock' | 'env'>;
