import type { ClientRequest, IncomingMessage } from 'node:http';
import type { CliError } from '../cli-error.ts';
import type { System } from '../system.ts';

export interface Sent {
  method: string;
  url: URL;
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
  timeoutSeconds: number;
  /** For answers that go on and on: time counts only until they begin. */
  streaming?: boolean;
  signal?: AbortSignal | undefined;
}

/** How an address is reached: straight, or by a proxy. */
export interface Transport {
  begin(options: Pick<Sent, 'method' | 'headers' | 'signal'>): ClientRequest;
  /** Why there was no answer, in words. */
  failed(error: unknown): CliError;
  /** What is to be said of an answer that comes from somebody on the way. */
  refused?(answer: IncomingMessage): CliError | null;
}

export type Net = Pick<System, 'clock' | 'env'>;
