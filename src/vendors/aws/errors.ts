import { type Answer, refused, Unreachable } from '../vendor.ts';

/** What every error the SDK throws may carry. */
interface SdkError extends Error {
  code?: string;
  $metadata?: { httpStatusCode?: number };
  $response?: unknown;
}

const asSdkError = (error: unknown): SdkError => (error instanceof Error ? error : new Error(String(error)));

/** Said in many ways by many services: too much at once, or two at once. It passes by itself. */
const throttling =
  /^(Throttl|TooManyRequests|RequestLimitExceeded|SlowDown|RequestThrottled|BandwidthLimit|PriorRequestNotComplete|OperationAborted|TooManyUpdates|ConcurrentModification|ResourceContention)/;

/** AWS answered, and the answer is about what was asked. Anything else may be different the next time. */
export const isAnswer = (error: unknown): boolean => {
  const { name, $metadata } = asSdkError(error);
  const status = $metadata?.httpStatusCode ?? 0;
  return status >= 400 && status < 500 && !throttling.test(name);
};

/**
 * AWS failed or throttled, its response is unreadable, or the connection failed (`code`: ECONNREFUSED, ENOTFOUND, a TLS
 * error). Anything else is a bug of ours, also Node's own TypeError with a code such as ERR_INVALID_ARG_TYPE.
 */
const isOutage = (error: SdkError): boolean => {
  const { name, code, $metadata, $response } = error;
  if ($metadata?.httpStatusCode !== undefined || $response !== undefined) return true;
  if (error instanceof TypeError || error instanceof RangeError) return false;
  return typeof code === 'string' || name === 'TimeoutError';
};

const accessTrouble: readonly [RegExp, string][] = [
  [
    /^(InvalidClientTokenId|UnrecognizedClientException|AuthFailure|InvalidAccessKeyId)$/,
    'AWS does not know the access key, or it was switched off',
  ],
  [/^SignatureDoesNotMatch$/, 'The secret does not belong to the access key'],
  [
    /^(ExpiredToken|ExpiredTokenException|RequestExpired)$/,
    'The access key has expired, or the clock of this server is wrong',
  ],
  [
    /^(AccessDenied|AccessDeniedException|UnauthorizedOperation|NotAuthorized)$/,
    'The key or its role lacks a right',
  ],
];

/** Whether AWS refused because of who asked, not of what was asked. */
export const isAboutAccess = (error: unknown): boolean =>
  accessTrouble.some(([name]) => name.test(asSdkError(error).name));

export const errorName = (error: unknown): string => asSdkError(error).name;

/** A sentence with AWS's own words in it. */
export function sentenceOf(error: unknown): string {
  const { name, message, code, $metadata } = asSdkError(error);
  const status = $metadata?.httpStatusCode ?? 0;
  // What comes with it is often a page for people, which the SDK cannot read.
  const words = status >= 500 ? `AWS answered ${status}` : message || code || name;
  const access = accessTrouble.find(([pattern]) => pattern.test(name));
  return access ? `${access[1]} (${name}: ${words})` : words;
}

/** Asks AWS. A failure on the way is `Unreachable`; an answer, also a refusal, and a bug of ours come through unchanged. */
export async function ask<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    if (cause instanceof Unreachable || isAnswer(cause) || !isOutage(asSdkError(cause))) throw cause;
    throw new Unreachable(sentenceOf(cause), { cause });
  }
}

const isDenied = (error: unknown): boolean =>
  isAboutAccess(error) || [401, 403].includes(asSdkError(error).$metadata?.httpStatusCode ?? 0);

/** For looking: a key that is not taken tells nothing about the stack. */
export async function look<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await ask(call);
  } catch (cause) {
    if (cause instanceof Unreachable || !isDenied(cause)) throw cause;
    throw new Unreachable(sentenceOf(cause), { cause });
  }
}

/** For acting: what AWS refuses is an answer. */
export async function act(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask(call);
  } catch (cause) {
    if (!isAnswer(cause)) throw cause;
    return refused(sentenceOf(cause));
  }
}
