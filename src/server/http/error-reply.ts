import { Failure, type FailureKind, failureKinds } from '../../basics/failure.ts';
import type { ErrorBody } from '../../contract/error-body.ts';

export interface ErrorContext {
  requestId: string;
  /** Whether the route is a token endpoint, which words its errors as RFC 6749 does. */
  oauth: boolean;
  usedBasic: boolean;
}

export interface ErrorReply {
  status: number;
  headers: Record<string, string>;
  body: ErrorBody;
}

const frameworkFailures: Readonly<Record<number, [FailureKind, string]>> = {
  400: ['invalid_request', 'The request could not be read'],
  404: ['not_found', 'There is nothing at this address'],
  413: ['too_large', 'The body is larger than 1 MiB'],
  414: ['not_found', 'There is nothing at this address'],
  415: ['unsupported_media_type', 'The Content-Type is not understood'],
  431: ['too_large', 'The headers are too large'],
};

const isFrameworkError = (error: unknown): error is { code: string; statusCode: number } =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('FST_') && 'statusCode' in error;

/** Whatever was thrown, as a failure. What we did not foresee says nothing about our insides. */
export const toFailure = (error: unknown): Failure => {
  if (error instanceof Failure) return error;
  const known = isFrameworkError(error) ? frameworkFailures[error.statusCode] : undefined;
  if (known) return new Failure(known[0], known[1]);
  return new Failure('internal', 'Something went wrong on our side', {
    description: 'It has been logged; name the request_id when you ask about it.',
    cause: error,
  });
};

const rfc6749Words = new Set<FailureKind>([
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
]);

/** RFC 6749 has few words: what is wrong with the request in any other way is an invalid request. */
const oauthWord = (kind: FailureKind): string => {
  if (kind === 'unauthorized') return 'invalid_client';
  const { status } = failureKinds[kind];
  return rfc6749Words.has(kind) || status === 429 || status >= 500 ? kind : 'invalid_request';
};

const challenge = (kind: FailureKind, context: ErrorContext): string => {
  if (kind !== 'invalid_client') return 'Bearer error="invalid_token"';
  // A Basic challenge to someone who did not use it would make browsers ask for a password.
  return context.usedBasic ? 'Basic realm="almanac"' : 'Bearer realm="almanac"';
};

const headersOf = (failure: Failure, status: number, context: ErrorContext): Record<string, string> => ({
  ...(status === 401 ? { 'www-authenticate': challenge(failure.kind, context) } : {}),
  ...(failure.retryAfter === undefined ? {} : { 'retry-after': String(Math.ceil(failure.retryAfter)) }),
  ...(context.oauth ? { 'cache-control': 'no-store' } : {}),
});

const bodyOf = (failure: Failure, context: ErrorContext): ErrorBody => ({
  code: failureKinds[failure.kind].code,
  error: context.oauth ? oauthWord(failure.kind) : failure.kind,
  message: failure.message,
  description: failure.description,
  request_id: context.requestId,
  ...(failure.problems.length > 0 ? { problems: [...failure.problems] } : {}),
  ...(failure.kind === 'forbidden' ? { RBAC: 'Action not allowed' } : {}),
  ...(context.oauth ? { error_description: failure.description || failure.message } : {}),
});

/** The one error body, with the status and headers that go with it. */
export const errorReply = (error: unknown, context: ErrorContext): ErrorReply => {
  const failure = toFailure(error);
  const { status } = failureKinds[failure.kind];
  return { status, headers: headersOf(failure, status, context), body: bodyOf(failure, context) };
};
