import type { Problem } from './problem.ts';

/**
 * All kinds of failed requests: the HTTP status, the four-digit code that existing clients read, and the machine-readable
 * word. A new kind needs only a new row here.
 */
export const failureKinds = {
  invalid_request: { status: 400, code: '1000' },
  duplicate: { status: 409, code: '1005' },
  invalid_template: { status: 400, code: '1006' },
  empty_template: { status: 400, code: '1007' },
  vendor_trouble: { status: 502, code: '2000' },
  conflict: { status: 409, code: '2001' },
  precondition_failed: { status: 412, code: '2002' },
  registry_trouble: { status: 502, code: '2003' },
  forbidden: { status: 403, code: '4000' },
  account_suspended: { status: 403, code: '4001' },
  quota_exceeded: { status: 403, code: '4002' },
  proof_required: { status: 403, code: '4003' },
  unauthorized: { status: 401, code: '0401' },
  not_found: { status: 404, code: '0404' },
  method_not_allowed: { status: 405, code: '0405' },
  too_large: { status: 413, code: '0413' },
  unsupported_media_type: { status: 415, code: '0415' },
  too_many_requests: { status: 429, code: '0429' },
  internal: { status: 500, code: '9000' },
  unavailable: { status: 503, code: '9003' },
  // RFC 6749 words, used by the token endpoints only.
  invalid_client: { status: 401, code: '0401' },
  invalid_grant: { status: 400, code: '1000' },
  // An extension of RFC 6749, as its section 8.5 allows; also used where a password alone is not enough.
  mfa_required: { status: 400, code: '1000' },
  unauthorized_client: { status: 400, code: '1000' },
  unsupported_grant_type: { status: 400, code: '1000' },
} as const;

export type FailureKind = keyof typeof failureKinds;

/** A store of data that a request would remove, and how to confirm it. */
export interface StoreToConfirm {
  id: string;
  resource: string;
  resource_type: string;
  kind: string;
  store_id: string;
  action: 'remove' | 'replace';
  /** The ways to go on: parameters of the request. */
  confirm: readonly string[];
  sentence: string;
  /** What becomes of it with each of the ways to go on, in their order. */
  sentences: readonly string[];
}

/** A store that an older version has and the stack no longer, and what a request must say about it. */
export interface StoreToRestore {
  resource: string;
  resource_type: string;
  /** Id of the data that was kept last; empty: nothing is kept. */
  kept: string;
  confirm: readonly string[];
  /** What becomes of it with each of the ways to go on, in their order. */
  sentences: readonly string[];
}

export interface FailureDetails {
  /** The reason, or what to do; shown to the caller. */
  description?: string;
  problems?: readonly Problem[];
  /** What the caller must confirm before the request is accepted. */
  stores?: readonly StoreToConfirm[];
  /** What would come back empty: the caller must say whether kept data is restored. */
  returning?: readonly StoreToRestore[];
  /** Seconds to wait before a retry. */
  retryAfter?: number;
  /** Rejected by roles, even when the response says "not found" to hide a resource. */
  denied?: boolean;
  /** Never shown to the caller, only logged. */
  cause?: unknown;
}

/** An error with a message for the caller. Any other thrown error is an internal error. */
export class Failure extends Error {
  readonly kind: FailureKind;
  readonly description: string;
  readonly problems: readonly Problem[];
  readonly stores: readonly StoreToConfirm[];
  readonly returning: readonly StoreToRestore[];
  readonly retryAfter: number | undefined;
  readonly denied: boolean;

  constructor(kind: FailureKind, message: string, details: FailureDetails = {}) {
    super(message, { cause: details.cause });
    this.name = 'Failure';
    this.kind = kind;
    this.description = details.description ?? '';
    this.problems = details.problems ?? [];
    this.stores = details.stores ?? [];
    this.returning = details.returning ?? [];
    this.retryAfter = details.retryAfter;
    this.denied = details.denied ?? kind === 'forbidden';
  }
}

/** Uses the same message for "does not exist" and "belongs to another account", so that ids are never confirmed. */
export const notFound = (what: string, id: string, details: FailureDetails = {}) =>
  new Failure('not_found', `${what} ${id} does not exist`, details);
