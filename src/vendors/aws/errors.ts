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
const isAnswer = ({ name, $metadata }: SdkError): boolean => {
  const status = $metadata?.httpStatusCode ?? 0;
  return status >= 400 && status < 500 && !throttling.test(name);
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

/** Asks AWS. Trouble on the way is `Unreachable`; what AWS answers, also a refusal, comes through as it is. */
export async function ask<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    if (cause instanceof Unreachable || isAnswer(asSdkError(cause))) throw cause;
    throw new Unreachable(sentenceOf(cause), { cause });
  }
}

/** For looking: a key that is not taken tells nothing about the stack. */
export async function look<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await ask(call);
  } catch (cause) {
    if (cause instanceof Unreachable || !isAboutAccess(cause)) throw cause;
    throw new Unreachable(sentenceOf(cause), { cause });
  }
}

/** For acting: what AWS refuses is an answer. */
export async function act(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask(call);
  } catch (cause) {
    if (cause instanceof Unreachable) throw cause;
    return refused(sentenceOf(cause));
  }
}
