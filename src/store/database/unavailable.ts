import { Failure } from '../../basics/failure.ts';

interface Outage {
  description: string;
  /** Seconds. */
  retryAfter: number;
  cause: unknown;
}

/** The database cannot be used at the moment. Not an internal error: the same work succeeds later. */
export class DatabaseUnavailable extends Failure {
  constructor(message: string, outage: Outage) {
    super('unavailable', message, outage);
  }
}
