import type { ErrorBody } from '../../contract/error-body.ts';

interface FailedReply {
  status: number;
  body: ErrorBody | null;
  requestId: string | null;
  retryAfter: number | null;
}

/** The service answered with an error. */
export class CallFailed extends Error {
  readonly status: number;
  /** `null` if it is not an answer of the service, but of a proxy. */
  readonly body: ErrorBody | null;
  readonly requestId: string | null;
  /** Seconds. */
  readonly retryAfter: number | null;

  constructor({ status, body, requestId, retryAfter }: FailedReply) {
    super(body?.message ?? `The server answered with status ${status}`);
    this.name = 'CallFailed';
    this.status = status;
    this.body = body;
    this.requestId = body?.request_id ?? requestId;
    this.retryAfter = retryAfter;
  }
}

/** No answer arrived: a request that changes something may have been processed. */
export class NoAnswer extends Error {
  constructor(cause: unknown) {
    super('The server cannot be reached', { cause });
    this.name = 'NoAnswer';
  }
}

/** Code of the console did not arrive. */
export class NotLoaded extends Error {
  constructor(cause: unknown) {
    super('A part of the console could not be loaded', { cause });
    this.name = 'NotLoaded';
  }
}

/** Something was refused with a sentence for people, but not by an answer of the service. */
export class Refused extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'Refused';
  }
}

export const hasStatus = (error: unknown, status: number): boolean =>
  error instanceof CallFailed && error.status === status;
