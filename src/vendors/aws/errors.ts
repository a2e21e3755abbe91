import { type Answer, refused, Unreachable } from '../vendor.ts';

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

const accessErrors: readonly [RegExp, string][] = [
  [
    /^(InvalidClientTokenId|UnrecognizedClientException|AuthFailure|InvalidAccessKeyId)$/,
    'AWS does not know the access key, or the key is disabled',
  ],
  [/^SignatureDoesNotMatch$/, 'The secret does not belong to the access key'],
  [
    /^(ExpiredToken|ExpiredTokenException|RequestExpired)$/,
    'The access key has expired, or the clock of this server is wrong',
  ],
  [
    /^(AccessDenied|AccessDeniedException|UnauthorizedOperation|NotAuthorized)$/,
    'Permission denied: the key or its role lacks a permission',
  ],
];

/** Whether AWS rejected the caller, not the content of the request. */
export const isAccessError = (error: unknown): boolean =>
  accessErrors.some(([name]) => name.test(asSdkError(error).name));

export const errorName = (error: unknown): string => asSdkError(error).name;

/** A sentence that includes the message from AWS. */
export function errorMessage(error: unknown): string {
  const { name, message, code, $metadata } = asSdkError(error);
  const status = $metadata?.httpStatusCode ?? 0;
  // The body of a 5xx response is often an HTML page, which the SDK cannot parse.
  const text = status >= 500 ? `AWS answered ${status}` : message || code || name;
  const access = accessErrors.find(([pattern]) => pattern.test(name));
  return access ? `${access[1]} (${name}: ${text})` : text;
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
    throw new Unreachable(errorMessage(cause), { cause });
  }
}

/** Like `callAws`, for observing a stack: if AWS rejects the read, nothing is known about the stack, and AWS says why. */
export async function observeAws<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await callAws(call);
  } catch (cause) {
    throw isRejection(cause) ? new Unreachable(errorMessage(cause), { cause }) : cause;
  }
}

/** Like `callAws`, for changes: a rejection becomes a refused answer. */
export async function toAnswer(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await callAws(call);
  } catch (cause) {
    if (!isRejection(cause)) throw cause;
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
