import { type Answer, CredentialRejected, refused, Unreachable } from '../vendor.ts';
import { neededPermissions } from './permissions/denials.ts';

/** Members that errors thrown by the SDK may carry. */
interface SdkError extends Error {
  code?: string;
  $metadata?: { httpStatusCode?: number };
  $response?: unknown;
}

const asSdkError = (error: unknown): SdkError => (error instanceof Error ? error : new Error(String(error)));

/** Services use different names for throttling and for concurrent changes. Both are temporary. */
const throttling =
  /^(Throttl|TooManyRequests|RequestLimitExceeded|SlowDown|RequestThrottled|BandwidthLimit|PriorRequestNotComplete|OperationAborted|TooManyUpdates|ConcurrentModification|ResourceContention)/;

/** AWS rejected the request itself. Any other error may not occur on the next attempt. */
export const isRejection = (error: unknown): boolean => {
  const { name, $metadata } = asSdkError(error);
  const status = $metadata?.httpStatusCode ?? 0;
  return status >= 400 && status < 500 && !throttling.test(name);
};

/**
 * AWS failed or throttled, its response is unreadable, or the connection failed (`code`: ECONNREFUSED, ENOTFOUND, a TLS
 * error). Anything else is a bug of ours, also Node's own TypeError with a code such as ERR_INVALID_ARG_TYPE.
 */
const ownErrors = /^ERR_(?!TLS|SSL|STREAM)/;

const isOutage = (error: SdkError): boolean => {
  const { name, code, $metadata, $response } = error;
  if ($metadata?.httpStatusCode !== undefined || $response !== undefined) return true;
  if (error instanceof TypeError || error instanceof RangeError) return false;
  return (typeof code === 'string' && !ownErrors.test(code)) || name === 'TimeoutError';
};

/** Why AWS rejected the caller, and what to do. The first that fits counts. */
interface AccessError {
  name: RegExp;
  message?: RegExp;
  meaning: string;
}

/** AWS does not accept the key at present. The stack itself is not affected, so work on it waits for a valid key. */
const keyErrors: readonly AccessError[] = [
  {
    name: /^(InvalidClientTokenId|UnrecognizedClientException|AuthFailure|InvalidAccessKeyId)$/,
    meaning:
      'AWS does not know the access key, or the key is disabled. Enable it, or save a valid key under the same id',
  },
  {
    name: /^(RequestTimeTooSkewed|RequestInTheFuture)$/,
    meaning: 'The clock of this server is wrong. Correct it',
  },
  {
    name: /^(SignatureDoesNotMatch|InvalidSignature|InvalidSignatureException)$/,
    message: /signature expired|not yet current|skew/i,
    meaning: 'The clock of this server is wrong. Correct it',
  },
  {
    name: /^(SignatureDoesNotMatch|InvalidSignature|InvalidSignatureException)$/,
    meaning: 'The secret does not belong to the access key. Save both again under the same id',
  },
  {
    name: /^(ExpiredToken|ExpiredTokenException|RequestExpired)$/,
    meaning:
      'The access key has expired, or the clock of this server is wrong. Save a new key under the same id, or correct the clock',
  },
];

const denied: AccessError = {
  name: /^(AccessDenied|AccessDeniedException|UnauthorizedOperation|NotAuthorized)$/,
  meaning: 'Permission denied: the key or its role lacks a permission',
};

const accessErrors: readonly AccessError[] = [...keyErrors, denied];

const findAccessError = (errors: readonly AccessError[], error: unknown): AccessError | undefined => {
  const { name, message: text } = asSdkError(error);
  return errors.find((it) => it.name.test(name) && (!it.message || it.message.test(text)));
};

/** Whether AWS rejected the caller, not the content of the request. */
export const isAccessError = (error: unknown): boolean => findAccessError(accessErrors, error) !== undefined;

/** Whether the key is valid but lacks a permission. */
export const isDenied = (error: unknown): boolean => findAccessError([denied], error) !== undefined;

export const errorName = (error: unknown): string => asSdkError(error).name;

/** A sentence that includes the message from AWS. */
export function errorMessage(error: unknown): string {
  const { name, message, code, $metadata } = asSdkError(error);
  const status = $metadata?.httpStatusCode ?? 0;
  // The body of a 5xx response is often an HTML page, which the SDK cannot parse.
  const text = status >= 500 ? `AWS answered ${status}` : message || code || name;
  const access = findAccessError(accessErrors, error);
  if (!access) return text;
  const needed = access === denied ? neededPermissions(asSdkError(error)) : '';
  return [`${access.meaning} (${name}: ${text})`, needed].filter(Boolean).join('. ');
}

/** Calls AWS. Throws `Unreachable` for connection errors, outages and throttling. Rejections and bugs are thrown unchanged. */
export async function callAws<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    if (cause instanceof Unreachable || isRejection(cause) || !isOutage(asSdkError(cause))) throw cause;
    throw new Unreachable(errorMessage(cause), { cause });
  }
}

/** Like `callAws`, for reads: a rejected key says nothing about the stack, so access errors are `Unreachable` too. */
export async function readAws<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await callAws(call);
  } catch (cause) {
    if (cause instanceof Unreachable || !isAccessError(cause)) throw cause;
    throw new CredentialRejected(errorMessage(cause), { cause });
  }
}

/** Like `callAws`, for observing a stack: if AWS rejects the read, nothing is known about the stack, and AWS says why. */
export async function observeAws<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await callAws(call);
  } catch (cause) {
    throw isRejection(cause) ? unobservable(cause) : cause;
  }
}

/** The error to throw if AWS rejects a read. */
export const unobservable = (cause: unknown): Unreachable =>
  isAccessError(cause)
    ? new CredentialRejected(errorMessage(cause), { cause })
    : new Unreachable(errorMessage(cause), { cause });

/** Ends a change that cannot be requested from AWS. The message says why and what to do. */
export class Refusal extends Error {}

/**
 * Like `callAws`, for changes: a rejection becomes a refused answer. A rejected key does not answer the request: it waits
 * until the key is valid again.
 */
export async function toAnswer(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await callAws(call);
  } catch (cause) {
    if (cause instanceof Refusal) return refused(cause.message);
    if (cause instanceof Unreachable || !isRejection(cause)) throw cause;
    if (findAccessError(keyErrors, cause)) throw new CredentialRejected(errorMessage(cause), { cause });
    return refused(errorMessage(cause));
  }
}

/** An error identified by the name AWS gives it and, where the name is too general, by its message. */
export interface ExpectedError {
  name: RegExp;
  message?: RegExp;
}

/** Like `callAws`, but returns undefined for the expected error. */
export async function ignoreError<T>(
  { name, message }: ExpectedError,
  call: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await callAws(call);
  } catch (cause) {
    const isExpected = name.test(errorName(cause)) && (!message || message.test(errorMessage(cause)));
    if (cause instanceof Unreachable || !isExpected) throw cause;
    return undefined;
  }
}
